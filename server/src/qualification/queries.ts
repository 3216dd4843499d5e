// Qualification is asked of the deposits themselves: a wallet qualifies by its earliest completed deposit in the campaign's
// window, both ends included. Nothing is stored, so nothing has to be kept in step when deposits arrive or a window changes.
//
// Every look-up is a subquery that names the whole key of an index. PostgreSQL keeps plans made while the tables were small,
// and a join would then read a whole table that is no longer small.
import { type Sql, sql, statement } from "../db/compose.ts";
import type { Queryable, Value } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { WALLETS_VISITED_MAX, WALLETS_VISITED_PER_ITEM, WINDOW_DEPOSITS_MAX } from "../limits.ts";
import type { CampaignWindow, QualifiedWallet, WalletKey } from "./record.ts";

/** How a statement names a campaign's merchant and window. */
export interface WindowSql {
  readonly merchantId: Sql;
  readonly startDate: Sql;
  readonly endDate: Sql;
}

/** The values of `windowValues`. */
export const GIVEN_WINDOW: WindowSql = {
  merchantId: sql`$merchantId`,
  startDate: sql`$startDate::timestamptz`,
  endDate: sql`$endDate::timestamptz`,
};

const ofWallet = ({ merchantId, startDate, endDate }: WindowSql) => sql`d.merchant_id = ${merchantId}
  and d.wallet_key = w.address_key and d.chain_id = w.chain_id and d.status = 'completed' and d.create_date >= ${startDate}
  and d.create_date <= ${endDate}`;

/** When the wallet `w` qualified; no row if it did not. */
export const qualifiedDateIn = (window: WindowSql) =>
  sql`(select d.create_date from deposits d where ${ofWallet(window)} order by d.create_date limit 1)`;

/**
 * The same with the address as the deposit spelled it. Deposits of the same instant may spell an EVM address differently; the
 * alphabetically first spelling is shown.
 */
export const QUALIFICATION = sql`(
    select d.create_date as qualified_date, d.wallet_address as address
    from deposits d
    where ${ofWallet(GIVEN_WINDOW)}
    order by d.create_date, d.wallet_address
    limit 1
  )`;

export function windowValues({ merchantId, startDate, endDate }: CampaignWindow) {
  return { merchantId, startDate, endDate };
}

// The wallet's first claimant is the one whose submission comes first in the journal.
const COLUMNS = sql`w.address, w.address_key as "addressKey", w.chain_id as "chainId", w.qualified_date as "qualifiedDate", (
    select claim.participant_id
    from participant_wallets claim
    where claim.merchant_id = $merchantId and claim.campaign_id = $campaignId and claim.address_key = w.address_key
      and claim.chain_id = w.chain_id and claim.claim_position > 0
    order by claim.claim_position
    limit 1
  ) as "participantId"`;

// No address is empty and no chain is 0, so this sorts before every row.
const FIRST: Position = ["", "0"];

export interface WalletPage {
  readonly wallets: readonly QualifiedWallet[];
  /** Where the search stopped before it had found enough; null when it went as far as was asked, or to the end. */
  readonly stoppedAt: WalletKey | null;
}

/**
 * The campaign's qualified wallets in the order of (address key, chain), from `after` on.
 *
 * Two ways lead to them. One goes from wallet to wallet along an index, however many deposits each has, and looks at each one's
 * window. It is slow where few of the merchant's wallets qualify. The other reads the deposits in the window. It is slow where
 * there are many of them. If both would take too long, the page ends early, where the first way stopped.
 */
export async function listQualifiedWallets(
  db: Queryable,
  campaign: CampaignWindow,
  chainId: number | null,
  after: Position | null,
  count: number,
): Promise<WalletPage> {
  const [addressKey = "", chain = ""] = after ?? FIRST;
  const values = {
    ...windowValues(campaign),
    campaignId: campaign.id,
    chainId,
    addressKey,
    chain,
    count,
    completed: "completed",
  };
  const few = await visitWallets(db, values, WALLETS_VISITED_PER_ITEM * count);
  if (few.stoppedAt === null) return few;
  const inWindow = chainId === null ? IN_WINDOW : IN_WINDOW_ON_CHAIN;
  if (await hasFewDeposits(db, inWindow, values)) {
    return { wallets: await db.query<QualifiedWallet>(...statement(listInWindow(inWindow), values)), stoppedAt: null };
  }
  return visitWallets(db, values, WALLETS_VISITED_MAX);
}

interface ListValues extends Record<string, Value> {
  readonly chainId: number | null;
  readonly count: number;
}

async function visitWallets(db: Queryable, values: ListValues, visitsMax: number): Promise<WalletPage> {
  const visit = values.chainId === null ? VISIT_WALLETS : VISIT_WALLETS_ON_CHAIN;
  const visited = await db.query<QualifiedWallet & { visits: number }>(...statement(visit, { ...values, visitsMax }));
  const wallets = visited.filter(({ qualifiedDate }) => qualifiedDate !== null);
  const last = visited.at(-1);
  const stopped = wallets.length < values.count && last?.visits === visitsMax;
  return { wallets, stoppedAt: stopped ? last : null };
}

