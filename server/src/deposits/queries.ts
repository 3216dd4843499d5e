import { addressKey } from "@matchbook/addresses/chains";
import { arraysOf, sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import type { Deposit, DepositKey, StoredDeposit } from "./record.ts";
import type { DayDelta, UserDelta, UserWallet, WalletOwner } from "./rollups.ts";

// What ingest locks and writes, in this order: new deposits, known deposits, wallets, users, days, then the head of the audit log.
// The batch and its events are only added and take no locks.
// Each statement takes its rows in one fixed order, so two batches cannot deadlock. A batch goes as one array for each field.

/** The merchants among these that were ever approved. Deposits of a suspended merchant are still reported. */
export async function listApprovedMerchants(db: Queryable, merchantIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    "select id from merchants where id = any ($1::uuid[]) and status in ('ACTIVE', 'SUSPENDED')",
    [merchantIds],
  );
  return rows.map((row) => row.id);
}

/**
 * Stores the deposits that are new, and returns their keys. Waits for other transactions that are storing one of them. Rows
 * go in by key: by date, two batches that disagree about a deposit's date would wait for each other.
 */
export async function insertDeposits(
  transaction: Queryable,
  deposits: readonly Deposit[],
  batchId: string,
): Promise<DepositKey[]> {
  const rows = deposits.map((deposit) => ({ ...deposit, walletKey: addressKey(deposit.walletAddress) }));
  return transaction.query<DepositKey>(...statement(INSERT_DEPOSITS, { ...arraysOf(rows), batchId }));
}

const INSERT_DEPOSITS = sql`insert into deposits
    (merchant_id, id, user_id, status, amount_micros, chain_id, token_symbol, token_address, wallet_address, wallet_key,
     create_date, update_date, batch_id)
  select given.*, $batchId::uuid
  from unnest($merchantId::uuid[], $id::text[], $userId::uuid[], $status::text[], $amountMicros::numeric[],
              $chainId::bigint[], $tokenSymbol::text[], $tokenAddress::text[], $walletAddress::text[], $walletKey::text[],
              $createDate::timestamptz[], $updateDate::timestamptz[])
    as given (merchant_id, id, user_id, status, amount_micros, chain_id, token_symbol, token_address, wallet_address,
              wallet_key, create_date, update_date)
  order by given.merchant_id, given.id collate "C"
  on conflict (merchant_id, id) do nothing
  returning merchant_id as "merchantId", id`;

export const DEPOSITS_OF_KEYS = sql`from deposits d
  join unnest($merchantId::uuid[], $id::text[]) as given (merchant_id, id)
    on d.merchant_id = given.merchant_id and d.id = given.id`;

/** Returns the keys of those that exist. */
export async function lockDeposits(transaction: Queryable, keys: readonly DepositKey[]): Promise<DepositKey[]> {
  const lock = sql`select d.merchant_id as "merchantId", d.id ${DEPOSITS_OF_KEYS} order by d.merchant_id, d.id for update of d`;
  return transaction.query<DepositKey>(...statement(lock, arraysOf(keys)));
}

type DepositRow = Omit<StoredDeposit, "amountMicros"> & { readonly amountMicros: string };

export const DEPOSIT_COLUMNS = sql`d.merchant_id as "merchantId", d.id, d.user_id as "userId", d.status,
  d.amount_micros as "amountMicros", d.chain_id as "chainId", d.token_symbol as "tokenSymbol",
  d.token_address as "tokenAddress", d.wallet_address as "walletAddress", d.create_date as "createDate",
  d.update_date as "updateDate", d.reported_status as "reportedStatus"`;

function toDeposit(row: DepositRow): StoredDeposit {
  return { ...row, amountMicros: BigInt(row.amountMicros) };
}

/** Run this after `lockDeposits`, as its own statement: waiting for a lock does not refresh a statement's snapshot. */
export async function findDeposits(db: Queryable, keys: readonly DepositKey[]): Promise<StoredDeposit[]> {
  const list = sql`select ${DEPOSIT_COLUMNS} ${DEPOSITS_OF_KEYS}`;
  return (await db.query<DepositRow>(...statement(list, arraysOf(keys)))).map(toDeposit);
}

/** Writes the fields that can change. The deposits must be locked. */
export async function updateDeposits(transaction: Queryable, deposits: readonly StoredDeposit[]): Promise<void> {
  const update = sql`update deposits d
    set status = given.status, amount_micros = given.amount_micros, update_date = given.update_date,
        reported_status = given.reported_status
    from unnest($merchantId::uuid[], $id::text[], $status::text[], $amountMicros::numeric[], $updateDate::timestamptz[],
                $reportedStatus::text[])
      as given (merchant_id, id, status, amount_micros, update_date, reported_status)
    where d.merchant_id = given.merchant_id and d.id = given.id`;
  await transaction.query(...statement(update, arraysOf(deposits)));
}

