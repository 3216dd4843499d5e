import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import { SAME_MERCHANTS_MAX } from "../limits.ts";
import { fingerprint, type PublicKey } from "./public-key.ts";
import type { ApplicationStatus, MerchantStatus } from "./schemas.ts";

interface ApplicationRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly status: ApplicationStatus;
  readonly email: string;
  readonly domain: string;
  readonly telegram: string | null;
  readonly description: string;
  readonly public_key: string;
  readonly reason: string | null;
  readonly proven: boolean;
  readonly create_date: Date;
  readonly decide_date: Date | null;
  readonly same_key: SameMerchant[];
  readonly same_domain: SameMerchant[];
}

interface SameMerchant {
  readonly merchantId: string;
  readonly displayName: string;
  readonly status: MerchantStatus;
}

interface MerchantRow {
  readonly id: string;
  readonly display_name: string;
  readonly algorithm: string;
  readonly status: MerchantStatus;
  readonly public_key: string;
  readonly require_bound_signatures: boolean;
  readonly email: string;
  readonly domain: string;
  readonly create_date: Date;
  readonly update_date: Date;
}

export type Application = ReturnType<typeof toApplication>;
export type Merchant = ReturnType<typeof toMerchant>;

function toApplication(row: ApplicationRow) {
  return {
    applicationId: row.id,
    merchantId: row.merchant_id,
    status: row.status,
    email: row.email,
    domain: row.domain,
    telegram: row.telegram,
    description: row.description,
    publicKey: row.public_key,
    keyFingerprint: fingerprint(row.public_key),
    reason: row.reason,
    proven: row.proven,
    createDate: row.create_date.toISOString(),
    decideDate: row.decide_date?.toISOString() ?? null,
    sameKey: row.same_key,
    sameDomain: row.same_domain,
  };
}

function toMerchant(row: MerchantRow) {
  return {
    merchantId: row.id,
    displayName: row.display_name,
    algorithm: row.algorithm,
    status: row.status,
    publicKey: row.public_key,
    keyFingerprint: fingerprint(row.public_key),
    requireBoundSignatures: row.require_bound_signatures,
    email: row.email,
    domain: row.domain,
    createDate: row.create_date.toISOString(),
    updateDate: row.update_date.toISOString(),
  };
}

// Others who have the application's key or its domain, with `www.` before it or not. Each status is looked up by itself and
// no further than is shown, so that a flood of refused applications neither hides an active merchant nor makes this slow.
const APPLICATION_COLUMNS = `a.id, a.merchant_id, a.status, a.email, a.domain, a.telegram, a.description, a.public_key,
  a.reason, a.proven, a.create_date, a.decide_date, array(
    select json_build_object('merchantId', m.id, 'displayName', m.display_name, 'status', m.status)
    from unnest(array['ACTIVE', 'SUSPENDED', 'PENDING', 'REJECTED']) with ordinality as wanted (status, place)
    cross join lateral (
      select m.id, m.display_name, m.status, m.create_date
      from merchants m
      where m.public_key_point = a.public_key_point and m.status = wanted.status and m.id <> a.merchant_id
      order by m.create_date desc, m.id desc
      limit ${SAME_MERCHANTS_MAX}
    ) m
    order by wanted.place, m.create_date desc, m.id desc
    limit ${SAME_MERCHANTS_MAX}
  ) as same_key, array(
    select json_build_object('merchantId', m.id, 'displayName', m.display_name, 'status', m.status)
    from (
      select m.id, m.display_name, m.status, m.create_date, wanted.place
      from unnest(array['ACTIVE', 'SUSPENDED', 'PENDING', 'REJECTED']) with ordinality as wanted (status, place)
      cross join unnest(array[regexp_replace(a.domain, '^www[.]', ''), 'www.' || regexp_replace(a.domain, '^www[.]', '')])
        as spelled (domain)
      cross join lateral (
        select m.id, m.display_name, m.status, m.create_date
        from merchants m
        where m.domain = spelled.domain and m.status = wanted.status and m.id <> a.merchant_id
        order by m.create_date desc, m.id desc
        limit ${SAME_MERCHANTS_MAX}
      ) m
      union
      select m.id, m.display_name, m.status, m.create_date, wanted.place
      from unnest(array[regexp_replace(a.domain, '^www[.]', ''), 'www.' || regexp_replace(a.domain, '^www[.]', '')])
        as spelled (domain)
      cross join lateral (
        select d.merchant_id
        from merchant_domains d
        where d.domain = spelled.domain and d.slot > 0 and d.merchant_id <> a.merchant_id
        order by d.merchant_id
        limit ${SAME_MERCHANTS_MAX}
      ) d
      join merchants m on m.id = d.merchant_id
      join unnest(array['ACTIVE', 'SUSPENDED', 'PENDING', 'REJECTED']) with ordinality as wanted (status, place)
        on wanted.status = m.status
    ) m
    order by m.place, m.create_date desc, m.id desc
    limit ${SAME_MERCHANTS_MAX}
  ) as same_domain`;

