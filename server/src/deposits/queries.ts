import { addressKey } from "../chains.ts";
import type { Queryable } from "../db/pool.ts";
import type { Deposit, DepositStatus } from "./merge.ts";
import type { UserDelta, UserWallet } from "./rollups.ts";

// What ingest locks and writes, in this order: guards, deposits, users, wallets, and then qualification. Each statement
// takes its rows in one fixed order, so two batches never wait for each other in a circle.

/** Keeps campaigns of these merchants from being created or moved until the transaction ends. Others may share it. */
export async function shareMerchantGuards(transaction: Queryable, merchantIds: readonly string[]): Promise<void> {
  if ((await shareExistingGuards(transaction, merchantIds)).length === new Set(merchantIds).size) return;
  await insertGuards(transaction, merchantIds);
  await shareExistingGuards(transaction, merchantIds);
}

/** Keeps deposits of this merchant from being stored until the transaction ends. */
export async function takeMerchantGuard(transaction: Queryable, merchantId: string): Promise<void> {
  await insertGuards(transaction, [merchantId]);
  await transaction.query("select merchant_id from merchant_guards where merchant_id = $1 for update", [merchantId]);
}

/** Those of the merchants that have a guard already, which is now shared. */
export async function shareExistingGuards(transaction: Queryable, merchantIds: readonly string[]): Promise<string[]> {
  const rows = await transaction.query<{ merchant_id: string }>(
    "select merchant_id from merchant_guards where merchant_id = any ($1::uuid[]) order by merchant_id for share",
    [merchantIds],
  );
  return rows.map((row) => row.merchant_id);
}

async function insertGuards(transaction: Queryable, merchantIds: readonly string[]): Promise<void> {
  await transaction.query(
    `insert into merchant_guards (merchant_id)
     select distinct id from unnest($1::uuid[]) as given (id) order by id
     on conflict (merchant_id) do nothing`,
    [merchantIds],
  );
}

/** Those of the merchants that were approved once. A suspended one still gets its deposits reported. */
export async function listApprovedMerchants(db: Queryable, merchantIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    "select id from merchants where id = any ($1::uuid[]) and status in ('ACTIVE', 'SUSPENDED')",
    [merchantIds],
  );
  return rows.map((row) => row.id);
}

export interface DepositKey {
  readonly merchantId: string;
  readonly id: string;
}

/**
 * Stores those that are new, and says which. Waits for whoever is storing one of them at this moment. The order is that of
 * time, which never changes for a deposit and lets the indexes by date grow at their end.
 */
export async function insertDeposits(transaction: Queryable, deposits: readonly Deposit[]): Promise<DepositKey[]> {
  return transaction.query<DepositKey>(
    `insert into deposits
       (merchant_id, id, user_id, status, amount_micros, chain_id, token_symbol, token_address, wallet_address, wallet_key,
        create_date, update_date)
     select given.merchant_id, given.id, given.user_id, given.status, given.amount_micros, given.chain_id,
            given.token_symbol, given.token_address, given.wallet_address, given.wallet_key, given.create_date,
            given.update_date
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::numeric[], $6::bigint[], $7::text[], $8::text[],
                 $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[])
       as given (merchant_id, id, user_id, status, amount_micros, chain_id, token_symbol, token_address, wallet_address,
                 wallet_key, create_date, update_date)
     order by given.merchant_id, given.create_date, given.id collate "C"
     on conflict (merchant_id, id) do nothing
     returning merchant_id as "merchantId", id`,
    [
      deposits.map((deposit) => deposit.merchantId),
      deposits.map((deposit) => deposit.id),
      deposits.map((deposit) => deposit.userId),
      deposits.map((deposit) => deposit.status),
      deposits.map((deposit) => deposit.amountMicros.toString()),
      deposits.map((deposit) => deposit.chainId),
      deposits.map((deposit) => deposit.tokenSymbol),
      deposits.map((deposit) => deposit.tokenAddress),
      deposits.map((deposit) => deposit.walletAddress),
      deposits.map((deposit) => addressKey(deposit.walletAddress)),
      deposits.map((deposit) => deposit.createDate.toISOString()),
      deposits.map((deposit) => deposit.updateDate.toISOString()),
    ],
  );
}

export async function lockDeposits(transaction: Queryable, keys: readonly DepositKey[]): Promise<void> {
  await transaction.query(
    `select 1
     from deposits d
     join unnest($1::uuid[], $2::text[]) as given (merchant_id, id)
       on d.merchant_id = given.merchant_id and d.id = given.id
     order by d.merchant_id, d.id
     for update of d`,
    [keys.map((key) => key.merchantId), keys.map((key) => key.id)],
  );
}

export interface DepositRow {
  readonly merchant_id: string;
  readonly id: string;
  readonly user_id: string;
  readonly status: DepositStatus;
  readonly amount_micros: string;
  readonly chain_id: number;
  readonly token_symbol: string;
  readonly token_address: string;
  readonly wallet_address: string;
  readonly create_date: Date;
  readonly update_date: Date;
}

export const DEPOSIT_COLUMNS = `d.merchant_id, d.id, d.user_id, d.status, d.amount_micros, d.chain_id, d.token_symbol,
  d.token_address, d.wallet_address, d.create_date, d.update_date`;

