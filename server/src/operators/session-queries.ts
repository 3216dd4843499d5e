import type { Queryable } from "../db/pool.ts";
import type { OperatorRole } from "./roles.ts";

export interface SessionRow {
  readonly token_hash: Buffer;
  readonly expire_date: Date;
  /** Null unless the token is one of the database that is still good. */
  readonly id: string | null;
  readonly name: string | null;
  readonly role: OperatorRole | null;
}

export async function insertSession(
  db: Queryable,
  session: { idHash: Buffer; tokenHash: Buffer; createDate: Date; expireDate: Date },
): Promise<void> {
  await db.query(
    "insert into operator_sessions (id_hash, token_hash, create_date, expire_date) values ($1, $2, $3, $4)",
    [session.idHash, session.tokenHash, session.createDate, session.expireDate],
  );
}

/** A session ends no later than its token. */
export async function findSession(db: Queryable, idHash: Buffer, now: Date): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    `select s.token_hash, least(s.expire_date, t.expire_date) as expire_date, t.id, t.name, t.role
     from operator_sessions s
     left join operator_tokens t on t.token_hash = s.token_hash and t.revoke_date is null and t.expire_date > $2
     where s.id_hash = $1 and s.expire_date > $2`,
    [idHash, now],
  );
  return row ?? null;
}

export async function deleteSession(db: Queryable, idHash: Buffer): Promise<void> {
  await db.query("delete from operator_sessions where id_hash = $1", [idHash]);
}

export async function deleteSessionsOver(db: Queryable, now: Date): Promise<void> {
  await db.query("delete from operator_sessions where expire_date <= $1", [now]);
}