const FIND_APPLICATION = `select ${APPLICATION_COLUMNS} from applications a where a.id = $1`;
const LOCK_APPLICATION = `${FIND_APPLICATION} for update`;

const LOCK_UNPROVEN_APPLICATION = `select ${APPLICATION_COLUMNS}
  from applications a
  where a.public_key_point = $1 and a.status = 'PENDING' and not a.proven
  for update`;

const DECIDE_APPLICATION = `update applications a set status = $2, reason = $3, decide_date = $4
  where a.id = $1
  returning ${APPLICATION_COLUMNS}`;

const LIST_APPLICATIONS = `select ${APPLICATION_COLUMNS}
  from applications a
  where (a.create_date, a.id) < ($1::timestamptz, $2::uuid)
  order by a.create_date desc, a.id desc
  limit $3`;

const LIST_APPLICATIONS_BY_STATUS = `select ${APPLICATION_COLUMNS}
  from applications a
  where a.status = $4 and (a.create_date, a.id) < ($1::timestamptz, $2::uuid)
  order by a.create_date desc, a.id desc
  limit $3`;

const MERCHANT_COLUMNS = `m.id, m.display_name, m.algorithm, m.status, m.public_key, m.require_bound_signatures, m.email,
  m.domain, m.create_date, m.update_date`;

const FIND_MERCHANT = `select ${MERCHANT_COLUMNS} from merchants m where m.id = $1`;
const LOCK_MERCHANT = `${FIND_MERCHANT} for update`;

const LOCK_UNPROVEN_MERCHANT = `select ${MERCHANT_COLUMNS}
  from merchants m
  where m.public_key_point = $1 and m.status = 'ACTIVE' and exists (
    select from applications a where a.merchant_id = m.id and a.public_key_point = $1 and not a.proven
  )
  for update of m`;

const UPDATE_MERCHANT = `update merchants m
  set status = coalesce($2, m.status), display_name = coalesce($3, m.display_name), public_key = coalesce($4, m.public_key),
      public_key_point = coalesce($5, m.public_key_point),
      require_bound_signatures = coalesce($7, m.require_bound_signatures), update_date = $6
  where m.id = $1
  returning ${MERCHANT_COLUMNS}`;

const LIST_MERCHANTS = `select ${MERCHANT_COLUMNS}
  from merchants m
  where (m.create_date, m.id) < ($1::timestamptz, $2::uuid)
  order by m.create_date desc, m.id desc
  limit $3`;

const LIST_MERCHANTS_BY_STATUS = `select ${MERCHANT_COLUMNS}
  from merchants m
  where m.status = $4 and (m.create_date, m.id) < ($1::timestamptz, $2::uuid)
  order by m.create_date desc, m.id desc
  limit $3`;

const SEARCH_MERCHANTS = `select ${MERCHANT_COLUMNS}
  from merchants m
  where (m.create_date, m.id) < ($1::timestamptz, $2::uuid)
    and (m.display_name ~ $4 or m.domain ~ $4 or m.email ~ $4 or m.id = $5::uuid)
  order by m.create_date desc, m.id desc
  limit $3`;

