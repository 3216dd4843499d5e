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

/** Newest first; of one merchant, or all. */
export async function listAuditRows(
  db: Queryable,
  merchantId: string | null,
  after: Position | null,
  count: number,
): Promise<AuditRow[]> {
  const conditions = allOf(
    sql`a.position < $before::bigint`,
    merchantId === null ? null : sql`a.merchant_id = $merchantId`,
  );
  const list = sql`select ${COLUMNS} from audit_log a where ${conditions} order by a.position desc limit $count`;
  const before = after?.[0] ?? String(Number.MAX_SAFE_INTEGER);
  return db.query<AuditRow>(...statement(list, { before, merchantId, count }));
}
