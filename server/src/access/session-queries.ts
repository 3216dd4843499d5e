import type { Queryable } from "../db/pool.ts";
import type { StoredToken } from "./record.ts";

/** A session as it is stored, with the MACs that prove that we wrote the row. */
export interface StoredSession {
  readonly idHash: Buffer;
  readonly keyVersion: number;
  /** Null: the bootstrap token. */
  readonly tokenId: string | null;
  readonly seal: Buffer;
  readonly expireDate: Date;
}

export async function insertSession(db: Queryable, session: StoredSession, createDate: Date): Promise<void> {
  await db.query(
    `insert into operator_sessions (id_hash, key_version, token_id, seal, expire_date, create_date)
     values ($1, $2, $3, $4, $5, $6)`,
    [session.idHash, session.keyVersion, session.tokenId, session.seal, session.expireDate, createDate],
  );
}

type SessionRow = StoredSession & { [Column in keyof StoredToken as `token_${Column}`]: StoredToken[Column] | null };

/** The session with one of these hashes, and its token while that is valid; null for the bootstrap token. */
export async function findSession(
  db: Queryable,
  hashes: readonly Buffer[],
  now: Date,
): Promise<{ session: StoredSession; token: StoredToken | null } | null> {
  const [row] = await db.query<SessionRow>(
    `select s.id_hash as "idHash", s.key_version as "keyVersion", s.token_id as "tokenId", s.seal,
       s.expire_date as "expireDate", t.id as "token_id", t.name as "token_name", t.role as "token_role",
       t.created_by as "token_createdBy", t.own_person as "token_ownPerson", t.expire_date as "token_expireDate", t.token_hash as "token_tokenHash",
       t.key_version as "token_keyVersion", t.seal as "token_seal"
     from operator_sessions s
     left join operator_tokens t on t.id = s.token_id and t.revoke_date is null and t.expire_date > $2
     where s.id_hash = any($1::bytea[]) and s.expire_date > $2`,
    [hashes, now],
  );
  if (row === undefined) return null;
  const { idHash, keyVersion, tokenId, seal, expireDate } = row;
  return { session: { idHash, keyVersion, tokenId, seal, expireDate }, token: tokenOf(row) };
}

function tokenOf(row: SessionRow): StoredToken | null {
  if (row.token_id === null) return null;
  return {
    id: row.token_id,
    name: row.token_name,
    role: row.token_role,
    createdBy: row.token_createdBy,
    ownPerson: row.token_ownPerson,
    expireDate: row.token_expireDate,
    tokenHash: row.token_tokenHash,
    keyVersion: row.token_keyVersion,
    seal: row.token_seal,
  } as StoredToken;
}

/** Puts the session under a newer version of the secret. */
export async function rekeySession(db: Queryable, before: Buffer, session: StoredSession): Promise<void> {
  await db.query("update operator_sessions set id_hash = $2, key_version = $3, seal = $4 where id_hash = $1", [
    before,
    session.idHash,
    session.keyVersion,
    session.seal,
  ]);
}

export async function deleteSession(db: Queryable, hashes: readonly Buffer[]): Promise<void> {
  await db.query("delete from operator_sessions where id_hash = any($1::bytea[])", [hashes]);
}

export async function deleteSessionsOver(db: Queryable, now: Date): Promise<void> {
  await db.query("delete from operator_sessions where expire_date <= $1", [now]);
}

export async function deleteSessionsOfVersion(db: Queryable, keyVersion: number): Promise<void> {
  await db.query("delete from operator_sessions where key_version = $1", [keyVersion]);
}
