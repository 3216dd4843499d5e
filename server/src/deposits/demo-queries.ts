import { sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";

export interface DemoBatch {
  readonly merchantId: string;
  /** The numbers of the deposits and users to make. Two batches of a merchant must not share any. */
  readonly firstDeposit: number;
  readonly deposits: number;
  readonly firstUser: number;
  readonly users: number;
  /** Deposits are made in the `days` before this date, most of them near it. */
  readonly until: Date;
  readonly days: number;
  readonly seed: number;
}

/**
 * Makes up deposits in one statement, with the figures and wallets of their users, which must be new. It bypasses ingest for
 * speed, so it must not run at the same time as ingest for one merchant.
 *
 * All random values are hashes of the deposit's number and the seed: the same call makes the same deposits.
 */
export async function insertDemoDeposits(db: Queryable, batch: DemoBatch): Promise<void> {
  await db.query(...statement(INSERT_DEMO_DEPOSITS, { ...batch }));
}

const INSERT_DEMO_DEPOSITS = sql`with dice as (
    select n,
           (hashint8extended(n, $seed) & 1048575) / 1048576.0::float8 as who,
           (hashint8extended(n, $seed + 1) & 1048575) / 1048576.0::float8 as age,
           (hashint8extended(n, $seed + 2) & 1048575) / 1048576.0::float8 as fate,
           (hashint8extended(n, $seed + 3) & 1048575) / 1048576.0::float8 as place,
           ((hashint8extended(n, $seed + 4) & 1048575) + (hashint8extended(n, $seed + 5) & 1048575)
             + (hashint8extended(n, $seed + 6) & 1048575)) / 1048576.0::float8 - 1.5 as size
    from generate_series($firstDeposit::bigint, $firstDeposit::bigint + $deposits::bigint - 1) as n
  ), drawn as (
    select n, fate,
           md5($merchantId || '/' || ($firstUser::bigint + floor($users::bigint * who * who)::bigint)::text) as person,
           $until::timestamptz - make_interval(secs => floor($days::float8 * 86400000 * age * age) / 1000) as create_date,
           case when place < 0.48 then 8453 when place < 0.62 then 1 when place < 0.74 then 42161
                when place < 0.84 then 137 when place < 0.90 then 10 else 792703809 end as chain_id,
           (round(exp(4.4 + 1.9 * size)::numeric, 2) * 1000000)::numeric(21, 0) as amount_micros
    from dice
  ), made as (
    insert into deposits
      (merchant_id, id, user_id, status, amount_micros, chain_id, token_symbol, token_address, wallet_address, wallet_key,
       create_date, update_date)
    select $merchantId::uuid, 'dep_' || substr(md5($merchantId || n::text), 1, 20),
           overlay(overlay(person placing '4' from 13) placing '8' from 17)::uuid,
           case when create_date > $until::timestamptz - interval '6 hours' and fate < 0.5 then 'pending'
                when fate > 0.94 then 'failed' else 'completed' end,
           amount_micros, chain_id, token.symbol, token.address, wallet.address,
           case when wallet.address like '0x%' then lower(wallet.address) else wallet.address end,
           date_trunc('milliseconds', create_date),
           date_trunc('milliseconds', create_date + make_interval(secs => 20 + 600 * fate))
    from drawn
    cross join lateral (
      select case when chain_id = 792703809
                  then substr(translate(encode(sha256(person::bytea), 'base64'), '+/0OIl=', 'xyz1abc'), 1, 44)
                  else '0x' || substr(encode(sha256(person::bytea), 'hex'), 1, 40) end as address
    ) wallet
    join (values
      (8453, 'USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
      (1, 'USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
      (42161, 'USDC', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
      (137, 'USDC', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
      (10, 'USDC', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
      (792703809, 'USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
    ) as token (chain, symbol, address) on token.chain = drawn.chain_id
    returning user_id, status, amount_micros, chain_id, wallet_address, wallet_key, create_date
  ), wallets as (
    insert into deposit_wallets (merchant_id, user_id, wallet_key, chain_id, wallet_address, first_deposit_date)
    select $merchantId::uuid, user_id, wallet_key, chain_id, min(wallet_address), min(create_date)
    from made
    group by user_id, wallet_key, chain_id
    returning user_id
  ), days as (
    insert into deposit_days as d (day, shard, pending_count, completed_count, failed_count, completed_micros)
    select (create_date at time zone 'UTC')::date, 0,
           count(*) filter (where status = 'pending'),
           count(*) filter (where status = 'completed'),
           count(*) filter (where status = 'failed'),
           coalesce(sum(amount_micros) filter (where status = 'completed'), 0)
    from made
    group by 1
    order by 1
    on conflict (day, shard) do update
    set pending_count = d.pending_count + excluded.pending_count,
        completed_count = d.completed_count + excluded.completed_count,
        failed_count = d.failed_count + excluded.failed_count,
        completed_micros = d.completed_micros + excluded.completed_micros
  )
  insert into deposit_users
    (merchant_id, user_id, pending_count, pending_micros, completed_count, completed_micros, failed_count, failed_micros,
     first_deposit_date, last_deposit_date, wallet_count)
  select $merchantId::uuid, user_id,
         count(*) filter (where status = 'pending'),
         coalesce(sum(amount_micros) filter (where status = 'pending'), 0),
         count(*) filter (where status = 'completed'),
         coalesce(sum(amount_micros) filter (where status = 'completed'), 0),
         count(*) filter (where status = 'failed'),
         coalesce(sum(amount_micros) filter (where status = 'failed'), 0),
         min(create_date), max(create_date), min(owned.count)
  from made
  join (select user_id, count(*) as count from wallets group by user_id) owned using (user_id)
  group by user_id`;

/** After so many inserts PostgreSQL's statistics are out of date. */
export async function analyzeDeposits(db: Queryable): Promise<void> {
  await db.query("analyze deposits, deposit_users, deposit_wallets");
}
