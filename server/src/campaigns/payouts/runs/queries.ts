import assert from "node:assert";
import { allOf, sql, statement } from "../../../db/compose.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { RowOf } from "../../../db/rows.ts";
import { NEWEST, type Position } from "../../../http/pagination.ts";
import { LEFT_OUT_LISTED_MAX, LEFT_OUT_STORED_MAX, PAYOUTS_PER_RUN_MAX } from "../../../limits.ts";
import type { Receiver } from "../../participants/receiver.ts";
import { addressKeyOf, IS_SHARED } from "../../participants/receiver-queries.ts";
import { PAYOUT_JSON, type PayoutJson, toPayout } from "../queries.ts";
import type {
  LeftOut,
  LeftOutReason,
  PayoutRun,
  Person,
  RowMove,
  RunPayment,
  RunPayout,
  RunRow,
  RunStatus,
} from "./record.ts";

type LeftOutJson = Omit<LeftOut, "owed"> & { readonly owed: string };

interface RunColumns extends Omit<RowOf<PayoutRun>, "leftOut" | "createdBy" | "approvedBy"> {
  readonly leftOut: readonly LeftOutJson[];
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
    leftOut: row.leftOut.map((one) => ({ ...one, owed: BigInt(one.owed) })),
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

/** A campaign as far as paying is concerned. */
export interface PayableCampaign {
  readonly id: string;
  readonly payoutChainId: number;
  readonly payoutTokenAddress: string;
  readonly currency: string;
  readonly decimalPlaces: number;
}

// Those with a participant who is not paid in full: MATCHED or FAILED. One look-up per campaign and status.
const LIST_PAYABLE = sql`select c.id, c.payout_chain_id as "payoutChainId", c.payout_token_address as "payoutTokenAddress",
    c.currency, c.decimal_places as "decimalPlaces"
  from campaigns c
  where c.merchant_id = $merchantId and c.committed > 0 and (exists (
      select from participants p
      where p.merchant_id = $merchantId and p.campaign_id = c.id and p.status = 'MATCHED' and p.create_date > '-infinity'
    ) or exists (
      select from participants p
      where p.merchant_id = $merchantId and p.campaign_id = c.id and p.status = 'FAILED' and p.create_date > '-infinity'
    ))
  order by c.id`;

export async function listPayableCampaigns(db: Queryable, merchantId: string): Promise<PayableCampaign[]> {
  return db.query<PayableCampaign>(...statement(LIST_PAYABLE, { merchantId }));
}

const LOCK_CAMPAIGNS = sql`select c.id
  from campaigns c
  where c.merchant_id = $merchantId and c.id = any($campaignIds::uuid[])
  order by c.id
  for no key update`;

/** In the order of their ids, so that two runs never wait for each other. */
export async function lockCampaigns(
  transaction: Queryable,
  merchantId: string,
  campaignIds: readonly string[],
): Promise<void> {
  await transaction.query(...statement(LOCK_CAMPAIGNS, { merchantId, campaignIds }));
}

const LIST_CAMPAIGNS = sql`select distinct o.campaign_id as id
  from payouts o
  where o.merchant_id = $merchantId and o.run_id = $runId`;

/** The campaigns that a run pays for. They never change. */
export async function listCampaignsOfRun(db: Queryable, merchantId: string, runId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(...statement(LIST_CAMPAIGNS, { merchantId, runId }));
  return rows.map(({ id }) => id);
}

/** What is to be paid: of these campaigns, and of these participants alone if they are named. */
export interface Selection {
  readonly merchantId: string;
  readonly campaignIds: readonly string[];
  readonly payoutChainId: number;
  readonly participantIds: readonly string[] | null;
  readonly minimum: bigint;
}

const OWED = sql`p.amount_matched - p.payouts_open - p.payouts_confirmed`;

// PAID participants are owed nothing, and QUALIFIED ones neither.
const owedOf = ({ participantIds }: Selection) =>
  allOf(
    sql`p.merchant_id = $merchantId and p.campaign_id = any($campaignIds::uuid[])`,
    sql`p.status in ('MATCHED', 'FAILED') and p.create_date > '-infinity' and ${OWED} > 0`,
    participantIds === null ? null : sql`p.id = any($participantIds::uuid[])`,
  );

const PAYABLE = sql`not p.held and p.receiver_address is not null and ${OWED} >= $minimum::numeric`;

export interface Candidate {
  readonly campaignId: string;
  readonly participantId: string;
  readonly merchantUserId: string;
  readonly payoutsCount: number;
  readonly owed: bigint;
  readonly receiverAddress: string;
  readonly receiverSetBy: Receiver["setBy"];
  readonly isShared: boolean;
}

/** Whom a run may pay, those who joined first coming first, as many as fit in one. */
export async function listCandidates(transaction: Queryable, selection: Selection): Promise<Candidate[]> {
  const list = sql`select p.campaign_id as "campaignId", p.id as "participantId", p.merchant_user_id as "merchantUserId",
      p.payouts_count as "payoutsCount", p.owed, p.receiver_address as "receiverAddress",
      p.receiver_set_by as "receiverSetBy", ${IS_SHARED} as "isShared"
    from (
      select p.*, ${OWED} as owed
      from participants p
      where ${owedOf(selection)} and ${PAYABLE}
      order by p.create_date, p.id
      limit $count
    ) p
    order by p.create_date, p.id`;
  const rows = await transaction.query<RowOf<Candidate>>(
    ...statement(list, { ...selection, count: PAYOUTS_PER_RUN_MAX }),
  );
  return rows.map((row) => ({ ...row, owed: BigInt(row.owed) }));
}

/** Those who are owed something and cannot be paid now: how many, and the first of them. */
export async function listLeftOut(
  transaction: Queryable,
  selection: Selection,
): Promise<{ count: number; first: LeftOut[] }> {
  const list = sql`select p.id as "participantId", p.merchant_user_id as "merchantUserId", ${OWED} as owed,
      case when p.held then 'HELD' when p.receiver_address is null then 'NO_RECEIVER' else 'BELOW_MINIMUM' end as reason,
      (count(*) over ())::integer as total
    from participants p
    where ${owedOf(selection)} and not (${PAYABLE})
    order by p.create_date, p.id
    limit $count`;
  const rows = await transaction.query<LeftOutJson & { reason: LeftOutReason; total: number }>(
    ...statement(list, { ...selection, count: LEFT_OUT_STORED_MAX }),
  );
  return {
    count: rows[0]?.total ?? 0,
    first: rows.map(({ total: _, ...row }) => ({ ...row, owed: BigInt(row.owed) })),
  };
}

const FIND_UNKNOWN = sql`select given.id
  from unnest((select $participantIds::uuid[])) as given (id)
  where not exists (
    select from participants p
    where p.merchant_id = $merchantId and p.id = given.id
      and (p.campaign_id = $campaignId or $isOfMerchant::boolean)
  )
  limit 1`;

/** One of these ids that is no participant of the campaign, or of the merchant if no campaign is named. */
export async function findUnknownParticipant(
  db: Queryable,
  merchantId: string,
  campaignId: string | null,
  participantIds: readonly string[],
): Promise<string | null> {
  const isOfMerchant = campaignId === null;
  const [row] = await db.query<{ id: string }>(
    ...statement(FIND_UNKNOWN, { merchantId, campaignId, isOfMerchant, participantIds }),
  );
  return row?.id ?? null;
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

const INSERT_ROWS = sql`with given as materialized (
      select *
      from json_to_recordset($rows::json) as given
        (id uuid, campaign_id uuid, participant_id uuid, ordinal integer, amount numeric, recipient_address text,
         position integer, flags text[])
    ), recorded as (
      insert into payouts
        (merchant_id, id, campaign_id, participant_id, ordinal, status, amount, chain_id, token_address,
         recipient_address, run_id, run_position, flags, create_date, update_date)
      select $merchantId::uuid, given.id, given.campaign_id, given.participant_id, given.ordinal, 'PENDING', given.amount,
             $chainId::bigint, $tokenAddress::text, given.recipient_address, $runId::uuid, given.position, given.flags,
             $now::timestamptz, $now::timestamptz
      from given
    ), traced as (
      insert into payout_events (merchant_id, payout_id, ordinal, status, reason, date)
      select $merchantId::uuid, given.id, 1, 'PENDING', null, $now::timestamptz
      from given
    ), reserved as (
      update participants p
      set payouts_open = p.payouts_open + given.amount, payouts_count = given.ordinal, last_payout_failed = false,
          status = 'MATCHED', update_date = $now
      from given
      where p.merchant_id = $merchantId and p.id = given.participant_id
      returning p.id
    )
    select count(*)::integer as count from reserved`;

/** Reserves the amounts as PENDING payouts. Each participant is in the run once. */
export async function insertRows(
  transaction: Queryable,
  { merchantId, id: runId, chainId, tokenAddress }: Pick<PayoutRun, "merchantId" | "id" | "chainId" | "tokenAddress">,
  payments: readonly (RunPayment & { readonly ordinal: number })[],
  now: Date,
): Promise<void> {
  const rows = payments.map((payment, index) => ({
    id: payment.payoutId,
    campaign_id: payment.campaignId,
    participant_id: payment.participantId,
    ordinal: payment.ordinal,
    amount: String(payment.amount),
    recipient_address: payment.recipientAddress,
    position: index + 1,
    flags: payment.flags,
  }));
  const [reserved] = await transaction.query<{ count: number }>(
    ...statement(INSERT_ROWS, { merchantId, runId, chainId, tokenAddress, rows: JSON.stringify(rows), now }),
  );
  assert(reserved?.count === payments.length, "every payout of a run reserves its amount");
}

const LIST_PAYMENTS = sql`select o.id as "payoutId", o.campaign_id as "campaignId", o.participant_id as "participantId",
    p.merchant_user_id as "merchantUserId", o.recipient_address as "recipientAddress", o.amount, o.flags
  from payouts o
  join participants p on p.merchant_id = $merchantId and p.id = o.participant_id
  where o.merchant_id = $merchantId and o.run_id = $runId
  order by o.run_position`;

export async function listPayments(db: Queryable, merchantId: string, runId: string): Promise<RunPayment[]> {
  const rows = await db.query<RowOf<RunPayment>>(...statement(LIST_PAYMENTS, { merchantId, runId }));
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

const LIST_ROWS = sql`select o.id as "payoutId", o.status, o.cancelled, o.transaction_hash as "transactionHash"
  from payouts o
  where o.merchant_id = $merchantId and o.run_id = $runId
  order by o.run_position`;

export async function listRows(db: Queryable, merchantId: string, runId: string): Promise<RunRow[]> {
  return db.query<RunRow>(...statement(LIST_ROWS, { merchantId, runId }));
}

const LIST_PAYOUTS = sql`select ${PAYOUT_JSON} as payout, o.run_position as "runPosition", o.campaign_id as "campaignId",
    o.participant_id as "participantId", o.flags, (
      select p.merchant_user_id
      from participants p
      where p.merchant_id = $merchantId and p.id = o.participant_id
    ) as "merchantUserId"
  from payouts o
  where o.merchant_id = $merchantId and o.run_id = $runId and o.run_position > $position
  order by o.run_position
  limit $count`;

/** In the order of the exports. */
export async function listRunPayouts(
  db: Queryable,
  { merchantId, id: runId }: PayoutRun,
  after: Position | null,
  count: number,
): Promise<RunPayout[]> {
  const position = Number(after?.[0] ?? 0);
  type Row = Pick<RunPayout, "runPosition" | "campaignId" | "participantId" | "merchantUserId" | "flags"> & {
    payout: PayoutJson;
  };
  const rows = await db.query<Row>(...statement(LIST_PAYOUTS, { merchantId, runId, position, count }));
  return rows.map(({ payout, ...row }) => ({ ...toPayout(payout), ...row }));
}

const COUNT_OUTDATED = sql`select (count(*) filter (where p.held))::integer as held,
    (count(*) filter (where ${addressKeyOf(sql`p.receiver_address`)}
                            is distinct from ${addressKeyOf(sql`o.recipient_address`)}))::integer as redirected
  from payouts o
  join participants p on p.merchant_id = $merchantId and p.id = o.participant_id
  where o.merchant_id = $merchantId and o.run_id = $runId`;

/** Participants of the run that were held, or got another receiver, since it was made. */
export async function countOutdated(
  db: Queryable,
  merchantId: string,
  runId: string,
): Promise<{ held: number; redirected: number }> {
  const [row] = await db.query<{ held: number; redirected: number }>(
    ...statement(COUNT_OUTDATED, { merchantId, runId }),
  );
  return row ?? { held: 0, redirected: 0 };
}

const MOVE_ROWS = sql`with given as materialized (
      select *
      from json_to_recordset($moves::json) as given
        (id uuid, status text, cancelled boolean, transaction_hash text, reason text)
    ), moved as (
      update payouts o
      set status = given.status, cancelled = given.cancelled,
          transaction_hash = coalesce(given.transaction_hash, o.transaction_hash),
          failure_reason = case when given.status = 'FAILED' then given.reason end, update_date = $now
      from given
      where o.merchant_id = $merchantId and o.id = given.id
      returning o.id, given.status, given.reason
    ), traced as (
      insert into payout_events (merchant_id, payout_id, ordinal, status, reason, date)
      select $merchantId::uuid, moved.id, (
          select max(e.ordinal) + 1 from payout_events e where e.merchant_id = $merchantId and e.payout_id = moved.id
        ), moved.status, moved.reason, $now::timestamptz
      from moved
    )
    select count(*)::integer as count from moved`;

// After the payouts themselves: the last payout that was not cancelled decides, as in `hasLastFailed`, and the status follows
// as in `participantStatus`. A participant is in a run once.
const CLOSE_ROWS = sql`with closed as materialized (
      select o.participant_id, o.amount, case when o.status = 'CONFIRMED' then o.amount else 0 end as confirmed, coalesce((
          select last.status = 'FAILED'
          from payouts last
          where last.merchant_id = $merchantId and last.participant_id = o.participant_id and not last.cancelled
          order by last.ordinal desc
          limit 1
        ), false) as last_failed
      from unnest((select $ids::uuid[])) as given (id)
      join payouts o on o.merchant_id = $merchantId and o.id = given.id
    ), changed as (
      update participants p
      set payouts_open = p.payouts_open - closed.amount, payouts_confirmed = p.payouts_confirmed + closed.confirmed,
          last_payout_failed = closed.last_failed, update_date = $now,
          status = case
            when p.payouts_confirmed + closed.confirmed >= p.amount_matched then 'PAID'
            when closed.last_failed and p.payouts_open = closed.amount then 'FAILED'
            else 'MATCHED'
          end
      from closed
      where p.merchant_id = $merchantId and p.id = closed.participant_id
      returning p.id
    )
    select count(*)::integer as count from changed`;

/** Moves rows with their trails, and the balances of their participants. The caller checked that the moves are legal. */
export async function moveRows(
  transaction: Queryable,
  merchantId: string,
  moves: readonly RowMove[],
  now: Date,
): Promise<void> {
  const rows = moves.map(({ payoutId, status, cancelled, transactionHash, reason }) => ({
    id: payoutId,
    status,
    cancelled,
    transaction_hash: transactionHash,
    reason,
  }));
  const [moved] = await transaction.query<{ count: number }>(
    ...statement(MOVE_ROWS, { merchantId, moves: JSON.stringify(rows), now }),
  );
  assert(moved?.count === moves.length, "every row of a run is moved once");
  const ids = moves.filter(({ status }) => status !== "SUBMITTED").map(({ payoutId }) => payoutId);
  if (ids.length === 0) return;
  const [closed] = await transaction.query<{ count: number }>(...statement(CLOSE_ROWS, { merchantId, ids, now }));
  assert(closed?.count === ids.length, "every closed row changes its participant's balance");
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
