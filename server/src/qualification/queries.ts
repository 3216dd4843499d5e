// Every look-up is a subquery that names the whole key of an index. PostgreSQL keeps plans made while the tables were small,
// and a join would then read a whole table that is no longer small.
//
// Deposits of the same instant may spell an EVM address differently; the alphabetically first spelling is shown.
import { sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import type { WalletKey } from "./record.ts";

const GIVEN = sql`(
    select distinct address_key, chain_id
    from unnest((select $addressKeys::text[]), (select $chainIds::bigint[])) as given (address_key, chain_id)
  ) w`;

const given = (wallets: readonly WalletKey[]) => ({
  addressKeys: wallets.map((wallet) => wallet.addressKey),
  chainIds: wallets.map((wallet) => wallet.chainId),
});

// The first completed deposit into the wallet `w` in the window of the campaign `c`.
const EARLIEST = sql`(
    select d.create_date
    from deposits d
    where d.merchant_id = $merchantId and d.wallet_key = w.address_key and d.chain_id = w.chain_id
      and d.status = 'completed' and d.create_date >= c.start_date and d.create_date <= c.end_date
    order by d.create_date
    limit 1
  ) earliest`;

const SPELLING = sql`(
    select min(d.wallet_address)
    from deposits d
    where d.merchant_id = $merchantId and d.wallet_key = w.address_key and d.chain_id = w.chain_id
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

const INSERT_OR_LOCK = sql`insert into qualified_wallets (merchant_id, campaign_id, address_key, chain_id, address, qualified_date)
  select $merchantId::uuid, c.id, w.address_key, w.chain_id, ${SPELLING}, earliest.create_date
  from ${GIVEN}
  cross join campaigns c
  cross join lateral ${EARLIEST}
  where c.merchant_id = $merchantId
  order by w.address_key, w.chain_id, c.id
  on conflict (merchant_id, campaign_id, address_key, chain_id) do update set address = excluded.address where false`;

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
  await transaction.query(...statement(INSERT_OR_LOCK, { ...given(wallets), merchantId }));
}

const LOCK = sql`select 1
  from (
    select w.address_key, w.chain_id, c.id as campaign_id
    from ${GIVEN}
    cross join campaigns c
    where c.merchant_id = $merchantId
    order by w.address_key, w.chain_id, c.id
  ) pair
  cross join lateral (
    select q.campaign_id
    from qualified_wallets q
    where q.merchant_id = $merchantId and q.campaign_id = pair.campaign_id and q.address_key = pair.address_key
      and q.chain_id = pair.chain_id
    limit 1
    for update
  ) q`;

/** Locks all rows of these wallets, also of those that may have lost their last deposit. */
export async function lockQualified(
  transaction: Queryable,
  merchantId: string,
  wallets: readonly WalletKey[],
): Promise<void> {
  await transaction.query(...statement(LOCK, { ...given(wallets), merchantId }));
}

const LIST = sql`select q.campaign_id as "campaignId", q.address_key as "addressKey", q.chain_id as "chainId", q.address,
    q.qualified_date as date, earliest.create_date as "derivedDate", ${SPELLING} as "derivedAddress"
  from ${GIVEN}
  cross join campaigns c
  cross join lateral (
    select q.*
    from qualified_wallets q
    where q.merchant_id = $merchantId and q.campaign_id = c.id and q.address_key = w.address_key
      and q.chain_id = w.chain_id
    limit 1
  ) q
  left join lateral ${EARLIEST} on true
  where c.merchant_id = $merchantId`;

/** The rows of these wallets beside what their deposits say. Read them after the lock, in a statement of its own. */
export async function listQualified(
  transaction: Queryable,
  merchantId: string,
  wallets: readonly WalletKey[],
): Promise<Qualified[]> {
  return transaction.query<Qualified>(...statement(LIST, { ...given(wallets), merchantId }));
}

const UPSERT = sql`insert into qualified_wallets (merchant_id, campaign_id, address_key, chain_id, address, qualified_date)
  select $merchantId::uuid, given."campaignId", given."addressKey", given."chainId", given."derivedAddress",
    given."derivedDate"
  from json_to_recordset($rows::json) as given
    ("campaignId" uuid, "addressKey" text, "chainId" bigint, "derivedAddress" text, "derivedDate" timestamptz)
  on conflict (merchant_id, campaign_id, address_key, chain_id) do update
  set address = excluded.address, qualified_date = excluded.qualified_date`;

/** Sets locked rows to what their deposits say. `on conflict` finds each by its key, with any plan. */
export async function upsertQualified(
  transaction: Queryable,
  merchantId: string,
  rows: readonly Qualified[],
): Promise<void> {
  await transaction.query(...statement(UPSERT, { merchantId, rows: JSON.stringify(rows) }));
}

const DELETE = sql`delete from qualified_wallets
  where merchant_id = $merchantId and campaign_id = $campaignId and address_key = $addressKey
    and chain_id = $chainId`;

/** One row at a time: a completed deposit rarely fails later, and a join could read the whole table. */
export async function deleteQualified(transaction: Queryable, merchantId: string, row: Qualified): Promise<void> {
  await transaction.query(
    ...statement(DELETE, { merchantId, campaignId: row.campaignId, addressKey: row.addressKey, chainId: row.chainId }),
  );
}

const DELETE_OF_CAMPAIGN = sql`delete from qualified_wallets where merchant_id = $merchantId and campaign_id = $campaignId`;

export async function deleteCampaignQualified(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
): Promise<void> {
  await transaction.query(...statement(DELETE_OF_CAMPAIGN, { merchantId, campaignId }));
}

const DERIVE = sql`insert into qualified_wallets (merchant_id, campaign_id, address_key, chain_id, address, qualified_date)
  select $merchantId::uuid, c.id, w.address_key, w.chain_id, ${SPELLING}, earliest.create_date
  from ${GIVEN}
  cross join campaigns c
  cross join lateral ${EARLIEST}
  where c.merchant_id = $merchantId and c.id = $campaignId
  on conflict (merchant_id, campaign_id, address_key, chain_id) do update
  set address = excluded.address, qualified_date = excluded.qualified_date
  where (qualified_wallets.address, qualified_wallets.qualified_date)
    is distinct from (excluded.address, excluded.qualified_date)`;

/** Inserts what the deposits of these wallets say about one campaign, and corrects existing rows. */
export async function deriveQualified(
  transaction: Queryable,
  merchantId: string,
  campaignId: string,
  wallets: readonly WalletKey[],
): Promise<void> {
  await transaction.query(...statement(DERIVE, { ...given(wallets), merchantId, campaignId }));
}

const LIST_DEPOSIT_WALLETS = sql`with recursive wallet (address_key, chain_id) as (
    select $addressKey::text, $chainId::bigint
    union all
    select next.wallet_key, next.chain_id
    from wallet
    cross join lateral (
      select d.wallet_key, d.chain_id
      from deposits d
      where d.merchant_id = $merchantId and d.status = 'completed'
        and (d.wallet_key, d.chain_id) > (wallet.address_key, wallet.chain_id)
      order by d.wallet_key, d.chain_id
      limit 1
    ) next
  )
  select address_key as "addressKey", chain_id as "chainId" from wallet offset 1 limit $count`;

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
  return transaction.query<WalletKey>(
    ...statement(LIST_DEPOSIT_WALLETS, { merchantId, addressKey: after.addressKey, chainId: after.chainId, count }),
  );
}
