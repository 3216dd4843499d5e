import { allOf, sql, statement } from "../../../db/compose.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { RowOf } from "../../../db/rows.ts";
import { NEWEST, type Position } from "../../../http/pagination.ts";
import { LEFT_OUT_LISTED_MAX } from "../../../limits.ts";
import type { LeftOut, PayoutRun, Person, RunStatus } from "./record.ts";

interface RunColumns extends Omit<RowOf<PayoutRun>, "leftOut" | "createdBy" | "approvedBy"> {
  readonly leftOut: readonly RowOf<LeftOut>[];
  readonly createdByName: string;
  readonly createdById: string | null;
  readonly approvedByName: string | null;
  readonly approvedById: string | null;
}

const SCALARS = sql`r.merchant_id as "merchantId", r.id, r.campaign_id as "campaignId", r.status, r.chain_id as "chainId",
  r.token_address as "tokenAddress", r.currency, r.decimal_places as "decimalPlaces", r.note,
  r.pending_count as "pendingCount", r.submitted_count as "submittedCount", r.confirmed_count as "confirmedCount",
  r.failed_count as "failedCount", r.reserved, r.confirmed, r.failed, r.left_out_count as "leftOutCount",
  r.created_by as "createdByName", r.created_by_token_id as "createdById", r.approved_by as "approvedByName",
  r.approved_by_token_id as "approvedById", r.create_date as "createDate", r.update_date as "updateDate"`;

function toRun({ createdByName, createdById, approvedByName, approvedById, ...row }: RunColumns): PayoutRun {
  return {
    ...row,
    reserved: BigInt(row.reserved),
    confirmed: BigInt(row.confirmed),
    failed: BigInt(row.failed),
    leftOut: row.leftOut.map((one) => ({ ...one, campaignId: one.campaignId ?? null, owed: BigInt(one.owed) })),
    createdBy: { id: createdById, name: createdByName },
    approvedBy: approvedByName === null ? null : { id: approvedById, name: approvedByName },
  };
}

const FIND = sql`select ${SCALARS}, r.left_out as "leftOut"
  from payout_runs r
  where r.merchant_id = $merchantId and r.id = $id`;
const LOCK = sql`${FIND} for no key update`;

export async function findRun(db: Queryable, merchantId: string, id: string): Promise<PayoutRun | null> {
  const [row] = await db.query<RunColumns>(...statement(FIND, { merchantId, id }));
  return row === undefined ? null : toRun(row);
}

/** Called with the campaigns of the run locked. */
export async function lockRun(transaction: Queryable, merchantId: string, id: string): Promise<PayoutRun | null> {
  const [row] = await transaction.query<RunColumns>(...statement(LOCK, { merchantId, id }));
  return row === undefined ? null : toRun(row);
}

export async function findMerchantOfRun(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db.query<{ merchantId: string }>(
    `select merchant_id as "merchantId" from payout_runs where id = $1`,
    [id],
  );
  return row?.merchantId ?? null;
}

export async function findRequestHash(db: Queryable, merchantId: string, id: string): Promise<Buffer | null> {
  const [row] = await db.query<{ hash: Buffer }>(
    "select request_hash as hash from payout_runs where merchant_id = $1 and id = $2",
    [merchantId, id],
  );
  return row?.hash ?? null;
}

export interface RunFilters {
  readonly merchantId: string | null;
  readonly campaignId: string | null;
  readonly status: RunStatus | null;
}

/** Newest first. Of those left out, a list shows only a few of each run. */
export async function listRuns(
  db: Queryable,
  { merchantId, campaignId, status }: RunFilters,
  after: Position | null,
  count: number,
): Promise<PayoutRun[]> {
  const [date = "", id = ""] = after ?? NEWEST;
  const conditions = allOf(
    sql`(r.create_date, r.id) < ($date::timestamptz, $id::uuid)`,
    merchantId === null ? null : sql`r.merchant_id = $merchantId`,
    campaignId === null ? null : sql`r.campaign_id = $campaignId`,
    status === null ? null : sql`r.status = $status`,
  );
  const list = sql`select ${SCALARS}, r.left_out as "leftOut"
    from payout_runs r
    where ${conditions}
    order by r.create_date desc, r.id desc
    limit $count`;
  const rows = await db.query<RunColumns>(...statement(list, { date, id, merchantId, campaignId, status, count }));
  return rows.map((row) => toRun({ ...row, leftOut: row.leftOut.slice(0, LEFT_OUT_LISTED_MAX) }));
}

