import { allOf, sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import type { AuditHead, AuditRow } from "./record.ts";

const COLUMNS = sql`a.position, a.date, a.actor, a.action, a.subject, a.merchant_id as "merchantId", a.detail,
  a.request_id as "requestId", a.mac, a.key_version as "keyVersion"`;

const FIND_HEAD = sql`select position, mac, key_version as "keyVersion", key_check as "keyCheck" from audit_head`;
const LOCK_HEAD = sql`${FIND_HEAD} for update`;

export async function lockAuditHead(db: Queryable): Promise<AuditHead> {
  const [head] = await db.query<AuditHead>(...statement(LOCK_HEAD, {}));
  if (head === undefined) throw new Error("The audit log has no head row.");
  return head;
}

export async function findAuditHead(db: Queryable): Promise<AuditHead> {
  const [head] = await db.query<AuditHead>(...statement(FIND_HEAD, {}));
  return head ?? { position: 0, mac: Buffer.alloc(0), keyVersion: 0, keyCheck: null };
}

const FIND_MAC = sql`select mac from audit_log where position = $position::bigint`;

export async function findAuditMac(db: Queryable, position: number): Promise<Buffer | null> {
  const [row] = await db.query<{ mac: Buffer }>(...statement(FIND_MAC, { position }));
  return row?.mac ?? null;
}

const INSERT = sql`with row as (
    insert into audit_log (position, date, actor, action, subject, merchant_id, detail, request_id, mac, key_version)
    values ($position, $date, $actor, $action, $subject, $merchantId, $detail, $requestId, $mac, $keyVersion)
  )
  update audit_head set position = $position, mac = $mac, key_version = $keyVersion, key_check = $keyCheck`;

export async function insertAuditRow(db: Queryable, row: AuditRow, keyCheck: Buffer): Promise<void> {
  await db.query(...statement(INSERT, { ...row, keyCheck }));
}

interface BootstrapRow extends AuditRow {
  readonly previousMac: Buffer;
  readonly previousKeyVersion: number;
}

const FIND_BOOTSTRAP_ROW = sql`select ${COLUMNS},
    coalesce(p.mac, ''::bytea) as "previousMac", coalesce(p.key_version, 0) as "previousKeyVersion"
  from audit_log a
  left join audit_log p on p.position = a.position - 1
  where a.action in ('bootstrap.close', 'bootstrap.open')
  order by a.position desc
  limit 1`;

/** The last row that switched the bootstrap token off or on, with the link before it. */
export async function findBootstrapRow(db: Queryable): Promise<BootstrapRow | null> {
  const [row] = await db.query<BootstrapRow>(...statement(FIND_BOOTSTRAP_ROW, {}));
  return row ?? null;
}

const VERIFY_BATCH_ROWS = 1_000;

/** Null: from the very first row, even if its position is wrong. */
export async function listAuditRowsAfter(db: Queryable, position: number | null): Promise<AuditRow[]> {
  const list = sql`select ${COLUMNS}
    from audit_log a
    where ${allOf(position === null ? null : sql`a.position > $position`)}
    order by a.position
    limit $count`;
  return db.query<AuditRow>(...statement(list, { position, count: VERIFY_BATCH_ROWS }));
}

export interface AuditFilters {
  readonly merchantId: string | null;
  /** Exactly as the log names it. */
  readonly actor: string | null;
  readonly action: string | null;
  /** What was changed. It has few entries. */
  readonly subject: string | null;
  /** Both are inclusive. */
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
}

const LAST_POSITION = String(Number.MAX_SAFE_INTEGER);

/** The position of a row in the list with these filters. */
export function auditPositionOf(filters: AuditFilters, { position, date }: AuditRow): Position {
  return isOrderedByDate(filters) ? [date.toISOString(), String(position)] : [String(position)];
}

/**
 * Newest first. All of them, or those of a merchant, are in the order of the chain. With another filter they are in the order
 * of their dates, which is the same but for clocks that differ, so that one index serves the filter, the dates and the order.
 */
export async function listAuditRows(
  db: Queryable,
  filters: AuditFilters,
  after: Position | null,
  count: number,
): Promise<AuditRow[]> {
  const { merchantId, actor, action, subject, createdAfter, createdBefore } = filters;
  const merchant = merchantId === null ? null : sql`a.merchant_id = $merchantId`;
  if (!isOrderedByDate(filters)) {
    const conditions = allOf(sql`a.position < $before::bigint`, merchant);
    const list = sql`select ${COLUMNS} from audit_log a where ${conditions} order by a.position desc limit $count`;
    return db.query<AuditRow>(...statement(list, { before: after?.[0] ?? LAST_POSITION, merchantId, count }));
  }
  const [lastDate = "", lastPosition = ""] = after ?? ["infinity", LAST_POSITION];
  // The entries of a merchant or a subject are few, so the other filters are checked row by row. `coalesce` keeps the planner
  // from using the index of an actor with millions of entries instead.
  const areFew = merchantId !== null || subject !== null;
  const conditions = allOf(
    subject === null ? null : sql`a.subject = $subject`,
    merchantId !== null && subject !== null ? sql`coalesce(a.merchant_id = $merchantId, false)` : merchant,
    actor === null ? null : areFew ? sql`coalesce(a.actor = $actor, false)` : sql`a.actor = $actor`,
    action === null ? null : areFew ? sql`coalesce(a.action = $action, false)` : sql`a.action = $action`,
    sql`(a.date, a.position) < ($lastDate::timestamptz, $lastPosition::bigint)`,
    createdAfter === null ? null : sql`a.date >= $earliest::timestamptz`,
    createdBefore === null ? null : sql`a.date <= $latest::timestamptz`,
  );
  const list = sql`select ${COLUMNS}
    from audit_log a
    where ${conditions}
    order by a.date desc, a.position desc
    limit $count`;
  // The driver writes dates in the local time zone, whose offset in years long past has seconds that it drops.
  const dates = { earliest: createdAfter?.toISOString() ?? null, latest: createdBefore?.toISOString() ?? null };
  return db.query<AuditRow>(
    ...statement(list, { merchantId, actor, action, subject, ...dates, lastDate, lastPosition, count }),
  );
}

function isOrderedByDate({ actor, action, subject, createdAfter, createdBefore }: AuditFilters): boolean {
  return [actor, action, subject, createdAfter, createdBefore].some((filter) => filter !== null);
}
