// What is owed, by campaign, merchant or token. It is read from the campaigns' own figures: one row for each campaign, however many
// participants and payouts there are.
import { allOf, type Sql, sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import type { RowOf } from "../../db/rows.ts";
import { NEWEST, type Position } from "../../http/pagination.ts";
import { addressKeyOf } from "../participants/receiver-queries.ts";
import type { OwedTotal } from "./record.ts";

export interface OwedFilters {
  readonly merchantId: string | null;
  readonly campaignId: string | null;
  /** The first day of each age but the last, the latest first, as dates in UTC. */
  readonly firstDays: readonly [string, string, string];
}

type OwedRow = Omit<RowOf<OwedTotal>, "ages"> & { readonly ages: readonly string[] };

const OWED = sql`c.committed - c.payouts_open - c.payouts_confirmed`;

const campaignsOf = ({ merchantId, campaignId }: OwedFilters, condition: Sql | null = null) =>
  allOf(
    sql`${OWED} > 0`,
    merchantId === null ? null : sql`c.merchant_id = $merchantId`,
    campaignId === null ? null : sql`c.id = $campaignId`,
    condition,
  );

// Payouts are counted against what was matched first. So what is still owed is what was matched last.
const AGES = sql`cross join lateral (
    select coalesce(sum(r.amount) filter (where r.day >= $first::date), 0) as first,
           coalesce(sum(r.amount) filter (where r.day < $first::date and r.day >= $second::date), 0) as second,
           coalesce(sum(r.amount) filter (where r.day < $second::date), 0) as third
    from reward_days r
    where r.merchant_id = c.merchant_id and r.campaign_id = c.id and r.day >= $third::date
  ) matched
  cross join lateral (select least(c.owed, matched.first) as first) young
  cross join lateral (select least(c.owed - young.first, matched.second) as second) older
  cross join lateral (select least(c.owed - young.first - older.second, matched.third) as third) old`;

const AGE_COLUMNS = sql`young.first, older.second, old.third, c.owed - young.first - older.second - old.third as rest`;

const COLUMNS = sql`c.merchant_id, c.id, c.create_date, c.payout_chain_id, ${addressKeyOf(sql`c.payout_token_address`)} as token,
  c.currency, c.decimal_places, c.committed, c.payouts_open, c.payouts_confirmed, ${OWED} as owed`;

const valuesOf = ({ firstDays: [first, second, third], ...filters }: OwedFilters) => ({
  ...filters,
  first,
  second,
  third,
});

const toTotal = (row: OwedRow): OwedTotal => ({
  ...row,
  matched: BigInt(row.matched),
  open: BigInt(row.open),
  confirmed: BigInt(row.confirmed),
  owed: BigInt(row.owed),
  ages: row.ages.map(BigInt),
});

/** Campaigns that owe something, newest first. */
export async function listOwedByCampaign(
  db: Queryable,
  filters: OwedFilters,
  after: Position | null,
  count: number,
): Promise<OwedTotal[]> {
  const [date = "", id = ""] = after ?? NEWEST;
  const isAfter = sql`(c.create_date, c.id) < ($date::timestamptz, $id::uuid)`;
  const list = sql`select c.merchant_id as "merchantId", c.id as "campaignId", c.create_date as "createDate",
      c.payout_chain_id as "chainId", c.token as "tokenAddress", c.currency, c.decimal_places as "decimalPlaces",
      1 as campaigns, c.committed as matched, c.payouts_open as open, c.payouts_confirmed as confirmed, c.owed,
      array[young.first, older.second, old.third, c.owed - young.first - older.second - old.third]::text[] as ages
    from (
      select ${COLUMNS}
      from campaigns c
      where ${campaignsOf(filters, isAfter)}
      order by c.create_date desc, c.id desc
      limit $count
    ) c
    ${AGES}
    order by c.create_date desc, c.id desc`;
  const rows = await db.query<OwedRow>(...statement(list, { ...valuesOf(filters), date, id, count }));
  return rows.map(toTotal);
}

const FIRST_TOKEN: Position = ["00000000-0000-0000-0000-000000000000", "0", "", "", "-1"];

/** The same, added up for each token, or for each merchant and token. */
export async function listOwedByToken(
  db: Queryable,
  filters: OwedFilters,
  eachMerchant: boolean,
  after: Position | null,
  count: number,
): Promise<OwedTotal[]> {
  const [merchant = "", chain = "", token = "", currency = "", decimals = ""] = after ?? FIRST_TOKEN;
  // One merchant for all: grouping by a constant adds up over all merchants.
  const owner = eachMerchant ? sql`c.merchant_id` : sql`null::uuid`;
  const isAfter = eachMerchant
    ? sql`(o.merchant_id, o.chain_id, o.token, o.currency, o.decimal_places) >
          ($merchant::uuid, $chain::bigint, $token::text, $currency::text, $decimals::integer)`
    : sql`(o.chain_id, o.token, o.currency, o.decimal_places) >
          ($chain::bigint, $token::text, $currency::text, $decimals::integer)`;
  const list = sql`select o.merchant_id as "merchantId", null as "campaignId", null as "createDate", o.chain_id as "chainId",
      o.token as "tokenAddress", o.currency, o.decimal_places as "decimalPlaces", o.campaigns, o.matched, o.open,
      o.confirmed, o.owed, array[o.first, o.second, o.third, o.rest]::text[] as ages
    from (
      select c.owner as merchant_id, c.payout_chain_id as chain_id, c.token, c.currency, c.decimal_places,
             count(*)::integer as campaigns, sum(c.committed) as matched, sum(c.payouts_open) as open,
             sum(c.payouts_confirmed) as confirmed, sum(c.owed) as owed, sum(c.first) as first,
             sum(c.second) as second, sum(c.third) as third, sum(c.rest) as rest
      from (
        select c.*, ${owner} as owner, ${AGE_COLUMNS}
        from (select ${COLUMNS} from campaigns c where ${campaignsOf(filters)}) c
        ${AGES}
      ) c
      group by c.owner, c.payout_chain_id, c.token, c.currency, c.decimal_places
    ) o
    where ${isAfter}
    order by o.merchant_id, o.chain_id, o.token, o.currency, o.decimal_places
    limit $count`;
  const values = { ...valuesOf(filters), merchant, chain, token, currency, decimals, count };
  const rows = await db.query<OwedRow>(...statement(list, values));
  return rows.map(toTotal);
}

/** The position of a total in the list by token. */
export function tokenPositionOf({ merchantId, chainId, tokenAddress, currency, decimalPlaces }: OwedTotal): Position {
  const [merchant = ""] = FIRST_TOKEN;
  return [merchantId ?? merchant, String(chainId), tokenAddress, currency, String(decimalPlaces)];
}