const SEARCH_MERCHANTS_BY_STATUS = `select ${MERCHANT_COLUMNS}
  from merchants m
  where m.status = $6 and (m.create_date, m.id) < ($1::timestamptz, $2::uuid)
    and (m.display_name ~ $4 or m.domain ~ $4 or m.email ~ $4 or m.id = $5::uuid)
  order by m.create_date desc, m.id desc
  limit $3`;

export interface NewApplication {
  readonly applicationId: string;
  readonly merchantId: string;
  readonly email: string;
  readonly domain: string;
  readonly telegram: string | null;
  readonly description: string;
  readonly publicKey: string;
  readonly publicKeyPoint: Buffer;
  /** Whether the applicant showed that it holds the private key. */
  readonly proven: boolean;
}

export async function insertPendingMerchant(db: Queryable, application: NewApplication, now: Date): Promise<void> {
  const { merchantId, email, domain, publicKey, publicKeyPoint } = application;
  await db.query(
    `insert into merchants
       (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, $2, 'PENDING', 'ECDSA_P256_SHA256', $3, $4, $5, $2, $6, $6)`,
    [merchantId, domain, publicKey, publicKeyPoint, email, now],
  );
}

/** False when a pending application holds the same key. */
export async function insertPendingApplication(
  db: Queryable,
  application: NewApplication,
  now: Date,
): Promise<boolean> {
  const { applicationId, merchantId, email, domain, publicKey, publicKeyPoint, telegram, description, proven } =
    application;
  const inserted = await db.query(
    `insert into applications
       (id, merchant_id, status, email, domain, public_key, public_key_point, telegram, description, proven, create_date)
     values ($1, $2, 'PENDING', $3, $4, $5, $6, $7, $8, $10, $9)
     on conflict (public_key_point) where status = 'PENDING' do nothing
     returning id`,
    [applicationId, merchantId, email, domain, publicKey, publicKeyPoint, telegram, description, now, proven],
  );
  return inserted.length === 1;
}

/** Whether a pending application has this key and cannot be displaced: by proof it can, unless it has proof itself. */
export async function isAppliedFor(db: Queryable, point: Buffer, withProof: boolean): Promise<boolean> {
  const rows = await db.query(
    `select from applications a
     where a.public_key_point = $1 and a.status = 'PENDING' and (a.proven or not $2::boolean)
     limit 1`,
    [point, withProof],
  );
  return rows.length > 0;
}

/** The same of an active merchant. A key that an operator gave to a merchant is not the one of its application. */
export async function isRegistered(db: Queryable, point: Buffer, withProof: boolean): Promise<boolean> {
  const rows = await db.query(
    `select from merchants m
     where m.public_key_point = $1 and m.status = 'ACTIVE' and not ($2::boolean and exists (
       select from applications a where a.merchant_id = m.id and a.public_key_point = $1 and not a.proven
     ))
     limit 1`,
    [point, withProof],
  );
  return rows.length > 0;
}

/** Of the pending applications, the one with this key that came without proof, locked. */
export async function lockUnprovenApplication(db: Queryable, point: Buffer): Promise<Application | null> {
  const [row] = await db.query<ApplicationRow>(LOCK_UNPROVEN_APPLICATION, [point]);
  return row === undefined ? null : toApplication(row);
}

