import { run, sql, when } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Position } from "../../http/pagination.ts";
import type { Campaign } from "../record.ts";
import type { Clamp } from "../submissions/match.ts";
import type { JournalEntry } from "./record.ts";

interface JournalRow {
  readonly position: number;
  readonly submission_id: string;
  readonly participant_id: string;
  readonly merchant_user_id: string;
  readonly created: boolean;
  readonly trade_profit: string;
  readonly max_match: string;
  readonly max_amount_total: string;
  readonly delta: string;
  readonly match_after: string;
  readonly committed_after: string;
  readonly clamped_by: Clamp | null;
  readonly date: Date;
}

/** Newest first; of one participant, or all. */
export async function listJournal(
  db: Queryable,
  campaign: Campaign,
  participantId: string | null,
  after: Position | null,
  count: number,
): Promise<JournalEntry[]> {
  const before = after?.[0] ?? String(Number.MAX_SAFE_INTEGER);
  // `position > 0` is the condition of the index by participant, which serves no other statement.
  const rows = await run<JournalRow>(
    db,
    sql`select j.position, j.submission_id, j.participant_id, (
      select p.merchant_user_id
      from participants p
      where p.merchant_id = j.merchant_id and p.id = j.participant_id
    ) as merchant_user_id, j.created, j.trade_profit, j.max_match, j.max_amount_total, j.delta, j.match_after,
      j.committed_after, j.clamped_by, j.date
    from submission_journal j
    where j.merchant_id = ${campaign.merchantId} and j.campaign_id = ${campaign.id} and j.position < ${before}::bigint
      ${when(participantId !== null, sql`and j.participant_id = ${participantId} and j.position > 0`)}
    order by j.position desc
    limit ${count}`,
  );
  return rows.map((row) => ({
    position: row.position,
    submissionId: row.submission_id,
    participantId: row.participant_id,
    merchantUserId: row.merchant_user_id,
    created: row.created,
    profit: BigInt(row.trade_profit),
    cap: BigInt(row.max_match),
    maxAmountTotal: BigInt(row.max_amount_total),
    delta: BigInt(row.delta),
    matchAfter: BigInt(row.match_after),
    committedAfter: BigInt(row.committed_after),
    clampedBy: row.clamped_by,
    date: row.date,
  }));
}

export interface BurndownPoint {
  readonly date: Date;
  readonly committed: bigint;
}

/**
 * What was committed after the submissions at these positions, in their order. Each is one look-up by the primary key: no
 * other index has this order, so the planner takes none, even before there are statistics.
 */
export async function listCommitted(
  db: Queryable,
  campaign: Campaign,
  positions: readonly number[],
): Promise<BurndownPoint[]> {
  const rows = await run<{ date: Date; committed_after: string }>(
    db,
    sql`select j.date, j.committed_after
    from unnest((select ${positions}::bigint[])) with ordinality as given (position, place)
    cross join lateral (
      select j.date, j.committed_after
      from submission_journal j
      where j.merchant_id = ${campaign.merchantId} and j.campaign_id = ${campaign.id} and j.position >= given.position
      order by j.position
      limit 1
    ) j
    order by given.place`,
  );
  return rows.map((row) => ({ date: row.date, committed: BigInt(row.committed_after) }));
}
