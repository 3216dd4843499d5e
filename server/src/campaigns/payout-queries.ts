import type { Queryable } from "../db/pool.ts";
import type { PayoutRecord } from "./participant.ts";
import type { ParticipantStatus, PayoutStatus, Standing } from "./status.ts";

/** Where a participant or a payout belongs. Plain reads: what is changed is locked afterwards, with its merchant. */
export interface Owner {
  readonly merchantId: string;
  readonly campaignId: string;
  readonly participantId: string;
}

interface OwnerRow {
  readonly merchant_id: string;
  readonly campaign_id: string;
  readonly participant_id: string;
}

const toOwner = (row: OwnerRow): Owner => ({
  merchantId: row.merchant_id,
  campaignId: row.campaign_id,
  participantId: row.participant_id,
});

export async function findOwnerOfParticipant(db: Queryable, participantId: string): Promise<Owner | null> {
  const [row] = await db.query<OwnerRow>(
    "select p.merchant_id, p.campaign_id, p.id as participant_id from participants p where p.id = $1",
    [participantId],
  );
  return row === undefined ? null : toOwner(row);
}

export async function findOwnerOfPayout(db: Queryable, payoutId: string): Promise<Owner | null> {
  const [row] = await db.query<OwnerRow>(
    "select o.merchant_id, o.campaign_id, o.participant_id from payouts o where o.id = $1",
    [payoutId],
  );
  return row === undefined ? null : toOwner(row);
}

interface PayoutRow {
  readonly id: string;
  readonly ordinal: number;
  readonly status: PayoutStatus;
  readonly amount: string;
  readonly chain_id: number;
  readonly token_address: string;
  readonly recipient_address: string;
  readonly transaction_hash: string | null;
  readonly failure_reason: string | null;
  readonly create_date: Date;
  readonly update_date: Date;
  readonly status_history: readonly { status: PayoutStatus; date: string; reason: string | null }[];
}

export type StoredPayout = PayoutRecord & { readonly ordinal: number };

function toPayout(row: PayoutRow): StoredPayout {
  return {
    id: row.id,
    ordinal: row.ordinal,
    status: row.status,
    amount: row.amount,
    chainId: row.chain_id,
    tokenAddress: row.token_address,
    recipientAddress: row.recipient_address,
    transactionHash: row.transaction_hash,
    failureReason: row.failure_reason,
    createDate: row.create_date.toISOString(),
    updateDate: row.update_date.toISOString(),
    statusHistory: row.status_history,
  };
}

const SELECT = `select o.id, o.ordinal, o.status, o.amount, o.chain_id, o.token_address, o.recipient_address, o.transaction_hash,
  o.failure_reason, o.create_date, o.update_date, (
    select json_agg(json_build_object('status', e.status, 'date', e.date, 'reason', e.reason) order by e.ordinal)
    from payout_events e
    where e.merchant_id = o.merchant_id and e.payout_id = o.id
  ) as status_history
  from payouts o`;
const FIND = `${SELECT} where o.merchant_id = $1 and o.id = $2`;
const FIND_BY_KEY = `${SELECT} where o.merchant_id = $1 and o.participant_id = $2 and o.idempotency_key = $3`;

export async function findPayout(db: Queryable, merchantId: string, id: string): Promise<StoredPayout | null> {
  const [row] = await db.query<PayoutRow>(FIND, [merchantId, id]);
  return row === undefined ? null : toPayout(row);
}

