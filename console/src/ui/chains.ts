import { evmChainNames } from "./chains.generated.ts";

// The chains that operators choose from most. Any other id can be typed.
const CHAINS = [
  { chainId: 1, name: "Ethereum" },
  { chainId: 10, name: "OP Mainnet" },
  { chainId: 56, name: "BNB Smart Chain" },
  { chainId: 137, name: "Polygon" },
  { chainId: 8453, name: "Base" },
  { chainId: 42161, name: "Arbitrum One" },
  { chainId: 43114, name: "Avalanche" },
  { chainId: 84532, name: "Base Sepolia" },
  { chainId: 421614, name: "Arbitrum Sepolia" },
  { chainId: 11155111, name: "Sepolia" },
  { chainId: 728126428, name: "Tron" },
  { chainId: 792703809, name: "Solana" },
  { chainId: 8253038, name: "Bitcoin" },
  { chainId: 9286185, name: "Eclipse" },
  { chainId: 9286186, name: "Soon" },
] as const;

const names = new Map<number, string>([
  ...evmChainNames,
  ...CHAINS.map(({ chainId, name }) => [chainId, name] as const),
]);

/** The name that the API uses. An id that is not known is shown as a number. */
export function chainName(chainId: number): string {
  return names.get(chainId) ?? `Chain ${chainId}`;
}

export const chainIds: readonly string[] = CHAINS.map(({ chainId }) => String(chainId));
