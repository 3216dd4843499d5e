import { sql, statement } from "../../../db/compose.ts";
import type { Queryable } from "../../../db/pool.ts";
import type { RowOf } from "../../../db/rows.ts";
import { CHAIN_CONFIRMED_SINCE_MS } from "../../../limits.ts";
import type { ChainTransaction, Claim, FoundTransfer, ProofStatus, Receipt } from "./record.ts";

// Another date than before, always: a look that is in progress must not end this one. See updateLook.
const SOON = sql`greatest(excluded.next_look_date, chain_transactions.next_look_date + interval '1 ms')`;

// Rows that another transaction changes right now are left for the next look, so that this never waits for a payout while it
// holds others. The native token has the zero address and no events.
const TAKE_NEW = sql`with fresh as materialized (
      select o.merchant_id, o.id, lower(o.transaction_hash) as hash
      from payouts o
      where o.chain_id = $chainId and o.proof_status is null and o.transaction_hash is not null
        and (o.status = 'SUBMITTED' or o.status = 'CONFIRMED' and o.update_date > $confirmedAfter)
        and o.transaction_hash ~* '^0x[0-9a-f]{64}$' and o.token_address ~* '^0x[0-9a-f]{40}$'
        and o.token_address !~ '^0x0{40}$'
      limit $count
      for no key update skip locked
    ), marked as (
      update payouts o
      set proof_status = 'PENDING'
      from fresh
      where o.merchant_id = fresh.merchant_id and o.id = fresh.id
    ), named as (
      insert into chain_transactions (chain_id, hash, next_look_date, confirmations, create_date)
      select distinct $chainId::bigint, fresh.hash, $now::timestamptz, 0, $now::timestamptz
      from fresh
      on conflict (chain_id, hash) do update set next_look_date = ${SOON}
    )
    select count(*)::integer as count from fresh`;

/**
 * Marks payouts that name a transaction and were not looked up yet, and plans a look at it. Returns how many there were. Of those
 * that a person confirmed, the latest: the payouts of years before CHAIN_RPC_URLS was set are left alone.
 */
export async function takeNewPayouts(db: Queryable, chainId: number, now: Date, count: number): Promise<number> {
  const confirmedAfter = new Date(now.getTime() - CHAIN_CONFIRMED_SINCE_MS);
  const [row] = await db.query<{ count: number }>(...statement(TAKE_NEW, { chainId, now, confirmedAfter, count }));
  return row?.count ?? 0;
}

const LIST_DUE = sql`select t.hash, t.block_hash as "blockHash", t.next_look_date as "lookDate", t.create_date as "createDate"
  from chain_transactions t
  where t.chain_id = $chainId and t.next_look_date <= $now
  order by t.next_look_date
  limit $count`;

export async function listDueTransactions(
  db: Queryable,
  chainId: number,
  now: Date,
  count: number,
): Promise<ChainTransaction[]> {
  return db.query<ChainTransaction>(...statement(LIST_DUE, { chainId, now, count }));
}

export interface Look {
  readonly blockNumber: number | null;
  readonly blockHash: string | null;
  readonly confirmations: number;
  /** Null: the transaction is final. */
  readonly nextLookDate: Date | null;
}

const UPDATE_LOOK = sql`update chain_transactions
  set block_number = $blockNumber, block_hash = $blockHash, confirmations = $confirmations,
      next_look_date = case when next_look_date = $lookDate then $nextLookDate::timestamptz else next_look_date end
  where chain_id = $chainId and hash = $hash`;

/** If a payout named the transaction since this look began, the look that was planned for that stays. */
export async function updateLook(
  db: Queryable,
  chainId: number,
  { hash, lookDate }: ChainTransaction,
  look: Look,
): Promise<void> {
  await db.query(...statement(UPDATE_LOOK, { ...look, chainId, hash, lookDate }));
}

const POSTPONE = sql`update chain_transactions
  set next_look_date = $nextLookDate
  where chain_id = $chainId and hash = $hash and next_look_date = $lookDate`;

export async function postponeLook(
  db: Queryable,
  chainId: number,
  { hash, lookDate }: ChainTransaction,
  nextLookDate: Date,
): Promise<void> {
  await db.query(...statement(POSTPONE, { chainId, hash, lookDate, nextLookDate }));
}