/** The active merchant that registered this key itself and never showed that it holds the private key, locked. */
export async function lockUnprovenMerchant(db: Queryable, point: Buffer): Promise<Merchant | null> {
  const [row] = await db.query<MerchantRow>(LOCK_UNPROVEN_MERCHANT, [point]);
  return row === undefined ? null : toMerchant(row);
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

export async function findApplication(db: Queryable, id: string): Promise<Application | null> {
  const [row] = await db.query<ApplicationRow>(FIND_APPLICATION, [id]);
  return row === undefined ? null : toApplication(row);
}

export async function lockApplication(db: Queryable, id: string): Promise<Application | null> {
  const [row] = await db.query<ApplicationRow>(LOCK_APPLICATION, [id]);
  return row === undefined ? null : toApplication(row);
}

export async function decideApplication(
  db: Queryable,
  id: string,
  decision: { status: "APPROVED" | "REJECTED"; reason: string | null },
  now: Date,
): Promise<Application> {
  const [row] = await db.query<ApplicationRow>(DECIDE_APPLICATION, [id, decision.status, decision.reason, now]);
  return toApplication(row as ApplicationRow);
}

// Before the first page stands a position that sorts before every row, so that one plan serves every page.
const NEWEST: Position = ["infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

export async function listApplications(
  db: Queryable,
  status: ApplicationStatus | null,
  after: Position | null,
  count: number,
): Promise<Application[]> {
  const page = [...(after ?? NEWEST), count];
  const rows =
    status === null
      ? await db.query<ApplicationRow>(LIST_APPLICATIONS, page)
      : await db.query<ApplicationRow>(LIST_APPLICATIONS_BY_STATUS, [...page, status]);
  return rows.map(toApplication);
}

export async function findMerchant(db: Queryable, id: string): Promise<Merchant | null> {
  const [row] = await db.query<MerchantRow>(FIND_MERCHANT, [id]);
  return row === undefined ? null : toMerchant(row);
}

/** What a signed request is checked against. */
export interface StoredCredential {
  readonly status: MerchantStatus;
  readonly publicKey: string;
  readonly requireBoundSignatures: boolean;
}

export async function findCredential(db: Queryable, id: string): Promise<StoredCredential | null> {
  const [row] = await db.query<Pick<MerchantRow, "status" | "public_key" | "require_bound_signatures">>(
    "select status, public_key, require_bound_signatures from merchants where id = $1",
    [id],
  );
  return row === undefined
    ? null
    : {
        status: row.status,
        publicKey: row.public_key,
        requireBoundSignatures: row.require_bound_signatures,
      };
}

export async function lockMerchant(db: Queryable, id: string): Promise<Merchant | null> {
  const [row] = await db.query<MerchantRow>(LOCK_MERCHANT, [id]);
  return row === undefined ? null : toMerchant(row);
}

/** Absent fields stay as they are. */
export async function updateMerchant(
  db: Queryable,
  id: string,
  change: {
    status?: MerchantStatus;
    displayName?: string | undefined;
    publicKey?: PublicKey;
    requireBoundSignatures?: boolean | undefined;
  },
  now: Date,
): Promise<Merchant> {
  const [row] = await db.query<MerchantRow>(UPDATE_MERCHANT, [
    id,
    change.status ?? null,
    change.displayName ?? null,
    change.publicKey?.pem ?? null,
    change.publicKey?.point ?? null,
    now,
    change.requireBoundSignatures ?? null,
  ]);
  return toMerchant(row as MerchantRow);
}

export interface MerchantFilters {
  /** A regular expression that the name, the domain or the address has a match of. */
  readonly pattern: string | null;
  /** An id that may be given in place of all of these. */
  readonly id: string | null;
  readonly status: MerchantStatus | null;
}

/** Newest first. A search looks at one merchant after the other, those of its status if it has one, until a page is full. */
export async function listMerchants(
  db: Queryable,
  { pattern, id, status }: MerchantFilters,
  after: Position | null,
  count: number,
): Promise<Merchant[]> {
  const page = [...(after ?? NEWEST), count];
  if (pattern === null) {
    const rows =
      status === null
        ? await db.query<MerchantRow>(LIST_MERCHANTS, page)
        : await db.query<MerchantRow>(LIST_MERCHANTS_BY_STATUS, [...page, status]);
    return rows.map(toMerchant);
  }
  const search = [...page, pattern, id];
  const rows =
    status === null
      ? await db.query<MerchantRow>(SEARCH_MERCHANTS, search)
      : await db.query<MerchantRow>(SEARCH_MERCHANTS_BY_STATUS, [...search, status]);
  return rows.map(toMerchant);
}
