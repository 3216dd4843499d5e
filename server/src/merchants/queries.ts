import { allOf, type Sql, sql, statement } from "../db/compose.ts";
import { type IdRange, inIdRange, rangeValues } from "../db/id-range.ts";
import type { Queryable, Value } from "../db/pool.ts";
import { NEWEST, type Position } from "../http/pagination.ts";
import type { PublicKey } from "./public-key.ts";
import type { Merchant, MerchantStatus, RateLimit, RememberedMerchant, StoredCredential } from "./record.ts";

const COLUMNS = sql`m.id as "merchantId", m.display_name as "displayName", m.algorithm, m.status,
  m.public_key as "publicKey", m.require_bound_signatures as "requireBoundSignatures", m.rate_limit as "rateLimit",
  m.email, m.domain,
  m.create_date as "createDate", m.update_date as "updateDate"`;

const FIND = sql`select ${COLUMNS} from merchants m where m.id = $merchantId`;
const LOCK = sql`${FIND} for update`;

async function findOne(db: Queryable, text: Sql, values: Record<string, Value>): Promise<Merchant | null> {
  const [merchant] = await db.query<Merchant>(...statement(text, values));
  return merchant ?? null;
}

export async function findMerchant(db: Queryable, merchantId: string): Promise<Merchant | null> {
  return findOne(db, FIND, { merchantId });
}

export async function lockMerchant(db: Queryable, merchantId: string): Promise<Merchant | null> {
  return findOne(db, LOCK, { merchantId });
}

const FIND_CREDENTIAL = sql`select m.status, m.public_key as "publicKey",
    m.require_bound_signatures as "requireBoundSignatures", m.rate_limit as "rateLimit"
  from merchants m
  where m.id = $merchantId`;

export async function findCredential(db: Queryable, merchantId: string): Promise<RememberedMerchant | null> {
  const [credential] = await db.query<RememberedMerchant>(...statement(FIND_CREDENTIAL, { merchantId }));
  return credential ?? null;
}

const LIST_CREDENTIALS = sql`select m.id as "merchantId", m.status, m.public_key as "publicKey",
    m.require_bound_signatures as "requireBoundSignatures"
  from merchants m
  where m.id = any($merchantIds::uuid[])`;

/** By merchant id. */
export async function listCredentials(
  db: Queryable,
  merchantIds: readonly string[],
): Promise<Map<string, StoredCredential>> {
  const rows = await db.query<StoredCredential & { merchantId: string }>(
    ...statement(LIST_CREDENTIALS, { merchantIds }),
  );
  return new Map(rows.map(({ merchantId, ...credential }) => [merchantId, credential]));
}

const UPDATE = sql`update merchants m
  set status = coalesce($status, m.status), display_name = coalesce($displayName, m.display_name),
      public_key = coalesce($publicKey, m.public_key), public_key_point = coalesce($publicKeyPoint, m.public_key_point),
      require_bound_signatures = coalesce($requireBoundSignatures, m.require_bound_signatures),
      rate_limit = case when $setsRateLimit then $rateLimit::jsonb else m.rate_limit end, update_date = $now
  where m.id = $merchantId
  returning ${COLUMNS}`;

/** Absent fields stay as they are. */
export async function updateMerchant(
  db: Queryable,
  merchantId: string,
  change: {
    status?: MerchantStatus;
    displayName?: string | undefined;
    publicKey?: PublicKey;
    requireBoundSignatures?: boolean | undefined;
    rateLimit?: RateLimit | null | undefined;
  },
  now: Date,
): Promise<Merchant> {
  const { status = null, displayName = null, publicKey, requireBoundSignatures = null, rateLimit } = change;
  const limit = { setsRateLimit: rateLimit !== undefined, rateLimit: rateLimit ? JSON.stringify(rateLimit) : null };
  const key = { publicKey: publicKey?.pem ?? null, publicKeyPoint: publicKey?.point ?? null };
  const values = { merchantId, status, displayName, requireBoundSignatures, now, ...limit, ...key };
  return (await findOne(db, UPDATE, values)) as Merchant;
}

export interface MerchantFilters {
  /** A regular expression that finds a part of the name, the domain or the address. */
  readonly pattern: string | null;
  readonly ids: IdRange | null;
  /** Only these. */
  readonly oneOf: readonly string[] | null;
  readonly status: MerchantStatus | null;
}

/** Newest first. A search reads one merchant after the other, only those of the status if one is given, until a page is full. */
export async function listMerchants(
  db: Queryable,
  { pattern, ids, oneOf, status }: MerchantFilters,
  after: Position | null,
  count: number,
): Promise<Merchant[]> {
  const [lastDate = "", lastId = ""] = after ?? NEWEST;
  const conditions = allOf(
    sql`(m.create_date, m.id) < ($lastDate::timestamptz, $lastId::uuid)`,
    status === null ? null : sql`m.status = $status`,
    pattern === null ? null : sql`m.display_name ~ $pattern or m.domain ~ $pattern or m.email ~ $pattern`,
  );
  const named = allOf(
    ids === null ? null : inIdRange(sql`m.id`),
    oneOf === null ? null : sql`m.id = any ($oneOf::uuid[])`,
  );
  // `offset 0` keeps the planner from looking for a few ids among all merchants by date.
  const merchants =
    ids === null && oneOf === null ? sql`merchants m` : sql`(select m.* from merchants m where ${named} offset 0) m`;
  const list = sql`select ${COLUMNS}
    from ${merchants}
    where ${conditions}
    order by m.create_date desc, m.id desc
    limit $count`;
  return db.query<Merchant>(
    ...statement(list, { lastDate, lastId, pattern, oneOf, ...rangeValues(ids), status, count }),
  );
}

export async function isRetired(db: Queryable, point: Buffer): Promise<boolean> {
  const rows = await db.query("select from retired_public_keys where public_key_point = $1", [point]);
  return rows.length > 0;
}

/** Retires the merchant's present key. */
export async function retireKey(db: Queryable, merchantId: string, now: Date): Promise<void> {
  await db.query(
    `insert into retired_public_keys (public_key_point, merchant_id, retire_date)
     select m.public_key_point, m.id, $2 from merchants m where m.id = $1
     on conflict (public_key_point) do update set merchant_id = excluded.merchant_id, retire_date = excluded.retire_date`,
    [merchantId, now],
  );
}

/** True when the key was retired. */
export async function deleteRetiredKey(db: Queryable, point: Buffer): Promise<boolean> {
  const rows = await db.query("delete from retired_public_keys where public_key_point = $1 returning merchant_id", [
    point,
  ]);
  return rows.length > 0;
}