const CLAIM = sql`o.merchant_id as "merchantId", o.id as "payoutId", o.campaign_id as "campaignId",
  o.participant_id as "participantId", o.run_id as "runId", o.status, o.proof_status as "proofStatus",
  o.transaction_hash as "transactionHash", o.token_address as "tokenAddress", o.recipient_address as "recipientAddress",
  o.amount, o.create_date as "createDate"`;

// A payout that is proven has its event already. One that a person failed is looked at one time, because the chain may have paid it. Rows
// of runs that were submitted with several transactions name none of them; only those that this one could have paid are read.
const LIST_CLAIMS = sql`select *
  from (
    select ${CLAIM}
    from payouts o
    where o.chain_id = $chainId and o.transaction_hash is not null and lower(o.transaction_hash) = $hash
      and (o.status in ('SUBMITTED', 'CONFIRMED') and o.proof_status is distinct from 'PROVEN'
           or o.status = 'FAILED' and o.proof_status = 'PENDING')
    union all
    select ${CLAIM}
    from payout_run_transactions t
    join payouts o on o.merchant_id = t.merchant_id and o.run_id = t.run_id
    where t.chain_id = $chainId and t.hash = $hash and o.transaction_hash is null
      and (o.status in ('SUBMITTED', 'CONFIRMED') or o.status = 'FAILED' and o.proof_status = 'PENDING')
      and lower(o.recipient_address) = any($receivers::text[])
  ) o
  order by o."createDate", o."payoutId"`;

