// Every look-up is a subquery that names the whole key of an index. PostgreSQL keeps plans made while the tables were small,
// and a join would then read a whole table that is no longer small.
//
// Deposits of the same instant may spell an EVM address differently; the alphabetically first spelling is shown.
import { run, sql } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import type { WalletKey } from "./record.ts";

const given = (wallets: readonly WalletKey[]) => sql`(
      select distinct address_key, chain_id
      from unnest((select ${wallets.map((wallet) => wallet.addressKey)}::text[]),
                  (select ${wallets.map((wallet) => wallet.chainId)}::bigint[])) as given (address_key, chain_id)
    ) w`;

// The first completed deposit into the wallet `w` in the window of the campaign `c`.
const earliest = (merchantId: string) => sql`(
      select d.create_date
      from deposits d
      where d.merchant_id = ${merchantId} and d.wallet_key = w.address_key and d.chain_id = w.chain_id
        and d.status = 'completed' and d.create_date >= c.start_date and d.create_date <= c.end_date
      order by d.create_date
      limit 1
    ) earliest`;

const spelling = (merchantId: string) => sql`(
      select min(d.wallet_address)
      from deposits d
      where d.merchant_id = ${merchantId} and d.wallet_key = w.address_key and d.chain_id = w.chain_id
        and d.status = 'completed' and d.create_date = earliest.create_date
    )`;

/** A stored row, and what the deposits say it should be: null when none qualifies the wallet. */
export interface Qualified extends WalletKey {
  readonly campaignId: string;
  readonly address: string;
  readonly date: Date;
  readonly derivedAddress: string | null;
  readonly derivedDate: Date | null;
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
  await run(
    transaction,
    sql`insert into qualified_wallets (merchant_id, campaign_id, address_key, chain_id, address, qualified_date)
    select ${merchantId}::uuid, c.id, w.address_key, w.chain_id, ${spelling(merchantId)}, earliest.create_date
    from ${given(wallets)}
    cross join campaigns c
    cross join lateral ${earliest(merchantId)}
    where c.merchant_id = ${merchantId}
    order by w.address_key, w.chain_id, c.id
    on conflict (merchant_id, campaign_id, address_key, chain_id) do update set address = excluded.address where false`,
  );
}

/** Locks all rows of these wallets, also of those that may have lost their last deposit. */
export async function lockQualified(
  transaction: Queryable,
  merchantId: string,
  wallets: readonly WalletKey[],
): Promise<void> {
  await run(
    transaction,
    sql`select 1
    from (
      select w.address_key, w.chain_id, c.id as campaign_id
      from ${given(wallets)}
      cross join campaigns c
      where c.merchant_id = ${merchantId}
      order by w.address_key, w.chain_id, c.id
    ) pair
    cross join lateral (
      select q.campaign_id
      from qualified_wallets q
      where q.merchant_id = ${merchantId} and q.campaign_id = pair.campaign_id and q.address_key = pair.address_key
        and q.chain_id = pair.chain_id
      limit 1
      for update
    ) q`,
  );
}

/** The rows of these wallets beside what their deposits say. Read them after the lock, in a statement of its own. */
export async function listQualified(
  transaction: Queryable,
  merchantId: string,
  wallets: readonly WalletKey[],
): Promise<Qualified[]> {
  return run<Qualified>(
    transaction,
    sql`select q.campaign_id as "campaignId", q.address_key as "addressKey", q.chain_id as "chainId", q.address,
      q.qualified_date as date, earliest.create_date as "derivedDate", ${spelling(merchantId)} as "derivedAddress"
    from ${given(wallets)}
    cross join campaigns c
    cross join lateral (
      select q.*
      from qualified_wallets q
      where q.merchant_id = ${merchantId} and q.campaign_id = c.id and q.address_key = w.address_key
        and q.chain_id = w.chain_id
      limit 1
    ) q
    left join lateral ${earliest(merchantId)} on true
    where c.merchant_id = ${merchantId}`,
  );
}

/** Sets locked rows to what their deposits say. `on conflict` finds each by its key, with any plan. */
export async function upsertQualified(
  transaction: Queryable,
  merchantId: string,
  rows: readonly Qualified[],
): Promise<void> {
  await run(
    transaction,
    sql`insert into qualified_wallets (merchant_id, campaign_id, address_key, chain_id, address, qualified_date)
    select ${merchantId}::uuid, given."campaignId", given."addressKey", given."chainId", given."derivedAddress",
      given."derivedDate"
    from json_to_recordset(${JSON.stringify(rows)}::json) as given
      ("campaignId" uuid, "addressKey" text, "chainId" bigint, "derivedAddress" text, "derivedDate" timestamptz)
    on conflict (merchant_id, campaign_id, address_key, chain_id) do update
    set address = excluded.address, qualified_date = excluded.qualified_date`,
  );
}

/** One row at a time: a completed deposit rarely fails later, and a join could read the whole table. */
export async function deleteQualified(transaction: Queryable, merchantId: string, row: Qualified): Promise<void> {
  await run(
    transaction,
    sql`delete from qualified_wallets
    where merchant_id = ${merchantId} and campaign_id = ${row.campaignId} and address_key = ${row.addressKey}
      and chain_id = ${row.chainId}`,
  );
}

export async function deleteCampaignQualified(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
): Promise<void> {
  await run(
    transaction,
    sql`delete from qualified_wallets where merchant_id = ${merchantId} and campaign_id = ${campaignId}`,
  );
}

/** Inserts what the deposits of these wallets say about one campaign, and corrects existing rows. */
export async function deriveQualified(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
  wallets: readonly WalletKey[],
): Promise<void> {
  await run(
    transaction,
    sql`insert into qualified_wallets (merchant_id, campaign_id, address_key, chain_id, address, qualified_date)
    select ${merchantId}::uuid, c.id, w.address_key, w.chain_id, ${spelling(merchantId)}, earliest.create_date
    from ${given(wallets)}
    cross join campaigns c
    cross join lateral ${earliest(merchantId)}
    where c.merchant_id = ${merchantId} and c.id = ${campaignId}
    on conflict (merchant_id, campaign_id, address_key, chain_id) do update
    set address = excluded.address, qualified_date = excluded.qualified_date
    where (qualified_wallets.address, qualified_wallets.qualified_date)
      is distinct from (excluded.address, excluded.qualified_date)`,
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
  return run<WalletKey>(
    transaction,
    sql`with recursive wallet (address_key, chain_id) as (
      select ${after.addressKey}::text, ${after.chainId}::bigint
      union all
      select next.wallet_key, next.chain_id
      from wallet
      cross join lateral (
        select d.wallet_key, d.chain_id
        from deposits d
        where d.merchant_id = ${merchantId} and d.status = 'completed'
          and (d.wallet_key, d.chain_id) > (wallet.address_key, wallet.chain_id)
        order by d.wallet_key, d.chain_id
        limit 1
      ) next
    )
    select address_key as "addressKey", chain_id as "chainId" from wallet offset 1 limit ${count}`,
  );
}
