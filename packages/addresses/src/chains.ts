import { evmChainNames } from "./chains.generated.ts";

export interface Chain {
  name: string;
  /** Campaign resources show the numeric id of EVM chains only. */
  isEvm: boolean;
}

// These chains have no EVM chain id. The numbers are those that cross-chain payment services use. viem's registry has Tron
// because of its RPC interface, but Tron's addresses are base58.
const nonEvmChainNames: readonly (readonly [id: number, name: string])[] = [
  [792703809, "Solana"],
  [8253038, "Bitcoin"],
  [9286185, "Eclipse"],
  [9286186, "Soon"],
  [728126428, "Tron"],
];

const chains = new Map<number, Chain>([
  ...evmChainNames.map(([id, name]) => [id, { name, isEvm: true }] as const),
  ...nonEvmChainNames.map(([id, name]) => [id, { name, isEvm: false }] as const),
]);

/** An unknown chain is named by its number and counts as EVM, so that its number is shown. */
export function chainOf(id: number): Chain {
  return chains.get(id) ?? { name: `Chain ${id}`, isEvm: true };
}

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Two addresses are the same if their keys are equal. Case is only a checksum in EVM addresses, but matters in base58. */
export function addressKey(address: string): string {
  return EVM_ADDRESS.test(address) ? address.toLowerCase() : address;
}
