import { chainOf } from "@matchbook/addresses/chains";

// The chains that operators choose from most. Any other id can be typed.
export const chainIds: readonly string[] = [
  "1", // Ethereum
  "10", // OP Mainnet
  "56", // BNB Smart Chain
  "137", // Polygon
  "8453", // Base
  "42161", // Arbitrum One
  "43114", // Avalanche
  "84532", // Base Sepolia
  "421614", // Arbitrum Sepolia
  "11155111", // Sepolia
  "728126428", // Tron
  "792703809", // Solana
  "8253038", // Bitcoin
  "9286185", // Eclipse
  "9286186", // Soon
];

/** The name that the API uses. An id that is not known is shown as a number. */
export function chainName(chainId: number): string {
  return chainOf(chainId).name;
}
