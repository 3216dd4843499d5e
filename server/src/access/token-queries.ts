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
  /** Null: made on the host. */
  readonly createdBy: { readonly id: string; readonly name: string } | null;
}

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly create_date: Date;
  readonly expire_date: Date;
  readonly revoke_date: Date | null;
  readonly creator_id: string | null;
  readonly creator_name: string | null;
}

function toToken(row: TokenRow): Token {
  const { creator_id: creatorId, creator_name: creatorName } = row;
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    createDate: row.create_date.toISOString(),
    expiresAt: row.expire_date.toISOString(),
    revokedAt: row.revoke_date?.toISOString() ?? null,
    createdBy: creatorId === null || creatorName === null ? null : { id: creatorId, name: creatorName },
  };
}

/** A token as it is stored, with what proves that the row is of our making. */
export interface StoredToken {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly createdBy: string | null;
  readonly expireDate: Date;
  readonly tokenHash: Buffer;
  readonly keyVersion: number;
  readonly seal: Buffer;
}

/** Whether it was stored: false when there is a token with this id already. */
export async function insertToken(db: Queryable, token: StoredToken, createDate: Date): Promise<boolean> {
  const stored = await db.query(
    `insert into operator_tokens (id, name, role, created_by, expire_date, token_hash, key_version, seal, create_date)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do nothing
     returning id`,
    [
      token.id,
      token.name,
      token.role,
      token.createdBy,
      token.expireDate,
      token.tokenHash,
      token.keyVersion,
      token.seal,
      createDate,
    ],
  );
  return stored.length === 1;
}

export async function findToken(db: Queryable, id: string): Promise<Token | null> {
  const [row] = await db.query<TokenRow>(
    `select t.id, t.name, t.role, t.create_date, t.expire_date, t.revoke_date, c.id as creator_id, c.name as creator_name
     from operator_tokens t
     left join operator_tokens c on c.id = t.created_by
     where t.id = $1`,
    [id],
  );
  return row === undefined ? null : toToken(row);
}

/** The token with one of these hashes: the same token under each version of the secret. */
export async function findUsableToken(
  db: Queryable,
  hashes: readonly Buffer[],
  now: Date,
): Promise<StoredToken | null> {
  const [row] = await db.query<StoredToken>(
    `select id, name, role, created_by as "createdBy", expire_date as "expireDate", token_hash as "tokenHash",
       key_version as "keyVersion", seal
     from operator_tokens
     where token_hash = any($1::bytea[]) and revoke_date is null and expire_date > $2`,
    [hashes, now],
  );
  return row ?? null;
}

/** Puts the token under a newer version of the secret. Of two processes that do so at once, one does. */
export async function rekeyToken(db: Queryable, before: Buffer, token: StoredToken): Promise<void> {
  await db.query(
    "update operator_tokens set token_hash = $3, key_version = $4, seal = $5 where id = $1 and token_hash = $2",
    [token.id, before, token.tokenHash, token.keyVersion, token.seal],
  );
}

// Before the first page stands a position that sorts before every row, so that one plan serves every page.
const NEWEST: Position = ["infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

export async function listTokens(db: Queryable, after: Position | null, count: number): Promise<Token[]> {
  const rows = await db.query<TokenRow>(
    `select t.id, t.name, t.role, t.create_date, t.expire_date, t.revoke_date, c.id as creator_id, c.name as creator_name
     from operator_tokens t
     left join operator_tokens c on c.id = t.created_by
     where (t.create_date, t.id) < ($1::timestamptz, $2::uuid)
     order by t.create_date desc, t.id desc
     limit $3`,
    [...(after ?? NEWEST), count],
  );
  return rows.map(toToken);
}

/** How many good tokens the token made, those they made included. */
export async function countUsableDescendants(db: Queryable, id: string, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with recursive made as (
       select id from operator_tokens where created_by = $1
       union
       select t.id from operator_tokens t join made on t.created_by = made.id
     )
     select count(*)::int as count
     from operator_tokens t join made on made.id = t.id
     where t.revoke_date is null and t.expire_date > $2`,
    [id, now],
  );
  return row?.count ?? 0;
}

export interface RevokedToken {
  readonly id: string;
  readonly name: string;
}

/** Those that were not revoked before; they keep their date. */
export async function revokeOne(db: Queryable, id: string, now: Date): Promise<RevokedToken[]> {
  return db.query<RevokedToken>(
    "update operator_tokens set revoke_date = $2 where id = $1 and revoke_date is null returning id, name",
    [id, now],
  );
}

/** The token, those it made, those they made, and so on, also where one between them was revoked before. */
export async function revokeWithDescendants(db: Queryable, id: string, now: Date): Promise<RevokedToken[]> {
  return db.query<RevokedToken>(
    `with recursive family as (
       select id from operator_tokens where id = $1
       union
       select t.id from operator_tokens t join family on t.created_by = family.id
     )
     update operator_tokens t set revoke_date = $2
     from family
     where t.id = family.id and t.revoke_date is null
     returning t.id, t.name`,
    [id, now],
  );
}

/** The tokens that were not used since a newer version of the secret signs. */
export async function revokeTokensOfVersion(db: Queryable, keyVersion: number, now: Date): Promise<RevokedToken[]> {
  return db.query<RevokedToken>(
    `update operator_tokens set revoke_date = $2
     where key_version = $1 and revoke_date is null
     returning id, name`,
    [keyVersion, now],
  );
}

export async function hasUsableOperatorToken(
  db: Queryable,
  keyVersions: readonly number[],
  now: Date,
): Promise<boolean> {
  const found = await db.query(
    `select 1 from operator_tokens
     where role = 'operator' and revoke_date is null and expire_date > $2 and key_version = any($1::integer[])
     limit 1`,
    [keyVersions, now],
  );
  return found.length > 0;
}
