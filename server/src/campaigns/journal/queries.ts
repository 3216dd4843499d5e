import { allOf, sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { RowOf } from "../../db/rows.ts";
import type { Position } from "../../http/pagination.ts";
import type { Campaign } from "../record.ts";
import type { JournalEntry } from "./record.ts";

/** Newest first; of one participant, or all. */
export async function listJournal(
  db: Queryable,
  campaign: Campaign,
  participantId: string | null,
  after: Position | null,
  count: number,
): Promise<JournalEntry[]> {
  const { merchantId, id: campaignId } = campaign;
  const before = after?.[0] ?? String(Number.MAX_SAFE_INTEGER);
  const conditions = allOf(
    sql`j.merchant_id = $merchantId and j.campaign_id = $campaignId and j.position < $before::bigint`,
    // `position > 0` is the condition of the index by participant, which serves no other statement.
    participantId === null ? null : sql`j.participant_id = $participantId and j.position > 0`,
  );
  const list = sql`select j.position, j.submission_id as "submissionId", j.participant_id as "participantId", (
      select p.merchant_user_id
      from participants p
      where p.merchant_id = j.merchant_id and p.id = j.participant_id
    ) as "merchantUserId", j.created, j.trade_profit as profit, j.max_match as cap, j.max_amount_total as "maxAmountTotal",
      j.delta, j.match_after as "matchAfter", j.committed_after as "committedAfter", j.clamped_by as "clampedBy", j.date
    from submission_journal j
    where ${conditions}
    order by j.position desc
    limit $count`;
  const rows = await db.query<RowOf<JournalEntry>>(
    ...statement(list, { merchantId, campaignId, before, participantId, count }),
  );
  return rows.map((row) => ({
    ...row,
    profit: BigInt(row.profit),
    cap: BigInt(row.cap),
    maxAmountTotal: BigInt(row.maxAmountTotal),
    delta: BigInt(row.delta),
    matchAfter: BigInt(row.matchAfter),
    committedAfter: BigInt(row.committedAfter),
  }));
}

export interface BurndownPoint {
  readonly date: Date;
  readonly committed: bigint;
}

// Each position is one look-up by the primary key: no other index has this order, so the planner takes none, even before
// there are statistics.
const LIST_COMMITTED = sql`select j.date, j.committed_after as committed
  from unnest((select $positions::bigint[])) with ordinality as given (position, place)
  cross join lateral (
    select j.date, j.committed_after
    from submission_journal j
    where j.merchant_id = $merchantId and j.campaign_id = $campaignId and j.position >= given.position
    order by j.position
    limit 1
  ) j
  order by given.place`;

/** What was committed after the submissions at these positions, in their order. */
export async function listCommitted(
  db: Queryable,
  { merchantId, id: campaignId }: Campaign,
  positions: readonly number[],
): Promise<BurndownPoint[]> {
  const rows = await db.query<RowOf<BurndownPoint>>(
    ...statement(LIST_COMMITTED, { merchantId, campaignId, positions }),
  );
  return rows.map(({ date, committed }) => ({ date, committed: BigInt(committed) }));
}
