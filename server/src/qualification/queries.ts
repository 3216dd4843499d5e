// Every look-up is a subquery that names the whole key of an index. PostgreSQL keeps plans made while the tables were small,
// and a join would then read a whole table that is no longer small.
//
// Deposits of the same instant may spell an EVM address differently; the alphabetically first spelling is shown.
import type { Queryable } from "../db/pool.ts";
import type { WalletKey } from "./record.ts";

/** A row as it is stored, and as the deposits say it should be; null when none qualifies the wallet. */
export interface Qualified extends WalletKey {
  readonly campaignId: string;
  readonly stored: { readonly address: string; readonly date: Date };
  readonly derived: { readonly address: string; readonly date: Date } | null;
}

/**
 * Inserts what the wallets' deposits say where there is no row yet, and locks the rows that exist. `where false` changes
 * nothing, but we hold the row afterwards: inserted, or locked after a wait for another transaction, or inserted again if
 * that one deleted it. `do nothing` would not wait, and a row deleted meanwhile would be missing.
 */
export async function insertOrLockQualified(
  transaction: Queryable,
  merchantId: string,
  wallets: readonly WalletKey[],
): Promise<void> {
  await transaction.query(
    `insert into qualified_wallets (merchant_id, campaign_id, address_key, chain_id, address, qualified_date)
     select $1, c.id, w.address_key, w.chain_id, (
              select min(d.wallet_address)
              from deposits d
              where d.merchant_id = $1 and d.wallet_key = w.address_key and d.chain_id = w.chain_id
                and d.status = 'completed' and d.create_date = earliest.create_date
            ), earliest.create_date
     from (select distinct address_key, chain_id from unnest((select $2::text[]), (select $3::bigint[])) as given (address_key, chain_id)) w
     cross join campaigns c
     cross join lateral (
       select d.create_date
       from deposits d
       where d.merchant_id = $1 and d.wallet_key = w.address_key and d.chain_id = w.chain_id and d.status = 'completed'
         and d.create_date >= c.start_date and d.create_date <= c.end_date
       order by d.create_date
       limit 1
     ) earliest
     where c.merchant_id = $1
     order by w.address_key, w.chain_id, c.id
     on conflict (merchant_id, campaign_id, address_key, chain_id) do update set address = excluded.address where false`,
    [merchantId, wallets.map((wallet) => wallet.addressKey), wallets.map((wallet) => wallet.chainId)],
  );
}

/** Locks all rows of these wallets, also of those that may have lost their last deposit. */
export async function lockQualified(
  transaction: Queryable,
  merchantId: string,
  wallets: readonly WalletKey[],
): Promise<void> {
  await transaction.query(
    `select 1
     from (
       select w.address_key, w.chain_id, c.id as campaign_id
       from (select distinct address_key, chain_id from unnest((select $2::text[]), (select $3::bigint[])) as given (address_key, chain_id)) w
       cross join campaigns c
       where c.merchant_id = $1
       order by w.address_key, w.chain_id, c.id
     ) pair
     cross join lateral (
       select q.campaign_id
       from qualified_wallets q
       where q.merchant_id = $1 and q.campaign_id = pair.campaign_id and q.address_key = pair.address_key
         and q.chain_id = pair.chain_id
       limit 1
       for update
     ) q`,
    [merchantId, wallets.map((wallet) => wallet.addressKey), wallets.map((wallet) => wallet.chainId)],
  );
}

/** The rows of these wallets beside what their deposits say. Read them after the lock, in a statement of its own. */
export async function listQualified(
  transaction: Queryable,
  merchantId: string,
  wallets: readonly WalletKey[],
): Promise<Qualified[]> {
  const rows = await transaction.query<{
    campaign_id: string;
    address_key: string;
    chain_id: number;
    address: string;
    qualified_date: Date;
    derived_address: string | null;
    derived_date: Date | null;
  }>(
    `select q.campaign_id, q.address_key, q.chain_id, q.address, q.qualified_date, earliest.create_date as derived_date, (
              select min(d.wallet_address)
              from deposits d
              where d.merchant_id = $1 and d.wallet_key = q.address_key and d.chain_id = q.chain_id
                and d.status = 'completed' and d.create_date = earliest.create_date
            ) as derived_address
     from (select distinct address_key, chain_id from unnest((select $2::text[]), (select $3::bigint[])) as given (address_key, chain_id)) w
     cross join campaigns c
     cross join lateral (
       select q.*
       from qualified_wallets q
       where q.merchant_id = $1 and q.campaign_id = c.id and q.address_key = w.address_key and q.chain_id = w.chain_id
       limit 1
     ) q
     left join lateral (
       select d.create_date
       from deposits d
       where d.merchant_id = $1 and d.wallet_key = q.address_key and d.chain_id = q.chain_id and d.status = 'completed'
         and d.create_date >= c.start_date and d.create_date <= c.end_date
       order by d.create_date
       limit 1
     ) earliest on true
     where c.merchant_id = $1`,
    [merchantId, wallets.map((wallet) => wallet.addressKey), wallets.map((wallet) => wallet.chainId)],
  );
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    addressKey: row.address_key,
    chainId: row.chain_id,
    stored: { address: row.address, date: row.qualified_date },
    derived:
      row.derived_date === null || row.derived_address === null
        ? null
        : { address: row.derived_address, date: row.derived_date },
  }));
}

