import type { Schemas } from "../api/client.ts";
import { formatTokens } from "./amounts.ts";

type Payout = Pick<Schemas["Payout"], "amount" | "proof">;

/** What was found on the chain, in words. Null: nothing was looked up. */
export function describeProof({ amount, proof }: Payout): string | null {
  switch (proof?.status) {
    case undefined:
      return null;
    case "PROVEN":
      return "Proven on the chain";
    case "REVERTED":
      return "Reverted on the chain";
    case "PENDING":
      if (proof.confirmations === 0) return "Not found on the chain yet";
      return `On the chain, ${proof.confirmations} ${proof.confirmations === 1 ? "confirmation" : "confirmations"}`;
    case "MISMATCH":
      return `Does not match the chain: ${describeDifference(amount, proof)}`;
  }
}

/** The first thing that is not as expected. */
function describeDifference(amount: Payout["amount"], { expected, found }: NonNullable<Payout["proof"]>): string {
  if (found === null) return "the transaction has no such transfer.";
  if (found.isUsed) return "the transfer already proves another payout.";
  if (found.tokenAddress !== expected.tokenAddress) return `the token ${found.tokenAddress} was sent.`;
  if (found.recipientAddress !== expected.recipientAddress) return `it was sent to ${found.recipientAddress}.`;
  return `${formatTokens({ ...amount, amount: found.amount })} was sent.`;
}
