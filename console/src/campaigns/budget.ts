import type { Schemas } from "../api/client.ts";

type TokenAmount = Schemas["TokenAmount"];

export function remainingOf(total: TokenAmount, committed: TokenAmount): TokenAmount {
  return { ...total, amount: String(BigInt(total.amount) - BigInt(committed.amount)) };
}

/** How much of the budget is committed, in percent with two decimals. No budget at all counts as spent. */
export function percentOf(committed: TokenAmount, total: TokenAmount): number {
  const budget = BigInt(total.amount);
  return budget === 0n ? 100 : Number((BigInt(committed.amount) * 10_000n) / budget) / 100;
}
