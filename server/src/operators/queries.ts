import type { Queryable } from "../db/pool.ts";
import type { Position } from "../http/pagination.ts";
import type { OperatorRole } from "./roles.ts";

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly createDate: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
}

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly create_date: Date;
  readonly expire_date: Date;
  readonly revoke_date: Date | null;
}

function toToken(row: TokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    createDate: row.create_date.toISOString(),
    expiresAt: row.expire_date.toISOString(),
    revokedAt: row.revoke_date?.toISOString() ?? null,
  };
}

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
}

/** Whether it was stored: false when there is a token with this id already. */
export async function insertToken(db: Queryable, token: Token, tokenHash: Buffer): Promise<boolean> {
  const stored = await db.query(
    `insert into operator_tokens (id, name, role, token_hash, create_date, expire_date)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do nothing
     returning id`,
    [token.id, token.name, token.role, tokenHash, token.createDate, token.expiresAt],
  );
  return stored.length === 1;
}

export async function findToken(db: Queryable, id: string): Promise<Token | null> {
  const [row] = await db.query<TokenRow>(
    "select id, name, role, create_date, expire_date, revoke_date from operator_tokens where id = $1",
    [id],
  );
  return row === undefined ? null : toToken(row);
}

export async function findUsableToken(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<{ id: string; name: string; role: OperatorRole } | null> {
  const [row] = await db.query<{ id: string; name: string; role: OperatorRole }>(
    `select id, name, role
     from operator_tokens
     where token_hash = $1 and revoke_date is null and expire_date > $2`,
    [tokenHash, now],
  );
  return row ?? null;
}

// Before the first page stands a position that sorts before every row, so that one plan serves every page.
const NEWEST: Position = ["infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

export async function listTokens(db: Queryable, after: Position | null, count: number): Promise<Token[]> {
  const rows = await db.query<TokenRow>(
    `select t.id, t.name, t.role, t.create_date, t.expire_date, t.revoke_date
     from operator_tokens t
     where (t.create_date, t.id) < ($1::timestamptz, $2::uuid)
     order by t.create_date desc, t.id desc
     limit $3`,
    [...(after ?? NEWEST), count],
  );
  return rows.map(toToken);
}

/** Null when there is no such token; a token that was revoked before keeps its date. */
export async function revokeToken(
  db: Queryable,
  id: string,
  now: Date,
): Promise<{ name: string; revoked: boolean } | null> {
  const [row] = await db.query<{ name: string; revoked: boolean }>(
    `update operator_tokens t set revoke_date = coalesce(t.revoke_date, $2)
     from (select id, revoke_date from operator_tokens where id = $1 for update) as before
     where t.id = before.id
     returning t.name, before.revoke_date is null as revoked`,
    [id, now],
  );
  return row ?? null;
}

export async function lockAuditHead(db: Queryable): Promise<{ position: number; mac: Buffer }> {
  const [head] = await db.query<{ position: number; mac: Buffer }>("select position, mac from audit_head for update");
  if (head === undefined) throw new Error("The audit log has no head row.");
  return head;
}

export async function findAuditHead(db: Queryable): Promise<{ position: number; mac: Buffer }> {
  const [head] = await db.query<{ position: number; mac: Buffer }>("select position, mac from audit_head");
  return head ?? { position: 0, mac: Buffer.alloc(0) };
}

export async function insertAuditRow(db: Queryable, row: AuditRow): Promise<void> {
  await db.query(
    `with row as (
       insert into audit_log (position, date, actor, action, subject, merchant_id, detail, request_id, mac)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     )
     update audit_head set position = $1, mac = $9`,
    [row.position, row.date, row.actor, row.action, row.subject, row.merchant_id, row.detail, row.request_id, row.mac],
  );
}

const VERIFY_BATCH_ROWS = 1_000;

/** Null: from the very first row, wherever somebody may have put it. */
export async function listAuditRowsAfter(db: Queryable, position: number | null): Promise<AuditRow[]> {
  return position === null
    ? db.query<AuditRow>(
        `select position, date, actor, action, subject, merchant_id, detail, request_id, mac
         from audit_log order by position limit $1`,
        [VERIFY_BATCH_ROWS],
      )
    : db.query<AuditRow>(
        `select position, date, actor, action, subject, merchant_id, detail, request_id, mac
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
          `select position, date, actor, action, subject, merchant_id, detail, request_id, mac
           from audit_log
           where position < $1::bigint
           order by position desc
           limit $2`,
          page,
        )
      : await db.query<AuditRow>(
          `select position, date, actor, action, subject, merchant_id, detail, request_id, mac
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