const FIND_DEPOSITS = `select ${DEPOSIT_COLUMNS}
  from deposits d
  join unnest($1::uuid[], $2::text[]) as given (merchant_id, id) on d.merchant_id = given.merchant_id and d.id = given.id`;

/** To be read in a statement of its own after `lockDeposits`: a wait for a lock does not refresh a statement's snapshot. */
export async function findDeposits(db: Queryable, keys: readonly DepositKey[]): Promise<Deposit[]> {
  const rows = await db.query<DepositRow>(FIND_DEPOSITS, [
    keys.map((key) => key.merchantId),
    keys.map((key) => key.id),
  ]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    id: row.id,
    userId: row.user_id,
    status: row.status,
    amountMicros: BigInt(row.amount_micros),
    chainId: row.chain_id,
    tokenSymbol: row.token_symbol,
    tokenAddress: row.token_address,
    walletAddress: row.wallet_address,
    createDate: row.create_date,
    updateDate: row.update_date,
  }));
}

/** Writes what can change of deposits that are locked. */
export async function updateDeposits(transaction: Queryable, deposits: readonly Deposit[]): Promise<void> {
  await transaction.query(
    `update deposits d
     set status = given.status, amount_micros = given.amount_micros, update_date = given.update_date
     from unnest($1::uuid[], $2::text[], $3::text[], $4::numeric[], $5::timestamptz[])
       as given (merchant_id, id, status, amount_micros, update_date)
     where d.merchant_id = given.merchant_id and d.id = given.id`,
    [
      deposits.map((deposit) => deposit.merchantId),
      deposits.map((deposit) => deposit.id),
      deposits.map((deposit) => deposit.status),
      deposits.map((deposit) => deposit.amountMicros.toString()),
      deposits.map((deposit) => deposit.updateDate.toISOString()),
    ],
  );
}

/** False when a user's figures would fall below zero, which means that they had drifted from the deposits. */
export async function addToUsers(transaction: Queryable, deltas: readonly UserDelta[]): Promise<boolean> {
  const rows = await transaction.query<{ sound: boolean }>(
    `insert into deposit_users as u
       (merchant_id, user_id, pending_count, pending_micros, completed_count, completed_micros, failed_count, failed_micros,
        first_deposit_date, last_deposit_date)
     select given.merchant_id, given.user_id, given.pending_count, given.pending_micros, given.completed_count,
            given.completed_micros, given.failed_count, given.failed_micros, given.first_deposit_date,
            given.last_deposit_date
     from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::numeric[], $5::bigint[], $6::numeric[], $7::bigint[],
                 $8::numeric[], $9::timestamptz[], $10::timestamptz[])
       as given (merchant_id, user_id, pending_count, pending_micros, completed_count, completed_micros, failed_count,
                 failed_micros, first_deposit_date, last_deposit_date)
     order by given.merchant_id, given.user_id
     on conflict (merchant_id, user_id) do update
     set pending_count = u.pending_count + excluded.pending_count,
         pending_micros = u.pending_micros + excluded.pending_micros,
         completed_count = u.completed_count + excluded.completed_count,
         completed_micros = u.completed_micros + excluded.completed_micros,
         failed_count = u.failed_count + excluded.failed_count,
         failed_micros = u.failed_micros + excluded.failed_micros,
         first_deposit_date = least(u.first_deposit_date, excluded.first_deposit_date),
         last_deposit_date = greatest(u.last_deposit_date, excluded.last_deposit_date)
     returning least(u.pending_count, u.completed_count, u.failed_count) >= 0
       and least(u.pending_micros, u.completed_micros, u.failed_micros) >= 0 as sound`,
    [
      deltas.map((delta) => delta.merchantId),
      deltas.map((delta) => delta.userId),
      deltas.map((delta) => delta.pending.count),
      deltas.map((delta) => delta.pending.micros.toString()),
      deltas.map((delta) => delta.completed.count),
      deltas.map((delta) => delta.completed.micros.toString()),
      deltas.map((delta) => delta.failed.count),
      deltas.map((delta) => delta.failed.micros.toString()),
      deltas.map((delta) => delta.firstDepositDate.toISOString()),
      deltas.map((delta) => delta.lastDepositDate.toISOString()),
    ],
  );
  return rows.every((row) => row.sound);
}

/** Remembers wallets; of one already known the first spelling stays. */
export async function insertWallets(transaction: Queryable, wallets: readonly UserWallet[]): Promise<void> {
  await transaction.query(
    `insert into deposit_wallets (merchant_id, user_id, wallet_key, chain_id, wallet_address)
     select given.merchant_id, given.user_id, given.wallet_key, given.chain_id, given.wallet_address
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::text[])
       as given (merchant_id, user_id, wallet_key, chain_id, wallet_address)
     order by given.merchant_id, given.user_id, given.wallet_key, given.chain_id
     on conflict (merchant_id, user_id, wallet_key, chain_id) do nothing`,
    [
      wallets.map((wallet) => wallet.merchantId),
      wallets.map((wallet) => wallet.userId),
      wallets.map((wallet) => wallet.addressKey),
      wallets.map((wallet) => wallet.chainId),
      wallets.map((wallet) => wallet.address),
    ],
  );
}
