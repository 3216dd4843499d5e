import { sql, statement } from "../db/compose.ts";
import { type IdRange, inIdRange, rangeValues } from "../db/id-range.ts";
import type { Queryable } from "../db/pool.ts";
import { DEPOSIT_IDS_LOOKED_AT_MAX } from "../limits.ts";

export const FOUND_KINDS = [
  "merchant",
  "application",
  "campaign",
  "participant",
  "payout",
  "deposit",
  "user",
  "token",
] as const;

export interface Found {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly id: string;
  readonly name: string | null;
  readonly merchantId: string | null;
  readonly campaignId: string | null;
  readonly participantId: string | null;
  readonly userId: string | null;
}

// A deposit's id is unique for its merchant only, so the index is asked once for every merchant.
const DEPOSIT_IDS = sql`
  select d.id, d.merchant_id
  from merchants m
  cross join lateral (
    select d.id, d.merchant_id
    from deposits d
    where d.merchant_id = m.id and d.id between $depositFirst::text and $depositLast::text
    order by d.id
    limit $lookedAt
  ) d
  where m.status in ('ACTIVE', 'SUSPENDED')
  order by m.id
  limit $lookedAt`;

// Each part walks an index of ids and stops after a few rows.
const FIND = sql`(
    select 'merchant' as kind, m.id::text, m.display_name as name, m.id as "merchantId", null::uuid as "campaignId",
           null::uuid as "participantId", null::uuid as "userId"
    from merchants m where ${inIdRange(sql`m.id`)} order by m.id limit $count
  ) union all (
    select 'application', a.id::text, a.domain, a.merchant_id, null, null, null
    from applications a where ${inIdRange(sql`a.id`)} order by a.id limit $count
  ) union all (
    select 'campaign', c.id::text, c.display_name, c.merchant_id, c.id, null, null
    from campaigns c where ${inIdRange(sql`c.id`)} order by c.id limit $count
  ) union all (
    select 'participant', p.id::text, p.merchant_user_id, p.merchant_id, p.campaign_id, p.id, null
    from participants p where ${inIdRange(sql`p.id`)} order by p.id limit $count
  ) union all (
    select 'payout', o.id::text, null, o.merchant_id, o.campaign_id, o.participant_id, null
    from payouts o where ${inIdRange(sql`o.id`)} order by o.id limit $count
  ) union all (
    select 'deposit', d.id, null, d.merchant_id, null, null,
           (select u.user_id from deposits u where u.merchant_id = d.merchant_id and u.id = d.id)
    from (${DEPOSIT_IDS}) d where right(d.id, length($depositEnd::text)) = $depositEnd::text limit $count
  ) union all (
    select 'user', u.user_id::text, null, u.merchant_id, null, null, u.user_id
    from deposit_users u where ${inIdRange(sql`u.user_id`)} order by u.user_id limit $count
  ) union all (
    select 'token', t.id::text, t.name, null, null, null, null
    from operator_tokens t where ${inIdRange(sql`t.id`)} order by t.id limit $count
  )`;

/** Everything with such an id, of each kind up to `count`. */
export async function findById(
  db: Queryable,
  ids: IdRange | null,
  depositIds: IdRange | null,
  count: number,
): Promise<Found[]> {
  const values = {
    ...rangeValues(ids),
    depositFirst: depositIds?.first ?? null,
    depositLast: depositIds?.last ?? null,
    depositEnd: depositIds?.end ?? null,
    lookedAt: DEPOSIT_IDS_LOOKED_AT_MAX,
    count,
  };
  return db.query<Found>(...statement(FIND, values));
}
