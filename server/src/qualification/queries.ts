// Qualification is asked of the deposits themselves: a wallet qualifies by its earliest completed deposit in the campaign's
// window, both ends included. Nothing is stored, so nothing has to be kept in step when deposits arrive or a window changes.
//
// Every look-up is a subquery that names the whole key of an index. PostgreSQL keeps plans made while the tables were small,
// and a join would then read a whole table that is no longer small.
import { allOf, type Sql, sql, statement } from "../db/compose.ts";
import type { Queryable, Value } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { WALLETS_VISITED_MAX, WALLETS_VISITED_PER_ITEM, WINDOW_DEPOSITS_MAX } from "../limits.ts";
import type { CampaignWindow, QualifiedWallet, WalletKey } from "./record.ts";

/** How a statement names a campaign's merchant and window. */
export interface WindowSql {
  readonly merchantId: Sql;
  readonly startDate: Sql;
  readonly endDate: Sql;
  /** Null: no campaign of the statement has a minimum, so the index alone answers. */
  readonly minimumDepositMicros: Sql | null;
}

/** The values of `windowValues`. */
const GIVEN_WINDOW: WindowSql = {
  merchantId: sql`$merchantId`,
  startDate: sql`$startDate::timestamptz`,
  endDate: sql`$endDate::timestamptz`,
  minimumDepositMicros: null,
};

const GIVEN_WINDOW_WITH_MINIMUM: WindowSql = { ...GIVEN_WINDOW, minimumDepositMicros: sql`$minimumDepositMicros` };

/**
 * A statement about one campaign, in two forms: for campaigns without a minimum deposit and for those with one. The latter has
 * to read each deposit of the wallet until one is large enough.
 */
export function forWindow(make: (window: WindowSql) => Sql): (campaign: CampaignWindow) => Sql {
  const [plain, withMinimum] = [make(GIVEN_WINDOW), make(GIVEN_WINDOW_WITH_MINIMUM)];
  return ({ minimumDepositMicros }) => (minimumDepositMicros === null ? plain : withMinimum);
}

const isLargeEnough = ({ minimumDepositMicros }: WindowSql) =>
  minimumDepositMicros === null ? null : sql`d.amount_micros >= ${minimumDepositMicros}`;

const ofWallet = (window: WindowSql) =>
  allOf(
    sql`d.merchant_id = ${window.merchantId} and d.wallet_key = w.address_key and d.chain_id = w.chain_id
      and d.status = 'completed' and d.create_date >= ${window.startDate} and d.create_date <= ${window.endDate}`,
    isLargeEnough(window),
  );

/** When the wallet `w` qualified; no row if it did not. */
export const qualifiedDateIn = (window: WindowSql) =>
  sql`(select d.create_date from deposits d where ${ofWallet(window)} order by d.create_date limit 1)`;

/**
 * The same with the address as the deposit spelled it. Deposits of the same instant may spell an EVM address differently; the
 * alphabetically first spelling is shown.
 */
const qualificationIn = (window: WindowSql) => sql`(
    select d.create_date as qualified_date, d.wallet_address as address
    from deposits d
    where ${ofWallet(window)}
    order by d.create_date, d.wallet_address
    limit 1
  )`;

export function windowValues({ merchantId, startDate, endDate, minimumDepositMicros }: CampaignWindow) {
  return { merchantId, startDate, endDate, minimumDepositMicros };
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
  const visit = (chainId === null ? VISIT_WALLETS : VISIT_WALLETS_ON_CHAIN)(campaign);
  const few = await visitWallets(db, visit, values, WALLETS_VISITED_PER_ITEM * count);
  if (few.stoppedAt === null) return few;
  const [inWindow, list] =
    chainId === null ? [IN_WINDOW, LIST_IN_WINDOW] : [IN_WINDOW_ON_CHAIN, LIST_IN_WINDOW_ON_CHAIN];
  if (await hasFewDeposits(db, inWindow, values)) {
    return { wallets: await db.query<QualifiedWallet>(...statement(list(campaign), values)), stoppedAt: null };
  }
  return visitWallets(db, visit, values, WALLETS_VISITED_MAX);
}

interface ListValues extends Record<string, Value> {
  readonly count: number;
}

async function visitWallets(db: Queryable, visit: Sql, values: ListValues, visitsMax: number): Promise<WalletPage> {
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
const visitIn = (window: WindowSql, isWanted: Sql) => sql`with recursive visited
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
    left join lateral ${qualificationIn(window)} q on ${isWanted}
    where v.visits < $visitsMax and v.found < $count
  )
  select ${COLUMNS}, w.visits
  from visited w
  where w.qualified_date is not null or w.visits = $visitsMax
  order by w.address_key, w.chain_id`;

const VISIT_WALLETS = forWindow((window) => visitIn(window, sql`true`));
const VISIT_WALLETS_ON_CHAIN = forWindow((window) => visitIn(window, sql`w.chain_id = $chainId`));

// The status is a parameter, so that the index of completed deposits by wallet cannot be used. Before statistics are gathered it
// looks as good as the right one, and then all wallets of the merchant are read.
const IN_WINDOW = sql`from deposits d
  where d.merchant_id = $merchantId and d.status = $completed and d.create_date >= $startDate::timestamptz
    and d.create_date <= $endDate::timestamptz`;
const IN_WINDOW_ON_CHAIN = sql`${IN_WINDOW} and d.chain_id = $chainId`;

const listIn = (window: WindowSql, inWindow: Sql) => sql`select ${COLUMNS}
  from (
    select distinct on (d.wallet_key, d.chain_id) d.wallet_key as address_key, d.chain_id,
      d.create_date as qualified_date, d.wallet_address as address
    ${inWindow} and ${allOf(sql`(d.wallet_key, d.chain_id) > ($addressKey::text, $chain::bigint)`, isLargeEnough(window))}
    order by d.wallet_key, d.chain_id, d.create_date, d.wallet_address
    limit $count
  ) w
  order by w.address_key, w.chain_id`;

const LIST_IN_WINDOW = forWindow((window) => listIn(window, IN_WINDOW));
const LIST_IN_WINDOW_ON_CHAIN = forWindow((window) => listIn(window, IN_WINDOW_ON_CHAIN));

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
  const find = chainId === null ? FIND_WALLETS : FIND_WALLETS_ON_CHAIN;
  return db.query<QualifiedWallet>(
    ...statement(find(campaign), {
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

// Inside a subquery, the array has no length for the planner, which would otherwise make a new plan for each length.
const findIn = (window: WindowSql, chains: Sql) => sql`select ${COLUMNS}
    from (
      select w.address_key, w.chain_id, q.qualified_date, q.address
      from unnest((select $addressKeys::text[])) as given (address_key)
      cross join lateral ${chains} w
      cross join lateral ${qualificationIn(window)} q
      where (w.address_key, w.chain_id) > ($addressKey::text, $chain::bigint)
      order by w.address_key, w.chain_id
      limit $count
    ) w
    order by w.address_key, w.chain_id`;

const FIND_WALLETS = forWindow((window) => findIn(window, CHAINS_OF_ADDRESS));
const FIND_WALLETS_ON_CHAIN = forWindow((window) =>
  findIn(window, sql`(select given.address_key, $chainId::bigint as chain_id)`),
);

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