async function hasFewDeposits(db: Queryable, inWindow: Sql, values: ListValues): Promise<boolean> {
  const count = sql`select count(*)::integer as deposits from (select 1 ${inWindow} limit $depositsMax) d`;
  const [row] = await db.query<{ deposits: number }>(
    ...statement(count, { ...values, depositsMax: WINDOW_DEPOSITS_MAX + 1 }),
  );
  return row !== undefined && row.deposits <= WINDOW_DEPOSITS_MAX;
}

// Each step looks up the next wallet behind the last, and whether it qualifies. A row that does not qualify comes out only as
// the last of all visits.
const visit = (isWanted: Sql) => sql`with recursive visited
    (address_key, chain_id, visits, found, qualified_date, address) as (
    select $addressKey::text, $chain::bigint, 0, 0, null::timestamptz, null::text
    union all
    select w.address_key, w.chain_id, v.visits + 1, v.found + (q.qualified_date is not null)::integer, q.qualified_date,
      q.address
    from visited v
    cross join lateral (
      select d.wallet_key as address_key, d.chain_id
      from deposits d
      where d.merchant_id = $merchantId and d.status = 'completed'
        and (d.wallet_key, d.chain_id) > (v.address_key, v.chain_id)
      order by d.wallet_key, d.chain_id
      limit 1
    ) w
    left join lateral ${QUALIFICATION} q on ${isWanted}
    where v.visits < $visitsMax and v.found < $count
  )
  select ${COLUMNS}, w.visits
  from visited w
  where w.qualified_date is not null or w.visits = $visitsMax
  order by w.address_key, w.chain_id`;

const VISIT_WALLETS = visit(sql`true`);
const VISIT_WALLETS_ON_CHAIN = visit(sql`w.chain_id = $chainId`);

// The status is a parameter, so that the index of completed deposits by wallet cannot be used. Before statistics are gathered it
// looks as good as the right one, and then all wallets of the merchant are read.
const IN_WINDOW = sql`from deposits d
  where d.merchant_id = $merchantId and d.status = $completed and d.create_date >= $startDate::timestamptz
    and d.create_date <= $endDate::timestamptz`;
const IN_WINDOW_ON_CHAIN = sql`${IN_WINDOW} and d.chain_id = $chainId`;

const listInWindow = (inWindow: Sql) => sql`select ${COLUMNS}
  from (
    select distinct on (d.wallet_key, d.chain_id) d.wallet_key as address_key, d.chain_id,
      d.create_date as qualified_date, d.wallet_address as address
    ${inWindow} and (d.wallet_key, d.chain_id) > ($addressKey::text, $chain::bigint)
    order by d.wallet_key, d.chain_id, d.create_date, d.wallet_address
    limit $count
  ) w
  order by w.address_key, w.chain_id`;

/** Those of the given addresses that qualify, in the same order. */
export async function findQualifiedWallets(
  db: Queryable,
  campaign: CampaignWindow,
  addressKeys: readonly string[],
  chainId: number | null,
  after: Position | null,
  count: number,
): Promise<QualifiedWallet[]> {
  const [addressKey = "", chain = ""] = after ?? FIRST;
  // Inside a subquery, the array has no length for the planner, which would otherwise make a new plan for each length.
  const find = sql`select ${COLUMNS}
    from (
      select w.address_key, w.chain_id, q.qualified_date, q.address
      from unnest((select $addressKeys::text[])) as given (address_key)
      cross join lateral ${chainId === null ? CHAINS_OF_ADDRESS : sql`(select given.address_key, $chainId::bigint as chain_id)`} w
      cross join lateral ${QUALIFICATION} q
      where (w.address_key, w.chain_id) > ($addressKey::text, $chain::bigint)
      order by w.address_key, w.chain_id
      limit $count
    ) w
    order by w.address_key, w.chain_id`;
  return db.query<QualifiedWallet>(
    ...statement(find, {
      ...windowValues(campaign),
      campaignId: campaign.id,
      addressKeys,
      chainId,
      addressKey,
      chain,
      count,
    }),
  );
}

// From chain to chain along the index, however many deposits an address has on each.
const CHAINS_OF_ADDRESS = sql`(
    with recursive chains (chain_id) as (
      select 0::bigint
      union all
      select next.chain_id
      from chains
      cross join lateral (
        select d.chain_id
        from deposits d
        where d.merchant_id = $merchantId and d.wallet_key = given.address_key and d.status = 'completed'
          and d.chain_id > chains.chain_id
        order by d.chain_id
        limit 1
      ) next
    )
    select given.address_key, chains.chain_id from chains where chains.chain_id > 0
  )`;

const LIST_USER_IDS = sql`select p.id, p.merchant_user_id as "merchantUserId"
  from participants p
  where p.merchant_id = $merchantId and p.id = any($participantIds::uuid[])`;

/** The merchant's own ids of these participants. */
export async function listMerchantUserIds(
  db: Queryable,
  merchantId: string,
  participantIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; merchantUserId: string }>(
    ...statement(LIST_USER_IDS, { merchantId, participantIds }),
  );
  return new Map(rows.map((row) => [row.id, row.merchantUserId]));
}
