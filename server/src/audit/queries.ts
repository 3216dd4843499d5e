import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";

export interface AuditRow {
  readonly position: number;
  readonly date: Date;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly merchant_id: string | null;
  readonly detail: string;
  readonly request_id: string | null;
  readonly mac: Buffer;
  readonly key_version: number;
}

/** The end of the chain. */
export interface AuditHead {
  readonly position: number;
  readonly mac: Buffer;
  readonly key_version: number;
}

export async function lockAuditHead(db: Queryable): Promise<AuditHead> {
  const [head] = await db.query<AuditHead>("select position, mac, key_version from audit_head for update");
  if (head === undefined) throw new Error("The audit log has no head row.");
  return head;
}

export async function findAuditHead(db: Queryable): Promise<AuditHead> {
  const [head] = await db.query<AuditHead>("select position, mac, key_version from audit_head");
  return head ?? { position: 0, mac: Buffer.alloc(0), key_version: 0 };
}

export async function insertAuditRow(db: Queryable, row: AuditRow): Promise<void> {
  await db.query(
    `with row as (
       insert into audit_log (position, date, actor, action, subject, merchant_id, detail, request_id, mac, key_version)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     )
     update audit_head set position = $1, mac = $9, key_version = $10`,
    [
      row.position,
      row.date,
      row.actor,
      row.action,
      row.subject,
      row.merchant_id,
      row.detail,
      row.request_id,
      row.mac,
      row.key_version,
    ],
  );
}

interface BootstrapRow extends AuditRow {
  readonly previous_mac: Buffer;
  readonly previous_key_version: number;
}

/** The last row that switched the bootstrap token off or on, with the link before it. */
export async function findBootstrapRow(db: Queryable): Promise<BootstrapRow | null> {
  const [row] = await db.query<BootstrapRow>(
    `select a.position, a.date, a.actor, a.action, a.subject, a.merchant_id, a.detail, a.request_id, a.mac, a.key_version,
       coalesce(p.mac, '\\x'::bytea) as previous_mac, coalesce(p.key_version, 0) as previous_key_version
     from audit_log a
     left join audit_log p on p.position = a.position - 1
     where a.action in ('bootstrap.close', 'bootstrap.open')
     order by a.position desc
     limit 1`,
  );
  return row ?? null;
}

const VERIFY_BATCH_ROWS = 1_000;

/** Null: from the very first row, wherever somebody may have put it. */
export async function listAuditRowsAfter(db: Queryable, position: number | null): Promise<AuditRow[]> {
  return position === null
    ? db.query<AuditRow>(
        `select position, date, actor, action, subject, merchant_id, detail, request_id, mac, key_version
         from audit_log order by position limit $1`,
        [VERIFY_BATCH_ROWS],
      )
    : db.query<AuditRow>(
        `select position, date, actor, action, subject, merchant_id, detail, request_id, mac, key_version
         from audit_log where position > $2 order by position limit $1`,
        [VERIFY_BATCH_ROWS, position],
      );
}

/** Newest first; of one merchant, or all. */
export async function listAuditEntries(
  db: Queryable,
  merchantId: string | null,
  after: Position | null,
  count: number,
) {
  const page = [after?.[0] ?? String(Number.MAX_SAFE_INTEGER), count];
  const rows =
    merchantId === null
      ? await db.query<AuditRow>(
          `select position, date, actor, action, subject, merchant_id, detail, request_id, mac, key_version
           from audit_log
           where position < $1::bigint
           order by position desc
           limit $2`,
          page,
        )
      : await db.query<AuditRow>(
          `select position, date, actor, action, subject, merchant_id, detail, request_id, mac, key_version
           from audit_log
           where merchant_id = $3 and position < $1::bigint
           order by position desc
           limit $2`,
          [...page, merchantId],
        );
  return rows.map((row) => ({
    position: row.position,
    date: row.date.toISOString(),
    actor: row.actor,
    action: row.action,
    subject: row.subject,
    merchantId: row.merchant_id,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
    requestId: row.request_id,
    mac: row.mac.toString("hex"),
  }));
}