/** Sets locked rows to what their deposits say. `on conflict` finds each by its key, with any plan. */
export async function upsertQualified(
  transaction: Queryable,
  merchantId: string,
  rows: readonly Qualified[],
): Promise<void> {
  await transaction.query(
    `insert into qualified_wallets (merchant_id, campaign_id, address_key, chain_id, address, qualified_date)
     select $1, given.campaign_id, given.address_key, given.chain_id, given.address, given.qualified_date
     from unnest($2::uuid[], $3::text[], $4::bigint[], $5::text[], $6::timestamptz[])
       as given (campaign_id, address_key, chain_id, address, qualified_date)
     on conflict (merchant_id, campaign_id, address_key, chain_id) do update
     set address = excluded.address, qualified_date = excluded.qualified_date`,
    [
      merchantId,
      rows.map((row) => row.campaignId),
      rows.map((row) => row.addressKey),
      rows.map((row) => row.chainId),
      rows.map((row) => row.derived?.address ?? null),
      rows.map((row) => row.derived?.date.toISOString() ?? null),
    ],
  );
}

/** One row at a time: a completed deposit rarely fails later, and a join could read the whole table. */
export async function deleteQualified(transaction: Queryable, merchantId: string, row: Qualified): Promise<void> {
  await transaction.query(
    "delete from qualified_wallets where merchant_id = $1 and campaign_id = $2 and address_key = $3 and chain_id = $4",
    [merchantId, row.campaignId, row.addressKey, row.chainId],
  );
}

export async function deleteCampaignQualified(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
): Promise<void> {
  await transaction.query("delete from qualified_wallets where merchant_id = $1 and campaign_id = $2", [
    merchantId,
    campaignId,
  ]);
}

/** Inserts what the deposits of these wallets say about one campaign, and corrects existing rows. */
export async function deriveQualified(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
  wallets: readonly WalletKey[],
): Promise<void> {
  await transaction.query(
    `insert into qualified_wallets (merchant_id, campaign_id, address_key, chain_id, address, qualified_date)
     select $1, $2, w.address_key, w.chain_id, (
              select min(d.wallet_address)
              from deposits d
              where d.merchant_id = $1 and d.wallet_key = w.address_key and d.chain_id = w.chain_id
                and d.status = 'completed' and d.create_date = earliest.create_date
            ), earliest.create_date
     from unnest($3::text[], $4::bigint[]) as w (address_key, chain_id)
     cross join campaigns c
     cross join lateral (
       select d.create_date
       from deposits d
       where d.merchant_id = $1 and d.wallet_key = w.address_key and d.chain_id = w.chain_id
         and d.status = 'completed' and d.create_date >= c.start_date and d.create_date <= c.end_date
       order by d.create_date
       limit 1
     ) earliest
     where c.merchant_id = $1 and c.id = $2
     on conflict (merchant_id, campaign_id, address_key, chain_id) do update
     set address = excluded.address, qualified_date = excluded.qualified_date
     where (qualified_wallets.address, qualified_wallets.qualified_date)
       is distinct from (excluded.address, excluded.qualified_date)`,
    [merchantId, campaignId, wallets.map((wallet) => wallet.addressKey), wallets.map((wallet) => wallet.chainId)],
  );
}

/**
 * The next wallets that received a completed deposit of the merchant. Each step is one index look-up that skips all deposits
 * of the wallet before.
 */
export async function listDepositWallets(
  transaction: Queryable,
  merchantId: string,
  after: WalletKey,
  count: number,
): Promise<WalletKey[]> {
  const rows = await transaction.query<{ wallet_key: string; chain_id: number }>(
    `with recursive wallet (wallet_key, chain_id) as (
       select $2::text, $3::bigint
       union all
       select next.wallet_key, next.chain_id
       from wallet
       cross join lateral (
         select d.wallet_key, d.chain_id
         from deposits d
         where d.merchant_id = $1 and d.status = 'completed'
           and (d.wallet_key, d.chain_id) > (wallet.wallet_key, wallet.chain_id)
         order by d.wallet_key, d.chain_id
         limit 1
       ) next
     )
     select wallet_key, chain_id from wallet offset 1 limit $4`,
    [merchantId, after.addressKey, after.chainId, count],
  );
  return rows.map((row) => ({ addressKey: row.wallet_key, chainId: row.chain_id }));
}
