// Names of the chains that operators choose from and read most. Every other id is legal, too; it is shown as a number.
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

export function chainName(chainId: number): string {
  return CHAINS.find((chain) => chain.chainId === chainId)?.name ?? `Chain ${chainId}`;
}

export const chainIds: readonly string[] = CHAINS.map(({ chainId }) => String(chainId));
