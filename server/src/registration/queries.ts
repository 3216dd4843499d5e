import { allOf, type Sql, sql, statement } from "../db/compose.ts";
import type { Queryable, Value } from "../db/pool.ts";
import { NEWEST, type Position } from "../http/pagination.ts";
import { SAME_MERCHANTS_MAX } from "../limits.ts";
import type { Application, ApplicationStatus, NewApplication } from "./record.ts";

const STATUSES = sql`unnest(array['ACTIVE', 'SUSPENDED', 'PENDING', 'REJECTED']) with ordinality as wanted (status, place)`;
const SPELLINGS = sql`unnest(array[
  regexp_replace(a.domain, '^www[.]', ''), 'www.' || regexp_replace(a.domain, '^www[.]', '')
]) as spelled (domain)`;
const SAME = sql`json_build_object('merchantId', m.id, 'displayName', m.display_name, 'status', m.status)`;

// Others who have the application's key or its domain, with `www.` before it or not. Each status is looked up by itself and
// no further than is shown, so that a flood of refused applications neither hides an active merchant nor makes this slow.
const COLUMNS = sql`a.id as "applicationId", a.merchant_id as "merchantId", a.status, a.email, a.domain, a.telegram,
  a.description, a.public_key as "publicKey", a.reason, a.proven, a.create_date as "createDate",
  a.decide_date as "decideDate", array(
    select ${SAME}
    from ${STATUSES}
    cross join lateral (
      select m.id, m.display_name, m.status, m.create_date
      from merchants m
      where m.public_key_point = a.public_key_point and m.status = wanted.status and m.id <> a.merchant_id
      order by m.create_date desc, m.id desc
      limit $sameMax
    ) m
    order by wanted.place, m.create_date desc, m.id desc
    limit $sameMax
  ) as "sameKey", array(
    select ${SAME}
    from (
      select m.id, m.display_name, m.status, m.create_date, wanted.place
      from ${STATUSES}
      cross join ${SPELLINGS}
      cross join lateral (
        select m.id, m.display_name, m.status, m.create_date
        from merchants m
        where m.domain = spelled.domain and m.status = wanted.status and m.id <> a.merchant_id
        order by m.create_date desc, m.id desc
        limit $sameMax
      ) m
      union
      select m.id, m.display_name, m.status, m.create_date, wanted.place
      from ${SPELLINGS}
      cross join lateral (
        select d.merchant_id
        from merchant_domains d
        where d.domain = spelled.domain and d.slot > 0 and d.merchant_id <> a.merchant_id
        order by d.merchant_id
        limit $sameMax
      ) d
      join merchants m on m.id = d.merchant_id
      join ${STATUSES} on wanted.status = m.status
    ) m
    order by m.place, m.create_date desc, m.id desc
    limit $sameMax
  ) as "sameDomain"`;

const FIND = sql`select ${COLUMNS} from applications a where a.id = $id`;
const LOCK = sql`${FIND} for update`;

const LOCK_UNPROVEN = sql`select ${COLUMNS}
  from applications a
  where a.public_key_point = $point and a.status = 'PENDING' and not a.proven
  for update`;

const DECIDE = sql`update applications a set status = $status, reason = $reason, decide_date = $now
  where a.id = $id
  returning ${COLUMNS}`;

async function findOne(db: Queryable, text: Sql, values: Record<string, Value>): Promise<Application | null> {
  const [application] = await db.query<Application>(...statement(text, { ...values, sameMax: SAME_MERCHANTS_MAX }));
  return application ?? null;
}

export async function findApplication(db: Queryable, id: string): Promise<Application | null> {
  return findOne(db, FIND, { id });
}

export async function lockApplication(db: Queryable, id: string): Promise<Application | null> {
  return findOne(db, LOCK, { id });
}

/** The pending application with this key that came without proof. */
export async function lockUnprovenApplication(db: Queryable, point: Buffer): Promise<Application | null> {
  return findOne(db, LOCK_UNPROVEN, { point });
}