/** The payouts that say this transaction paid them, in the order in which they were made. */
export async function listClaims(
  db: Queryable,
  chainId: number,
  hash: string,
  { transfers }: Receipt,
): Promise<Claim[]> {
  const receivers = [...new Set(transfers.map(({ recipientAddress }) => recipientAddress))];
  const rows = await db.query<RowOf<Claim>>(...statement(LIST_CLAIMS, { chainId, hash, receivers }));
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

const LOCK_CAMPAIGNS = sql`select c.id
  from campaigns c
  join unnest($merchantIds::uuid[], $ids::uuid[]) as given (merchant_id, id)
    on given.merchant_id = c.merchant_id and given.id = c.id
  order by c.merchant_id, c.id
  for no key update of c`;

/** In the order of all that lock several: one transaction may have paid for campaigns of several merchants. */
export async function lockCampaignsOf(
  transaction: Queryable,
  claims: readonly Pick<Claim, "merchantId" | "campaignId">[],
): Promise<void> {
  const keys = [...new Map(claims.map((claim) => [claim.campaignId, claim])).values()];
  const merchantIds = keys.map(({ merchantId }) => merchantId);
  const ids = keys.map(({ campaignId }) => campaignId);
  await transaction.query(...statement(LOCK_CAMPAIGNS, { merchantIds, ids }));
}

const LIST_USED = sql`select p.log_index as "logIndex"
  from payout_proofs p
  where p.chain_id = $chainId and p.transaction_hash = $hash`;

/** The events of a transaction that prove a payout already. */
export async function listUsedEvents(db: Queryable, chainId: number, hash: string): Promise<Set<number>> {
  const rows = await db.query<{ logIndex: number }>(...statement(LIST_USED, { chainId, hash }));
  return new Set(rows.map(({ logIndex }) => logIndex));
}

/** What was found about one payout. */
export interface Verdict {
  readonly merchantId: string;
  readonly payoutId: string;
  readonly proofStatus: ProofStatus | null;
  readonly found: FoundTransfer | null;
}

// A row that no transaction was named for now names the one that paid it.
const STORE_VERDICTS = sql`with given as materialized (
      select *
      from json_to_recordset($verdicts::json) as given
        (merchant_id uuid, payout_id uuid, proof_status text, found jsonb, log_index bigint)
    ), proven as (
      insert into payout_proofs
        (chain_id, transaction_hash, log_index, merchant_id, payout_id, block_number, block_hash, date)
      select $chainId::bigint, $hash::text, given.log_index, given.merchant_id, given.payout_id, $blockNumber::bigint,
             $blockHash::text, $now::timestamptz
      from given
      where given.proof_status = 'PROVEN'
    )
    update payouts o
    set proof_status = given.proof_status, proof_found = given.found,
        transaction_hash = case
          when given.proof_status = 'PROVEN' then coalesce(o.transaction_hash, $hash::text)
          else o.transaction_hash
        end
    from given
    where o.merchant_id = given.merchant_id and o.id = given.payout_id`;

/** Called with the campaigns of the payouts locked. An event that proves another payout already fails the transaction. */
export async function storeVerdicts(
  transaction: Queryable,
  chainId: number,
  hash: string,
  { blockNumber, blockHash }: Receipt,
  verdicts: readonly Verdict[],
  now: Date,
): Promise<void> {
  const rows = verdicts.map(({ merchantId, payoutId, proofStatus, found }) => ({
    merchant_id: merchantId,
    payout_id: payoutId,
    proof_status: proofStatus,
    found,
    log_index: found?.logIndex ?? null,
  }));
  await transaction.query(
    ...statement(STORE_VERDICTS, { verdicts: JSON.stringify(rows), chainId, hash, blockNumber, blockHash, now }),
  );
}

const CLOSE_RUNS = sql`update payouts o
  set proof_status = case when o.status = 'FAILED' then null else 'MISMATCH' end, proof_found = null
  from payout_run_transactions t
  where t.chain_id = $chainId and t.hash = $hash and o.merchant_id = t.merchant_id and o.run_id = t.run_id
    and o.transaction_hash is null and o.proof_status = 'PENDING'
    and not exists (
      select
      from payout_run_transactions other
      join chain_transactions c on c.chain_id = other.chain_id and c.hash = other.hash
      where other.merchant_id = t.merchant_id and other.run_id = t.run_id and c.next_look_date is not null
    )`;

/** Of runs with several transactions, once all of them are final: rows that none of them paid. A failed one is as it should be. */
export async function markUnpaidRows(transaction: Queryable, chainId: number, hash: string): Promise<void> {
  await transaction.query(...statement(CLOSE_RUNS, { chainId, hash }));
}

const NAME_TRANSACTIONS = sql`with given as materialized (
      select distinct lower(hash) as hash from unnest($hashes::text[]) as given (hash)
    ), listed as (
      insert into payout_run_transactions (merchant_id, run_id, chain_id, hash)
      select $merchantId::uuid, $runId::uuid, $chainId::bigint, given.hash
      from given
      on conflict (merchant_id, run_id, hash) do nothing
      returning hash
    ), planned as (
      insert into chain_transactions (chain_id, hash, next_look_date, confirmations, create_date)
      select $chainId::bigint, listed.hash, $now::timestamptz, 0, $now::timestamptz
      from listed
      on conflict (chain_id, hash) do update set next_look_date = ${SOON}
    )
    select count(*)::integer as count from listed`;

const AWAIT_ROWS = sql`update payouts
  set proof_status = 'PENDING', proof_found = null
  where merchant_id = $merchantId and run_id = $runId and status = 'SUBMITTED' and transaction_hash is null`;

/** Adds transactions of a run, any of which may have paid its rows. Returns how many are new. */
export async function nameTransactions(
  transaction: Queryable,
  { merchantId, runId, chainId }: { merchantId: string; runId: string; chainId: number },
  hashes: readonly string[],
  now: Date,
): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(
    ...statement(NAME_TRANSACTIONS, { merchantId, runId, chainId, hashes, now }),
  );
  await transaction.query(...statement(AWAIT_ROWS, { merchantId, runId }));
  return row?.count ?? 0;
}

export async function hasNamedTransactions(db: Queryable, merchantId: string, runId: string): Promise<boolean> {
  const rows = await db.query("select from payout_run_transactions where merchant_id = $1 and run_id = $2 limit 1", [
    merchantId,
    runId,
  ]);
  return rows.length > 0;
}

const COUNT_CHAINS = sql`select j.payload->>'chainId' as chain, case when j.last_error is null then 0 else j.attempts end as failures, (
      select count(*)
      from (
        select
        from chain_transactions t
        where t.chain_id = (j.payload->>'chainId')::bigint and t.next_look_date is not null
        limit $max
      ) t
    ) as waiting
  from outbox j
  where j.kind = $kind and j.next_attempt_date is not null`;

/** For each chain: how often in a row its node failed, and how many transactions are not final, counted up to `max`. */
export async function countChains(
  db: Queryable,
  kind: string,
  max: number,
): Promise<{ readonly chain: string; readonly failures: number; readonly waiting: number }[]> {
  return db.query(...statement(COUNT_CHAINS, { kind, max }));
}
