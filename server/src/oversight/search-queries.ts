import { sql, statement } from "../db/compose.ts";
import { type IdRange, inIdRange, rangeValues } from "../db/id-range.ts";
import type { Queryable } from "../db/pool.ts";

export const FOUND_KINDS = ["merchant", "application", "campaign", "participant", "payout", "user", "token"] as const;

export interface Found {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly id: string;
  readonly name: string | null;
  readonly merchantId: string | null;
  readonly campaignId: string | null;
  readonly participantId: string | null;
}

// Each part walks an index of ids and stops after a few rows.
const FIND = sql`(
    select 'merchant' as kind, m.id, m.display_name as name, m.id as "merchantId", null::uuid as "campaignId",
           null::uuid as "participantId"
    from merchants m where ${inIdRange(sql`m.id`)} order by m.id limit $count
  ) union all (
    select 'application', a.id, a.domain, a.merchant_id, null, null
    from applications a where ${inIdRange(sql`a.id`)} order by a.id limit $count
  ) union all (
    select 'campaign', c.id, c.display_name, c.merchant_id, c.id, null
    from campaigns c where ${inIdRange(sql`c.id`)} order by c.id limit $count
  ) union all (
    select 'participant', p.id, p.merchant_user_id, p.merchant_id, p.campaign_id, p.id
    from participants p where ${inIdRange(sql`p.id`)} order by p.id limit $count
  ) union all (
    select 'payout', o.id, null, o.merchant_id, o.campaign_id, o.participant_id
    from payouts o where ${inIdRange(sql`o.id`)} order by o.id limit $count
  ) union all (
    select 'user', u.user_id, null, u.merchant_id, null, null
    from deposit_users u where ${inIdRange(sql`u.user_id`)} order by u.user_id limit $count
  ) union all (
    select 'token', t.id, t.name, null, null, null
    from operator_tokens t where ${inIdRange(sql`t.id`)} order by t.id limit $count
  )`;

/** Everything with such an id, of each kind up to `count`. */
export async function findById(db: Queryable, ids: IdRange, count: number): Promise<Found[]> {
  return db.query<Found>(...statement(FIND, { ...rangeValues(ids), count }));
}