export async function decideApplication(
  db: Queryable,
  id: string,
  { status, reason }: { status: "APPROVED" | "REJECTED"; reason: string | null },
  now: Date,
): Promise<Application> {
  return (await findOne(db, DECIDE, { id, status, reason, now })) as Application;
}

/** Newest first. */
export async function listApplications(
  db: Queryable,
  status: ApplicationStatus | null,
  after: Position | null,
  count: number,
): Promise<Application[]> {
  const [lastDate = "", lastId = ""] = after ?? NEWEST;
  const conditions = allOf(
    sql`(a.create_date, a.id) < ($lastDate::timestamptz, $lastId::uuid)`,
    status === null ? null : sql`a.status = $status`,
  );
  const list = sql`select ${COLUMNS}
    from applications a
    where ${conditions}
    order by a.create_date desc, a.id desc
    limit $count`;
  const values = { lastDate, lastId, status, count, sameMax: SAME_MERCHANTS_MAX };
  return db.query<Application>(...statement(list, values));
}

const INSERT_MERCHANT = sql`insert into merchants
    (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
  values ($merchantId, $domain, 'PENDING', 'ECDSA_P256_SHA256', $publicKey, $publicKeyPoint, $email, $domain, $now, $now)`;

export async function insertPendingMerchant(db: Queryable, application: NewApplication, now: Date): Promise<void> {
  await db.query(...statement(INSERT_MERCHANT, { ...application, now }));
}

const INSERT_APPLICATION = sql`insert into applications
    (id, merchant_id, status, email, domain, public_key, public_key_point, telegram, description, proven, create_date)
  values ($applicationId, $merchantId, 'PENDING', $email, $domain, $publicKey, $publicKeyPoint, $telegram, $description,
          $proven, $now)
  on conflict (public_key_point) where status = 'PENDING' do nothing
  returning id`;

/** False when a pending application holds the same key. */
export async function insertPendingApplication(
  db: Queryable,
  application: NewApplication,
  now: Date,
): Promise<boolean> {
  const inserted = await db.query(...statement(INSERT_APPLICATION, { ...application, now }));
  return inserted.length === 1;
}

const IS_APPLIED_FOR = sql`select from applications a
  where a.public_key_point = $point and a.status = 'PENDING' and (a.proven or not $withProof::boolean)
  limit 1`;

/** Whether a pending application has this key and keeps it. An application with proof displaces one without. */
export async function isAppliedFor(db: Queryable, point: Buffer, withProof: boolean): Promise<boolean> {
  return (await db.query(...statement(IS_APPLIED_FOR, { point, withProof }))).length > 0;
}

// A key that an operator gave to a merchant is not the one of its application.
const APPLIED_UNPROVEN = sql`exists (
  select from applications a where a.merchant_id = m.id and a.public_key_point = $point and not a.proven
)`;

const IS_REGISTERED = sql`select from merchants m
  where m.public_key_point = $point and m.status = 'ACTIVE' and not ($withProof::boolean and ${APPLIED_UNPROVEN})
  limit 1`;

/** Whether an active merchant has this key and keeps it. */
export async function isRegistered(db: Queryable, point: Buffer, withProof: boolean): Promise<boolean> {
  return (await db.query(...statement(IS_REGISTERED, { point, withProof }))).length > 0;
}

const LOCK_UNPROVEN_MERCHANT = sql`select m.id as "merchantId"
  from merchants m
  where m.public_key_point = $point and m.status = 'ACTIVE' and ${APPLIED_UNPROVEN}
  for update of m`;

/** The active merchant that registered this key itself, without proof that it holds the private key. */
export async function lockUnprovenMerchant(db: Queryable, point: Buffer): Promise<{ merchantId: string } | null> {
  const [merchant] = await db.query<{ merchantId: string }>(...statement(LOCK_UNPROVEN_MERCHANT, { point }));
  return merchant ?? null;
}
