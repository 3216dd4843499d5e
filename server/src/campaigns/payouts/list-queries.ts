import { allOf, type Sql, sql, statement } from "../../db/compose.ts";
import type { Queryable } from "../../db/pool.ts";
import { NEWEST, type Position } from "../../http/pagination.ts";
import type { Token } from "../record.ts";
import type { ListedProofStatus } from "./proofs/record.ts";
import { PAYOUT_JSON, type PayoutJson, toPayout } from "./queries.ts";
import type { ListedPayout, PayoutStatus } from "./record.ts";

export interface PayoutFilters {
  readonly statuses: readonly PayoutStatus[];
  /** Also with a campaign or a run: then the merchant that it belongs to. */
  readonly merchantId: string | null;
  readonly campaignId: string | null;
  readonly runId: string | null;
  readonly transactionHash: string | null;
  readonly proof: ListedProofStatus | null;
}

type PayoutRow = Omit<ListedPayout, keyof PayoutJson | keyof Token> & Token & { readonly payout: PayoutJson };

const COLUMNS = sql`${PAYOUT_JSON} as payout, o.merchant_id as "merchantId", o.campaign_id as "campaignId",
  o.participant_id as "participantId", o.flags, c.currency, c.decimal_places as "decimalPlaces", (
    select p.merchant_user_id
    from participants p
    where p.merchant_id = o.merchant_id and p.id = o.participant_id
  ) as "merchantUserId"`;

// A look-up by key for each payout of the page. With the limit, no plan reads all campaigns instead.
const WITH_TOKEN = sql`cross join lateral (
    select c.currency, c.decimal_places
    from campaigns c
    where c.merchant_id = o.merchant_id and c.id = o.campaign_id
    limit 1
  ) c`;

const AFTER = sql`(o.create_date, o.id) < ($date::timestamptz, $id::uuid)`;

// A run has at most 10,000 payouts, and so has a transaction. They are read by key, and the other filters look at each.
const fromFew = (isOne: Sql, others: Sql) => sql`(
    select o.*
    from (select o.* from payouts o where ${isOne} offset 0) o
    where ${others} and o.status = any($statuses::text[]) and ${AFTER}
    order by o.create_date desc, o.id desc
    limit $count
  ) o`;

// The newest of each status, and of these the newest. So one index serves each list with and without a status.
const fromMany = (scope: Sql) => sql`(
    select o.*
    from unnest((select $statuses::text[])) as given (status)
    cross join lateral (
      select o.*
      from payouts o
      where ${scope} and o.status = given.status and ${AFTER}
      order by o.create_date desc, o.id desc
      limit $count
    ) o
    order by o.create_date desc, o.id desc
    limit $count
  ) o`;

// By the index of proofs, also with other filters: payouts that wait for the chain or do not match it are few. With a merchant,
// those of others are read and left out; 10,000 of them take 7 ms. `is not distinct from` can use no index, so that the planner
// does not read all payouts of a campaign instead.
const fromProof = (others: Sql) => sql`(
    select o.*
    from payouts o
    where o.proof_status = $proof and ${others} and o.status = any($statuses::text[]) and ${AFTER}
    order by o.create_date desc, o.id desc
    limit $count
  ) o`;

// The conditions on the date are those of the indexes.
const OF_EVERYONE = sql`o.create_date < 'infinity'`;
const OF_MERCHANT = sql`o.merchant_id = $merchantId and o.create_date > '-infinity'`;
const OF_CAMPAIGN = sql`o.merchant_id = $merchantId and o.campaign_id = $campaignId`;
const OF_RUN = sql`o.merchant_id = $merchantId and o.run_id = $runId`;
const OF_HASH = sql`lower(o.transaction_hash) = lower($transactionHash::text) and o.transaction_hash is not null`;

function payoutsOf({ merchantId, campaignId, runId, transactionHash, proof }: PayoutFilters): Sql {
  const others = allOf(
    merchantId === null ? null : sql`o.merchant_id = $merchantId`,
    campaignId === null ? null : sql`o.campaign_id = $campaignId`,
    runId === null ? null : sql`o.run_id = $runId`,
    proof === null ? null : sql`o.proof_status = $proof`,
  );
  if (transactionHash !== null) return fromFew(OF_HASH, others);
  if (runId !== null) return fromFew(OF_RUN, others);
  if (proof !== null) {
    return fromProof(
      allOf(
        merchantId === null ? null : sql`o.merchant_id is not distinct from $merchantId`,
        campaignId === null ? null : sql`o.campaign_id is not distinct from $campaignId`,
      ),
    );
  }
  if (campaignId !== null) return fromMany(OF_CAMPAIGN);
  return fromMany(merchantId === null ? OF_EVERYONE : OF_MERCHANT);
}

/** Newest first. */
export async function listPayouts(
  db: Queryable,
  filters: PayoutFilters,
  after: Position | null,
  count: number,
): Promise<ListedPayout[]> {
  const [date = "", id = ""] = after ?? NEWEST;
  const list = sql`select ${COLUMNS}
    from ${payoutsOf(filters)}
    ${WITH_TOKEN}
    order by o.create_date desc, o.id desc`;
  const rows = await db.query<PayoutRow>(...statement(list, { ...filters, date, id, count }));
  return rows.map(({ payout, ...row }) => ({ ...toPayout(payout), ...row }));
}
