import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APPEND_ONLY_TABLES, grantRuntimeRights } from "../../src/db/runtime-role.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

let database: TestDatabase;
let runtime: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  await grantRuntimeRights(database.connection);
  runtime = new pg.Client(database.runtimeConnection);
  await runtime.connect();
});
afterAll(async () => {
  await runtime?.end();
  await database?.drop();
});

const REFUSED = { code: "42501" };

describe("the role that serves requests", () => {
  test("is no superuser and owns nothing", async () => {
    const [role] = (
      await runtime.query(
        `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user`,
      )
    ).rows;
    expect(Object.values(role)).toEqual(Array(5).fill(false));
    const owned = await runtime.query(
      `select relname from pg_class where relowner = (select oid from pg_roles where rolname = current_user)
       union all select datname from pg_database where datdba = (select oid from pg_roles where rolname = current_user)
       union all select nspname from pg_namespace where nspowner = (select oid from pg_roles where rolname = current_user)
       union all select roleid::regrole::text from pg_auth_members
         where member = (select oid from pg_roles where rolname = current_user)`,
    );
    expect(owned.rows).toEqual([]);
  });

  test.each([
    "create table mine (id integer)",
    "create temporary table mine (id integer)",
    "create schema mine",
    "create function mine() returns integer language sql as 'select 1'",
    "alter table merchants add column mine integer",
    "alter table deposits disable trigger all",
    "drop table outbox",
    "drop index merchants_pkey",
    "truncate outbox",
    "create role mine superuser",
    "grant select on merchants to public with grant option",
    "create extension if not exists file_fdw",
    "copy merchants to program 'true'",
    "select pg_read_file('postgresql.conf')",
    "select pg_reload_conf()",
    "alter system set fsync = off",
    "select rolpassword from pg_authid",
    "set session_replication_role = replica",
    "set role matchbook",
  ])("may not: %s", async (statement) => {
    await expect(runtime.query(statement)).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|0LP01)$/) });
  });

  test.each(APPEND_ONLY_TABLES)("may add rows to %s and read them, and change none", async (table) => {
    const column = table === "deposit_batches" ? "actor" : "merchant_id";
    await expect(runtime.query(`update ${table} set ${column} = ${column}`)).rejects.toMatchObject(REFUSED);
    await expect(runtime.query(`delete from ${table}`)).rejects.toMatchObject(REFUSED);
    await expect(runtime.query(`truncate ${table}`)).rejects.toMatchObject(REFUSED);
    await runtime.query(`select * from ${table}`);
    const [rights] = (
      await runtime.query("select has_table_privilege(current_user, $1, 'insert') as may_insert", [table])
    ).rows;
    expect(rights.may_insert).toBe(true);
  });

  test("may read which migrations were applied, and not pretend that one was", async () => {
    expect((await runtime.query("select * from schema_migrations")).rows.length).toBeGreaterThan(0);
    for (const statement of [
      "insert into schema_migrations values (9999, 'mine', '', now())",
      "update schema_migrations set checksum = ''",
      "delete from schema_migrations",
    ]) {
      await expect(runtime.query(statement)).rejects.toMatchObject(REFUSED);
    }
  });

  test("reads and writes rows of every other table, also of one that a later migration creates", async () => {
    await database.db.query("create table later (id bigint generated always as identity, note text)");
    await runtime.query("insert into later (note) values ('kept')");
    await runtime.query("update later set note = 'changed'");
    expect((await runtime.query("select note from later")).rows).toEqual([{ note: "changed" }]);
    await runtime.query("delete from later");
    const tables = await database.db.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const restricted: string[] = [...APPEND_ONLY_TABLES, "schema_migrations"];
    for (const { name } of tables.filter((table) => !restricted.includes(table.name))) {
      const [rights] = (
        await runtime.query(
          `select bool_and(has_table_privilege(current_user, $1, privilege)) as all
           from unnest(array['select', 'insert', 'update', 'delete']) as privilege`,
          [name],
        )
      ).rows;
      expect(rights.all, name).toBe(true);
    }
  });
});

test("the grants in docs/operating.md give a role of one's own the same rights", async () => {
  const docs = readFileSync(fileURLToPath(new URL("../../../docs/operating.md", import.meta.url)), "utf8");
  const grants = /```sql\n(-- As the owner[\s\S]*?)```/.exec(docs)?.[1] ?? "";
  const name = `own_runtime_${process.pid}`;
  await database.db.query(`create role ${name}`);
  const owner = new pg.Client(database.connection);
  await owner.connect();
  try {
    await owner.query(grants.replaceAll("matchbook_runtime", name));
    const rightsOf = async (role: string) =>
      (
        await owner.query(
          `select tablename, privilege, has_table_privilege($1, tablename, privilege) as granted
           from pg_tables, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
           where schemaname = 'public' order by 1, 2`,
          [role],
        )
      ).rows;
    const rights = await rightsOf(name);
    expect(rights.filter(({ granted }) => granted).length).toBeGreaterThan(50);
    expect(rights).toEqual(await rightsOf(database.runtimeConnection.user));
  } finally {
    await owner.query(`drop owned by ${name}; drop role ${name};`);
    await owner.end();
  }
});
