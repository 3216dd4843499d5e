import type { Queryable } from "../../db/pool.ts";
import { BURNDOWN_POINTS_MAX } from "../../limits.ts";
import type { Campaign } from "../record.ts";
import { type BurndownPoint, listCommitted } from "./queries.ts";

/**
 * How the budget was spent: journal rows at equal distances, so the cost does not depend on the length of the journal. The
 * journal is append-only, so the campaign and its points agree although they are read one after the other.
 */
export async function readBurndown(db: Queryable, campaign: Campaign): Promise<BurndownPoint[]> {
  return listCommitted(db, campaign, spread(campaign.journalLength, BURNDOWN_POINTS_MAX));
}

/** At most `count` of the positions from 1 to `length`, always the first and the last among them. */
export function spread(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, index) => index + 1);
  return Array.from({ length: count }, (_, index) => 1 + Math.round((index * (length - 1)) / (count - 1)));
}
