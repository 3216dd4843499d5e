import { sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { RowOf } from "../../db/rows.ts";
import { type Receiver, toReceiver } from "../participants/receiver.ts";
import { IS_SHARED } from "../participants/receiver-queries.ts";
import type { Balance, ParticipantStatus } from "../participants/status.ts";
import type { Campaign } from "../record.ts";
import type { Payout, PayoutEvent, PayoutStatus } from "./record.ts";

/** Which merchant and campaign a participant or payout belongs to. Read without a lock; changes lock the campaign later. */
export interface Owner {
  readonly merchantId: string;
  readonly campaignId: string;
  readonly participantId: string;
}

export async function findOwnerOfParticipant(db: Queryable, participantId: string): Promise<Owner | null> {
  const [owner] = await db.query<Owner>(
    `select merchant_id as "merchantId", campaign_id as "campaignId", id as "participantId" from participants where id = $1`,
    [participantId],
  );
  return owner ?? null;
}

export async function findOwnerOfPayout(db: Queryable, payoutId: string): Promise<Owner | null> {
  const [owner] = await db.query<Owner>(
    `select merchant_id as "merchantId", campaign_id as "campaignId", participant_id as "participantId"
     from payouts where id = $1`,
    [payoutId],
  );
  return owner ?? null;
}

/** A payout with its trail as one JSON value, so that participants and payouts are read alike. */
export const PAYOUT_JSON = sql`json_build_object('id', o.id, 'runId', o.run_id, 'ordinal', o.ordinal, 'status', o.status, 'cancelled', o.cancelled,
    'amount', o.amount::text,
    'chainId', o.chain_id, 'tokenAddress', o.token_address, 'recipientAddress', o.recipient_address,
    'transactionHash', o.transaction_hash, 'failureReason', o.failure_reason, 'proof', case
      when o.proof_status is not null then json_build_object('status', o.proof_status, 'found', o.proof_found, 'confirmations', coalesce((
        select t.confirmations
        from chain_transactions t
        where t.chain_id = o.chain_id and t.hash = lower(o.transaction_hash)
      ), 0))
    end, 'createDate', o.create_date,
    'updateDate', o.update_date, 'statusHistory', (
      select json_agg(json_build_object('status', e.status, 'date', e.date, 'reason', e.reason) order by e.ordinal)
      from payout_events e
      where e.merchant_id = o.merchant_id and e.payout_id = o.id
    ))`;

export interface PayoutJson extends Omit<Payout, "amount" | "createDate" | "updateDate" | "statusHistory"> {
  readonly amount: string;
  readonly createDate: string;
  readonly updateDate: string;
  readonly statusHistory: readonly (Omit<PayoutEvent, "date"> & { date: string })[];
}

export function toPayout(json: PayoutJson): Payout {
  return {
    ...json,
    amount: BigInt(json.amount),
    createDate: new Date(json.createDate),
    updateDate: new Date(json.updateDate),
    statusHistory: json.statusHistory.map((event) => ({ ...event, date: new Date(event.date) })),
  };
}

const FIND = sql`select ${PAYOUT_JSON} as payout from payouts o where o.merchant_id = $merchantId and o.id = $id`;
const FIND_BY_KEY = sql`select ${PAYOUT_JSON} as payout
  from payouts o
  where o.merchant_id = $merchantId and o.participant_id = $participantId and o.idempotency_key = $idempotencyKey`;

export async function findPayout(db: Queryable, merchantId: string, id: string): Promise<Payout | null> {
  const [row] = await db.query<{ payout: PayoutJson }>(...statement(FIND, { merchantId, id }));
  return row === undefined ? null : toPayout(row.payout);
}

export async function findPayoutByIdempotencyKey(
  db: Queryable,
  { merchantId, participantId }: Owner,
  idempotencyKey: string,
): Promise<Payout | null> {
  const [row] = await db.query<{ payout: PayoutJson }>(
    ...statement(FIND_BY_KEY, { merchantId, participantId, idempotencyKey }),
  );
  return row === undefined ? null : toPayout(row.payout);
}

export interface NewPayout {
  readonly id: string;
  readonly ordinal: number;
  readonly amount: bigint;
  readonly chainId: number;
  readonly tokenAddress: string;
  readonly recipientAddress: string;
  readonly idempotencyKey: string | null;
}

const INSERT = sql`insert into payouts
    (merchant_id, id, campaign_id, participant_id, ordinal, status, amount, chain_id, token_address, recipient_address,
     idempotency_key, create_date, update_date)
  values ($merchantId, $id, $campaignId, $participantId, $ordinal, 'PENDING', $amount, $chainId, $tokenAddress,
          $recipientAddress, $idempotencyKey, $now, $now)`;

export async function insertPayout(transaction: Queryable, owner: Owner, payout: NewPayout, now: Date): Promise<void> {
  await transaction.query(...statement(INSERT, { ...owner, ...payout, now }));
}

// What was found for another transaction says nothing about this one. A proof stays.
const NAMES_ANOTHER = sql`lower($transactionHash) <> coalesce(lower(transaction_hash), '')
    and proof_status is distinct from 'PROVEN'`;

const UPDATE = sql`update payouts
  set status = $status, cancelled = $cancelled, transaction_hash = $transactionHash, failure_reason = $failureReason, update_date = $now,
      proof_status = case when ${NAMES_ANOTHER} then null else proof_status end,
      proof_found = case when ${NAMES_ANOTHER} then null else proof_found end
  where merchant_id = $merchantId and id = $id`;

export async function updatePayout(
  transaction: Queryable,
  merchantId: string,
  id: string,
  change: Pick<Payout, "status" | "cancelled" | "transactionHash" | "failureReason">,
  now: Date,
): Promise<void> {
  await transaction.query(...statement(UPDATE, { ...change, merchantId, id, now }));
}

const INSERT_EVENT = sql`insert into payout_events (merchant_id, payout_id, ordinal, status, reason, date)
  values ($merchantId, $payoutId, $ordinal, $status, $reason, $now)`;

export async function insertPayoutEvent(
  transaction: Queryable,
  merchantId: string,
  payoutId: string,
  event: { ordinal: number; status: PayoutStatus; reason: string | null },
  now: Date,
): Promise<void> {
  await transaction.query(...statement(INSERT_EVENT, { ...event, merchantId, payoutId, now }));
}

// The campaign's figures change by what the participant's change. `before` reads the row as it was before the statement.
const UPDATE_BALANCE = sql`with before as (
      select p.payouts_open, p.payouts_confirmed
      from participants p
      where p.merchant_id = $merchantId and p.id = $participantId
    ), changed as (
      update participants
      set status = $status, payouts_open = $payoutsOpen, payouts_confirmed = $payoutsConfirmed,
          payouts_count = $payoutsCount, last_payout_failed = $lastPayoutFailed, update_date = $now
      where merchant_id = $merchantId and id = $participantId
    )
    update campaigns c
    set payouts_open = c.payouts_open + $payoutsOpen - before.payouts_open,
        payouts_confirmed = c.payouts_confirmed + $payoutsConfirmed - before.payouts_confirmed
    from before
    where c.merchant_id = $merchantId and c.id = $campaignId`;

/** Writes the participant's payout figures, the status that follows from them, and the campaign's figures. */
export async function updateBalance(
  transaction: Queryable,
  { merchantId, campaignId, participantId }: Owner,
  balance: Balance & { payoutsCount: number; status: ParticipantStatus },
  now: Date,
): Promise<void> {
  const { status, payoutsOpen, payoutsConfirmed, payoutsCount, lastPayoutFailed } = balance;
  await transaction.query(
    ...statement(UPDATE_BALANCE, {
      merchantId,
      campaignId,
      participantId,
      status,
      payoutsOpen,
      payoutsConfirmed,
      payoutsCount,
      lastPayoutFailed,
      now,
    }),
  );
}

export interface OwedRow {
  readonly participantId: string;
  readonly merchantUserId: string;
  readonly owed: bigint;
  readonly held: boolean;
  readonly receiver: Receiver | null;
  readonly isShared: boolean;
}

type OwedColumns = Omit<RowOf<OwedRow>, "receiver"> & {
  readonly receiverAddress: string | null;
  readonly receiverSetBy: Receiver["setBy"] | null;
};

/** The last participant that was read. */
export interface OwedPosition {
  readonly createDate: Date;
  readonly participantId: string;
}

const LIST_OWED = sql`select p.id as "participantId", p.merchant_user_id as "merchantUserId", p.create_date as "createDate", p.owed,
       p.held, p.receiver_address as "receiverAddress", p.receiver_set_by as "receiverSetBy", ${IS_SHARED} as "isShared", p.place
     from (
       select p.id, p.campaign_id, p.merchant_user_id, p.create_date, p.held, p.receiver_address, p.receiver_set_by,
              p.amount_matched - p.payouts_open - p.payouts_confirmed as owed,
              row_number() over (order by p.create_date, p.id) as place
       from participants p
       where p.merchant_id = $merchantId and p.campaign_id = $campaignId
         and (p.create_date, p.id) > ($date::timestamptz, $id::uuid)
         and p.create_date > '-infinity'
       order by p.create_date, p.id
       limit $count
     ) p
     where p.owed > 0 or p.place = $count
     order by p.create_date, p.id`;

/**
 * Those of the next participants, oldest first, that are owed something. The limit counts all participants: if nearly all
 * have been paid, a statement that looked for the next unpaid ones would read through the whole campaign.
 */
export async function listOwed(
  db: Queryable,
  { merchantId, id: campaignId, payoutChainId }: Pick<Campaign, "merchantId" | "id" | "payoutChainId">,
  after: OwedPosition | null,
  count: number,
): Promise<{ rows: OwedRow[]; next: OwedPosition | null }> {
  const date = after?.createDate.toISOString() ?? "-infinity";
  const id = after?.participantId ?? "00000000-0000-0000-0000-000000000000";
  const rows = await db.query<OwedColumns & OwedPosition & { place: number }>(
    ...statement(LIST_OWED, { merchantId, campaignId, payoutChainId, date, id, count }),
  );
  const last = rows.at(-1);
  return {
    rows: rows
      .map(({ receiverAddress, receiverSetBy, ...row }) => ({
        ...row,
        owed: BigInt(row.owed),
        receiver: toReceiver(receiverAddress, receiverSetBy),
      }))
      .filter(({ owed }) => owed > 0n),
    next: last?.place === count ? last : null,
  };
}