export async function findPayoutByIdempotencyKey(
  db: Queryable,
  { merchantId, participantId }: Owner,
  idempotencyKey: string,
): Promise<StoredPayout | null> {
  const [row] = await db.query<PayoutRow>(FIND_BY_KEY, [merchantId, participantId, idempotencyKey]);
  return row === undefined ? null : toPayout(row);
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

export async function insertPayout(transaction: Queryable, owner: Owner, payout: NewPayout, now: Date): Promise<void> {
  await transaction.query(
    `insert into payouts
       (merchant_id, id, campaign_id, participant_id, ordinal, status, amount, chain_id, token_address, recipient_address,
        idempotency_key, create_date, update_date)
     values ($1, $2, $3, $4, $5, 'PENDING', $6, $7, $8, $9, $10, $11, $11)`,
    [
      owner.merchantId,
      payout.id,
      owner.campaignId,
      owner.participantId,
      payout.ordinal,
      payout.amount,
      payout.chainId,
      payout.tokenAddress,
      payout.recipientAddress,
      payout.idempotencyKey,
      now,
    ],
  );
}

export async function updatePayout(
  transaction: Queryable,
  merchantId: string,
  id: string,
  change: { status: PayoutStatus; transactionHash: string | null; failureReason: string | null },
  now: Date,
): Promise<void> {
  await transaction.query(
    `update payouts set status = $3, transaction_hash = $4, failure_reason = $5, update_date = $6
     where merchant_id = $1 and id = $2`,
    [merchantId, id, change.status, change.transactionHash, change.failureReason, now],
  );
}

export async function insertPayoutEvent(
  transaction: Queryable,
  merchantId: string,
  payoutId: string,
  event: { ordinal: number; status: PayoutStatus; reason: string | null },
  now: Date,
): Promise<void> {
  await transaction.query(
    "insert into payout_events (merchant_id, payout_id, ordinal, status, reason, date) values ($1, $2, $3, $4, $5, $6)",
    [merchantId, payoutId, event.ordinal, event.status, event.reason, now],
  );
}

/** What the participant's payouts make of it. */
export async function updateStanding(
  transaction: Queryable,
  { merchantId, participantId }: Owner,
  standing: Standing & { payoutsCount: number; status: ParticipantStatus },
  now: Date,
): Promise<void> {
  await transaction.query(
    `update participants
     set status = $3, payouts_open = $4, payouts_confirmed = $5, payouts_count = $6, last_payout_failed = $7, update_date = $8
     where merchant_id = $1 and id = $2`,
    [
      merchantId,
      participantId,
      standing.status,
      standing.payoutsOpen,
      standing.payoutsConfirmed,
      standing.payoutsCount,
      standing.lastPayoutFailed,
      now,
    ],
  );
}

export interface OwedRow {
  readonly participantId: string;
  readonly merchantUserId: string;
  readonly owed: bigint;
  /** The participant's earliest-qualified wallet on the payout chain. */
  readonly receiver: string | null;
}

/** The participant after whom a list goes on. */
export interface OwedPosition {
  readonly createDate: Date;
  readonly participantId: string;
}

/**
 * Who is owed something among the next participants, oldest first. The limit counts participants, not those who are owed:
 * where nearly everybody has been paid, a statement would otherwise walk through them all.
 */
export async function listOwed(
  db: Queryable,
  merchantId: string,
  campaignId: string,
  payoutChainId: number,
  after: OwedPosition | null,
  count: number,
): Promise<{ rows: OwedRow[]; next: OwedPosition | null }> {
  const rows = await db.query<{
    id: string;
    merchant_user_id: string;
    create_date: Date;
    owed: string;
    place: number;
    receiver: string | null;
  }>(
    `select p.id, p.merchant_user_id, p.create_date, p.owed, p.place, (
       select q.address
       from participant_wallets w
       cross join lateral (
         select q.address, q.qualified_date
         from qualified_wallets q
         where q.merchant_id = w.merchant_id and q.campaign_id = w.campaign_id and q.address_key = w.address_key
           and q.chain_id = w.chain_id
         limit 1
       ) q
       where w.merchant_id = $1 and w.participant_id = p.id and w.chain_id = $6
       order by q.qualified_date, w.ordinal
       limit 1
     ) as receiver
     from (
       select p.id, p.merchant_user_id, p.create_date, p.amount_matched - p.payouts_open - p.payouts_confirmed as owed,
              row_number() over (order by p.create_date, p.id) as place
       from participants p
       where p.merchant_id = $1 and p.campaign_id = $2 and (p.create_date, p.id) > ($3::timestamptz, $4::uuid)
         and p.create_date > '-infinity'
       order by p.create_date, p.id
       limit $5
     ) p
     where p.owed > 0 or p.place = $5
     order by p.create_date, p.id`,
    [
      merchantId,
      campaignId,
      after?.createDate.toISOString() ?? "-infinity",
      after?.participantId ?? "00000000-0000-0000-0000-000000000000",
      count,
      payoutChainId,
    ],
  );
  const last = rows.at(-1);
  return {
    rows: rows
      .map((row) => ({
        participantId: row.id,
        merchantUserId: row.merchant_user_id,
        owed: BigInt(row.owed),
        receiver: row.receiver,
      }))
      .filter(({ owed }) => owed > 0n),
    next: last?.place === count ? { createDate: last.create_date, participantId: last.id } : null,
  };
}
