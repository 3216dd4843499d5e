// Where a transaction can be looked up. Only for chains whose explorer is known and well kept.
const EXPLORERS: Readonly<Record<number, string>> = {
  1: "https://etherscan.io/tx/",
  10: "https://optimistic.etherscan.io/tx/",
  56: "https://bscscan.com/tx/",
  137: "https://polygonscan.com/tx/",
  8453: "https://basescan.org/tx/",
  42161: "https://arbiscan.io/tx/",
  43114: "https://snowscan.xyz/tx/",
  84532: "https://sepolia.basescan.org/tx/",
  421614: "https://sepolia.arbiscan.io/tx/",
  11155111: "https://sepolia.etherscan.io/tx/",
  728126428: "https://tronscan.org/#/transaction/",
  792703809: "https://solscan.io/tx/",
  8253038: "https://mempool.space/tx/",
};

/** Null: the chain has no known explorer, or the text is no hash that could be in an address. */
export function explorerLink(chainId: number, transactionHash: string): string | null {
  const explorer = EXPLORERS[chainId];
  return explorer === undefined || !/^[0-9A-Za-z]{32,128}$/.test(transactionHash) ? null : explorer + transactionHash;
}