export interface NewRun
  extends Omit<
    PayoutRun,
    | "status"
    | "submittedCount"
    | "confirmedCount"
    | "failedCount"
    | "confirmed"
    | "failed"
    | "approvedBy"
    | "createDate"
    | "updateDate"
  > {
  readonly requestHash: Buffer;
}

const INSERT = sql`insert into payout_runs
    (merchant_id, id, campaign_id, status, chain_id, token_address, currency, decimal_places, note, request_hash,
     pending_count, submitted_count, confirmed_count, failed_count, reserved, confirmed, failed, left_out_count, left_out,
     created_by, created_by_token_id, create_date, update_date)
  values ($merchantId, $id, $campaignId, 'DRAFT', $chainId, $tokenAddress, $currency, $decimalPlaces, $note, $requestHash,
          $pendingCount, 0, 0, 0, $reserved, 0, 0, $leftOutCount, $leftOut, $createdByName, $createdById, $now, $now)
  on conflict (merchant_id, id) do nothing
  returning id`;

/** False when the run exists already. */
export async function insertRun(
  transaction: Queryable,
  { leftOut, createdBy, ...run }: NewRun,
  now: Date,
): Promise<boolean> {
  const shown = JSON.stringify(leftOut.map((one) => ({ ...one, owed: String(one.owed) })));
  const rows = await transaction.query(
    ...statement(INSERT, {
      ...run,
      leftOut: shown,
      createdByName: createdBy.name,
      createdById: createdBy.id,
      now,
    }),
  );
  return rows.length === 1;
}

const RECOUNT = sql`update payout_runs r
  set pending_count = o.pending, submitted_count = o.submitted, confirmed_count = o.confirmed, failed_count = o.failed,
      confirmed = o.confirmed_sum, failed = o.failed_sum, update_date = $now,
      status = case when r.status = 'SUBMITTED' and o.pending + o.submitted = 0 then 'SETTLED' else r.status end
  from (
    select count(*) filter (where o.status = 'PENDING') as pending,
           count(*) filter (where o.status = 'SUBMITTED') as submitted,
           count(*) filter (where o.status = 'CONFIRMED') as confirmed,
           count(*) filter (where o.status = 'FAILED') as failed,
           coalesce(sum(o.amount) filter (where o.status = 'CONFIRMED'), 0) as confirmed_sum,
           coalesce(sum(o.amount) filter (where o.status = 'FAILED'), 0) as failed_sum
    from payouts o
    where o.merchant_id = $merchantId and o.run_id = $id
  ) o
  where r.merchant_id = $merchantId and r.id = $id`;

/**
 * Counts a run's rows again after one of them moved. A submitted run without an open row is settled. The lock is a statement of
 * its own: rows of other campaigns move at the same time, and waiting for a lock does not refresh a statement's snapshot.
 */
export async function recountRun(transaction: Queryable, merchantId: string, id: string, now: Date): Promise<void> {
  await lockRun(transaction, merchantId, id);
  await transaction.query(...statement(RECOUNT, { merchantId, id, now }));
}

const UPDATE_STATUS = sql`update payout_runs
  set status = $status, update_date = $now
  where merchant_id = $merchantId and id = $id`;

export async function updateRunStatus(
  transaction: Queryable,
  { merchantId, id }: PayoutRun,
  status: RunStatus,
  now: Date,
): Promise<void> {
  await transaction.query(...statement(UPDATE_STATUS, { merchantId, id, status, now }));
}

const UPDATE_APPROVED = sql`update payout_runs
  set status = 'APPROVED', approved_by = $name, approved_by_token_id = $tokenId, update_date = $now
  where merchant_id = $merchantId and id = $id`;

export async function updateApproved(
  transaction: Queryable,
  { merchantId, id }: PayoutRun,
  { id: tokenId, name }: Person,
  now: Date,
): Promise<void> {
  await transaction.query(...statement(UPDATE_APPROVED, { merchantId, id, tokenId, name, now }));
}
