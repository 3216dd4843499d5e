import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
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
  readonly create_date: Date;
  readonly decide_date: Date | null;
}

interface MerchantRow {
  readonly id: string;
  readonly display_name: string;
  readonly algorithm: string;
  readonly status: MerchantStatus;
  readonly public_key: string;
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
    createDate: row.create_date.toISOString(),
    decideDate: row.decide_date?.toISOString() ?? null,
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
    email: row.email,
    domain: row.domain,
    createDate: row.create_date.toISOString(),
    updateDate: row.update_date.toISOString(),
  };
}

export interface NewApplication {
  readonly applicationId: string;
  readonly merchantId: string;
  readonly email: string;
  readonly domain: string;
  readonly telegram: string | null;
  readonly description: string;
  readonly publicKey: string;
  readonly publicKeyPoint: Buffer;
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
  const { applicationId, merchantId, email, domain, publicKey, publicKeyPoint, telegram, description } = application;
  const inserted = await db.query(
    `insert into applications
       (id, merchant_id, status, email, domain, public_key, public_key_point, telegram, description, create_date)
     values ($1, $2, 'PENDING', $3, $4, $5, $6, $7, $8, $9)
     on conflict (public_key_point) where status = 'PENDING' do nothing
     returning id`,
    [applicationId, merchantId, email, domain, publicKey, publicKeyPoint, telegram, description, now],
  );
  return inserted.length === 1;
}

export async function lockApplication(db: Queryable, id: string): Promise<Application | null> {
  const [row] = await db.query<ApplicationRow>(
    `select id, merchant_id, status, email, domain, telegram, description, public_key, reason, create_date, decide_date
     from applications where id = $1 for update`,
    [id],
  );
  return row === undefined ? null : toApplication(row);
}

export async function decideApplication(
  db: Queryable,
  id: string,
  decision: { status: "APPROVED" | "REJECTED"; reason: string | null },
  now: Date,
): Promise<Application> {
  const [row] = await db.query<ApplicationRow>(
    `update applications set status = $2, reason = $3, decide_date = $4 where id = $1
     returning id, merchant_id, status, email, domain, telegram, description, public_key, reason, create_date, decide_date`,
    [id, decision.status, decision.reason, now],
  );
  return toApplication(row as ApplicationRow);
}

export async function listApplications(
  db: Queryable,
  status: ApplicationStatus | null,
  after: Position | null,
  count: number,
): Promise<Application[]> {
  const position = [after?.[0] ?? null, after?.[1] ?? null, count];
  const rows =
    status === null
      ? await db.query<ApplicationRow>(
          `select a.id, a.merchant_id, a.status, a.email, a.domain, a.telegram, a.description, a.public_key, a.reason,
                  a.create_date, a.decide_date
           from applications a
           where $1::timestamptz is null or (a.create_date, a.id) < ($1, $2::uuid)
           order by a.create_date desc, a.id desc
           limit $3`,
          position,
        )
      : await db.query<ApplicationRow>(
          `select a.id, a.merchant_id, a.status, a.email, a.domain, a.telegram, a.description, a.public_key, a.reason,
                  a.create_date, a.decide_date
           from applications a
           where a.status = $4 and ($1::timestamptz is null or (a.create_date, a.id) < ($1, $2::uuid))
           order by a.create_date desc, a.id desc
           limit $3`,
          [...position, status],
        );
  return rows.map(toApplication);
}

export async function findMerchant(db: Queryable, id: string): Promise<Merchant | null> {
  const [row] = await db.query<MerchantRow>(
    `select id, display_name, algorithm, status, public_key, email, domain, create_date, update_date
     from merchants where id = $1`,
    [id],
  );
  return row === undefined ? null : toMerchant(row);
}

/** What a signed request is checked against. */
export async function findCredential(
  db: Queryable,
  id: string,
): Promise<{ status: MerchantStatus; publicKey: string } | null> {
  const [row] = await db.query<{ status: MerchantStatus; public_key: string }>(
    "select status, public_key from merchants where id = $1",
    [id],
  );
  return row === undefined ? null : { status: row.status, publicKey: row.public_key };
}

export async function lockMerchant(db: Queryable, id: string): Promise<Merchant | null> {
  const [row] = await db.query<MerchantRow>(
    `select id, display_name, algorithm, status, public_key, email, domain, create_date, update_date
     from merchants where id = $1 for update`,
    [id],
  );
  return row === undefined ? null : toMerchant(row);
}

/** Absent fields stay as they are. */
export async function updateMerchant(
  db: Queryable,
  id: string,
  change: { status?: MerchantStatus; displayName?: string | undefined; publicKey?: PublicKey },
  now: Date,
): Promise<Merchant> {
  const [row] = await db.query<MerchantRow>(
    `update merchants
     set status = coalesce($2, status), display_name = coalesce($3, display_name), public_key = coalesce($4, public_key),
         public_key_point = coalesce($5, public_key_point), update_date = $6
     where id = $1
     returning id, display_name, algorithm, status, public_key, email, domain, create_date, update_date`,
    [
      id,
      change.status ?? null,
      change.displayName ?? null,
      change.publicKey?.pem ?? null,
      change.publicKey?.point ?? null,
      now,
    ],
  );
  return toMerchant(row as MerchantRow);
}

export async function listMerchants(db: Queryable, after: Position | null, count: number): Promise<Merchant[]> {
  const rows = await db.query<MerchantRow>(
    `select m.id, m.display_name, m.algorithm, m.status, m.public_key, m.email, m.domain, m.create_date, m.update_date
     from merchants m
     where $1::timestamptz is null or (m.create_date, m.id) < ($1, $2::uuid)
     order by m.create_date desc, m.id desc
     limit $3`,
    [after?.[0] ?? null, after?.[1] ?? null, count],
  );
  return rows.map(toMerchant);
}
