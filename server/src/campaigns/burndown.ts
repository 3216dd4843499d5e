import type { Queryable } from "../db/pool.ts";
import { BURNDOWN_POINTS_MAX } from "../limits.ts";
import type { Campaign } from "./queries.ts";
import { listCommitted } from "./submission-queries.ts";

/**
 * How the budget was spent. The points are rows of the journal at equal distances, so the answer costs the same however long
 * the journal is. It is append-only, and so the campaign and its points agree although they are read one after the other.
 */
export async function readBurndown(db: Queryable, campaign: Campaign) {
  const { maxAmountTotal, currentAmountTotal } = campaign.perTradeProfitMatch;
  const points = await listCommitted(db, campaign, spread(campaign.journalLength, BURNDOWN_POINTS_MAX));
  return { maxAmountTotal, committed: currentAmountTotal, points };
}

/** At most `count` of the positions from 1 to `length`, always the first and the last among them. */
export function spread(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, index) => index + 1);
  return Array.from({ length: count }, (_, index) => 1 + Math.round((index * (length - 1)) / (count - 1)));
}
