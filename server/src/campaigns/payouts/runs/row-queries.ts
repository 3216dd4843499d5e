import assert from "node:assert";
import { type Sql, sql, statement } from "../../../db/compose.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { RowOf } from "../../../db/rows.ts";
import type { Position } from "../../../http/pagination.ts";
import { addressKeyOf } from "../../participants/receiver-queries.ts";
import { PAYOUT_JSON, type PayoutJson, toPayout } from "../queries.ts";
import type { PayoutRun, RowMove, RunPayment, RunPayout, RunRow } from "./record.ts";

// The rows of a run. Each is a payout.

const LIST_CAMPAIGNS = sql`select distinct o.campaign_id as id
  from payouts o
  where o.merchant_id = $merchantId and o.run_id = $runId`;

/** The campaigns that a run pays for. They never change. */
export async function listCampaignsOfRun(db: Queryable, merchantId: string, runId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(...statement(LIST_CAMPAIGNS, { merchantId, runId }));
  return rows.map(({ id }) => id);
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
    ), summed as (
      update campaigns c
      set payouts_open = c.payouts_open + given.amount
      from (select given.campaign_id, sum(given.amount) as amount from given group by given.campaign_id) given
      where c.merchant_id = $merchantId and c.id = given.campaign_id
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

// What was found for another transaction says nothing about this one. A proof stays.
const namesAnother = (hash: Sql) =>
  sql`lower(${hash}) <> coalesce(lower(o.transaction_hash), '') and o.proof_status is distinct from 'PROVEN'`;

const MOVE_ROWS = sql`with given as materialized (
      select *
      from json_to_recordset($moves::json) as given
        (id uuid, status text, cancelled boolean, transaction_hash text, reason text)
    ), moved as (
      update payouts o
      set status = given.status, cancelled = given.cancelled,
          transaction_hash = coalesce(given.transaction_hash, o.transaction_hash),
          proof_status = case when ${namesAnother(sql`given.transaction_hash`)} then null else o.proof_status end,
          proof_found = case when ${namesAnother(sql`given.transaction_hash`)} then null else o.proof_found end,
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
      select o.campaign_id, o.participant_id, o.amount, case when o.status = 'CONFIRMED' then o.amount else 0 end as confirmed, coalesce((
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
    ), summed as (
      update campaigns c
      set payouts_open = c.payouts_open - closed.amount, payouts_confirmed = c.payouts_confirmed + closed.confirmed
      from (
        select closed.campaign_id, sum(closed.amount) as amount, sum(closed.confirmed) as confirmed
        from closed
        group by closed.campaign_id
      ) closed
      where c.merchant_id = $merchantId and c.id = closed.campaign_id
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
