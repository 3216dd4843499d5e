import { evmChainNames } from "./chains.generated.ts";

export interface Chain {
  name: string;
  /** Campaign resources show the numeric id of EVM chains only. */
  isEvm: boolean;
}

// These have no EVM chain id of their own; the numbers are those that cross-chain payment services use for them. Tron is
// in viem's registry for its RPC interface, but its addresses are base58.
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

/** Every id is a chain: one we do not know is named by its number and treated as EVM, so that the number is shown. */
export function chainOf(id: number): Chain {
  return chains.get(id) ?? { name: `Chain ${id}`, isEvm: true };
}

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** What two addresses are compared by. The case of an EVM address is only a checksum; in base58 it is another address. */
export function addressKey(address: string): string {
  return EVM_ADDRESS.test(address) ? address.toLowerCase() : address;
}