/** False when a user's figures would fall below zero, which means that they no longer match the deposits. */
export async function addToUsers(transaction: Queryable, deltas: readonly UserDelta[]): Promise<boolean> {
  const rows = deltas.map(({ pending, completed, failed, ...delta }) => ({
    ...delta,
    pendingCount: pending.count,
    pendingMicros: pending.micros,
    completedCount: completed.count,
    completedMicros: completed.micros,
    failedCount: failed.count,
    failedMicros: failed.micros,
  }));
  const results = await transaction.query<{ sound: boolean }>(...statement(ADD_TO_USERS, arraysOf(rows)));
  return results.every(({ sound }) => sound);
}

const ADD_TO_USERS = sql`insert into deposit_users as u
    (merchant_id, user_id, pending_count, pending_micros, completed_count, completed_micros, failed_count, failed_micros,
     first_deposit_date, last_deposit_date, wallet_count)
  select given.*
  from unnest($merchantId::uuid[], $userId::uuid[], $pendingCount::bigint[], $pendingMicros::numeric[],
              $completedCount::bigint[], $completedMicros::numeric[], $failedCount::bigint[], $failedMicros::numeric[],
              $firstDepositDate::timestamptz[], $lastDepositDate::timestamptz[], $walletCount::bigint[])
    as given (merchant_id, user_id)
  order by given.merchant_id, given.user_id
  on conflict (merchant_id, user_id) do update
  set pending_count = u.pending_count + excluded.pending_count,
      pending_micros = u.pending_micros + excluded.pending_micros,
      completed_count = u.completed_count + excluded.completed_count,
      completed_micros = u.completed_micros + excluded.completed_micros,
      failed_count = u.failed_count + excluded.failed_count,
      failed_micros = u.failed_micros + excluded.failed_micros,
      first_deposit_date = least(u.first_deposit_date, excluded.first_deposit_date),
      last_deposit_date = greatest(u.last_deposit_date, excluded.last_deposit_date),
      wallet_count = u.wallet_count + excluded.wallet_count
  returning least(u.pending_count, u.completed_count, u.failed_count) >= 0
    and least(u.pending_micros, u.completed_micros, u.failed_micros) >= 0 as sound`;

/**
 * Stores wallets and returns the owners of those that are new, one for each. A known wallet keeps its first spelling; its date
 * becomes earlier if need be. Of two transactions that store one wallet, the second waits and finds it known, so the returned
 * wallets can be counted.
 */
export async function insertWallets(transaction: Queryable, wallets: readonly UserWallet[]): Promise<WalletOwner[]> {
  const rows = await transaction.query<WalletOwner & { isNew: boolean }>(
    ...statement(INSERT_WALLETS, arraysOf(wallets)),
  );
  return rows.filter(({ isNew }) => isNew);
}

// Known wallets whose date stays are left out first: a conflict locks its row, which writes to it. A row that a conflict updated
// has an xmax, a new one has none.
const INSERT_WALLETS = sql`insert into deposit_wallets as w
    (merchant_id, user_id, wallet_key, chain_id, wallet_address, first_deposit_date)
  select given.*
  from unnest($merchantId::uuid[], $userId::uuid[], $addressKey::text[], $chainId::bigint[], $address::text[],
              $firstDepositDate::timestamptz[])
    as given (merchant_id, user_id, wallet_key, chain_id, wallet_address, first_deposit_date)
  where not coalesce((
    select known.first_deposit_date <= given.first_deposit_date
    from deposit_wallets known
    where known.merchant_id = given.merchant_id and known.user_id = given.user_id and known.wallet_key = given.wallet_key
      and known.chain_id = given.chain_id
  ), false)
  order by given.merchant_id, given.user_id, given.wallet_key, given.chain_id
  on conflict (merchant_id, user_id, wallet_key, chain_id) do update
  set first_deposit_date = least(w.first_deposit_date, excluded.first_deposit_date)
  returning w.merchant_id as "merchantId", w.user_id as "userId", w.xmax = 0 as "isNew"`;

const ADD_TO_DAYS = sql`insert into deposit_days as d
    (day, shard, pending_count, completed_count, failed_count, completed_micros)
  select given.day, $shard::smallint, given.pending_count, given.completed_count, given.failed_count, given.completed_micros
  from unnest($day::date[], $pendingCount::bigint[], $completedCount::bigint[], $failedCount::bigint[],
              $completedMicros::numeric[])
    as given (day, pending_count, completed_count, failed_count, completed_micros)
  order by given.day
  on conflict (day, shard) do update
  set pending_count = d.pending_count + excluded.pending_count,
      completed_count = d.completed_count + excluded.completed_count,
      failed_count = d.failed_count + excluded.failed_count,
      completed_micros = d.completed_micros + excluded.completed_micros`;

/** Adds to one shard of each day. A batch takes any shard: only the sum over the shards means something. */
export async function addToDays(transaction: Queryable, deltas: readonly DayDelta[], shard: number): Promise<void> {
  await transaction.query(...statement(ADD_TO_DAYS, { ...arraysOf(deltas), shard }));
}
