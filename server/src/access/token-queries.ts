import { sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import { NEWEST, type Position } from "../http/pagination.ts";
import type { RevokedToken, StoredToken, Token } from "./record.ts";

const SELECT = sql`select t.id, t.name, t.role, t.create_date as "createDate", t.expire_date as "expireDate",
    t.revoke_date as "revokeDate",
    case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end as "createdBy"
  from operator_tokens t
  left join operator_tokens c on c.id = t.created_by`;

/** False when there is already a token with this id. */
export async function insertToken(db: Queryable, token: StoredToken, createDate: Date): Promise<boolean> {
  const insert = sql`insert into operator_tokens
      (id, name, role, created_by, own_person, expire_date, token_hash, key_version, seal, create_date)
    values ($id, $name, $role, $createdBy, $ownPerson, $expireDate, $tokenHash, $keyVersion, $seal, $createDate)
    on conflict (id) do nothing
    returning id`;
  return (await db.query(...statement(insert, { ...token, createDate }))).length === 1;
}

export async function findToken(db: Queryable, id: string): Promise<Token | null> {
  const [token] = await db.query<Token>(...statement(sql`${SELECT} where t.id = $id`, { id }));
  return token ?? null;
}

/** The token with one of these hashes: the same token under each version of the secret. */
export async function findUsableToken(
  db: Queryable,
  hashes: readonly Buffer[],
  now: Date,
): Promise<StoredToken | null> {
  const [row] = await db.query<StoredToken>(
    `select id, name, role, created_by as "createdBy", own_person as "ownPerson", expire_date as "expireDate", token_hash as "tokenHash",
       key_version as "keyVersion", seal
     from operator_tokens
     where token_hash = any($1::bytea[]) and revoke_date is null and expire_date > $2`,
    [hashes, now],
  );
  return row ?? null;
}

/** Puts the token under a newer version of the secret. When two processes try, one of them succeeds. */
export async function rekeyToken(db: Queryable, before: Buffer, token: StoredToken): Promise<void> {
  await db.query(
    "update operator_tokens set token_hash = $3, key_version = $4, seal = $5 where id = $1 and token_hash = $2",
    [token.id, before, token.tokenHash, token.keyVersion, token.seal],
  );
}

export async function listTokens(db: Queryable, after: Position | null, count: number): Promise<Token[]> {
  const [lastDate = "", lastId = ""] = after ?? NEWEST;
  const list = sql`${SELECT}
    where (t.create_date, t.id) < ($lastDate::timestamptz, $lastId::uuid)
    order by t.create_date desc, t.id desc
    limit $count`;
  return db.query<Token>(...statement(list, { lastDate, lastId, count }));
}

/** How many valid tokens the token made, with those that they made. */
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

/** Returns the tokens that this revoked. A token that was revoked before keeps its date. */
export async function revokeOne(db: Queryable, id: string, now: Date): Promise<RevokedToken[]> {
  return db.query<RevokedToken>(
    "update operator_tokens set revoke_date = $2 where id = $1 and revoke_date is null returning id, name",
    [id, now],
  );
}

/** The token, those it made, those they made, and so on, even if one between them was revoked before. */
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

/**
 * The token that stands for the person who holds this one: the nearest of it and its makers that is a person of its own. Null: the
 * bootstrap token, which is the last of all makers. Who made a token never changes.
 */
export async function findPerson(db: Queryable, id: string): Promise<string | null> {
  const [person] = await db.query<{ id: string }>(
    `with recursive makers as (
       select id, created_by, own_person from operator_tokens where id = $1
       union
       select t.id, t.created_by, t.own_person from operator_tokens t
       join makers on t.id = makers.created_by and makers.own_person is null
     )
     select id from makers where own_person is not null`,
    [id],
  );
  return person?.id ?? null;
}

export async function isUsableToken(db: Queryable, id: string, now: Date): Promise<boolean> {
  const rows = await db.query(
    "select from operator_tokens where id = $1 and revoke_date is null and expire_date > $2",
    [id, now],
  );
  return rows.length > 0;
}

/** Tokens that can still be used and were not used since a newer version of the secret signs. */
export async function listTokensOfVersion(db: Queryable, keyVersion: number, now: Date): Promise<RevokedToken[]> {
  return db.query<RevokedToken>(
    `select id, name from operator_tokens
     where key_version = $1 and revoke_date is null and expire_date > $2
     order by create_date, id`,
    [keyVersion, now],
  );
}

/** What they created stays: these tokens end because they were not used, not because of who holds them. */
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
