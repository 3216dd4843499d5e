import { readdirSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCK_KEYS } from "../../src/db/locks.ts";
import { findSchemaProblem, migrate, readMigrations } from "../../src/db/migrate.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { dumpSchema } from "../harness/dump-schema.ts";

const folder = new URL("../../migrations/", import.meta.url);

describe("the schema", () => {
  test("schema.sql is what the migrations make (npm run schema writes it)", async () => {
    const database = await createTestDatabase();
    await expect(await dumpSchema(database.db)).toMatchFileSnapshot(new URL("schema.sql", folder).pathname);
    await database.drop();
  });

  test("migrations are numbered without gaps", () => {
    const versions = readdirSync(folder)
      .filter((file) => /^[0-9]{4}_/.test(file))
      .sort()
      .map((file) => Number(file.slice(0, 4)));
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  });
});

describe("migrating", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ empty: true });
  });
  afterAll(() => database.drop());

  test("an empty database is not ready, and says what to run", async () => {
    expect(await findSchemaProblem(database.db)).toContain("npx @matchbook/server migrate");
  });

  test("eight programs that start together apply each migration once", async () => {
    const applied = await Promise.all(Array.from({ length: 8 }, () => migrate(database.connection)));
    expect(applied.flat().sort()).toEqual(readMigrations().map(({ name }) => name));
    expect(await findSchemaProblem(database.db)).toBeNull();
  });

  test("a second run changes nothing", async () => {
    expect(await migrate(database.connection)).toEqual([]);
  });

  test("a migration that was edited after it ran is refused", async () => {
    await database.db.query("update schema_migrations set checksum = 'other' where version = 1");
    await expect(migrate(database.connection)).rejects.toThrow("applied with another text");
    await database.db.query("update schema_migrations set checksum = $1 where version = 1", [
      readMigrations()[0]?.checksum ?? "",
    ]);
  });

  test("a schema newer than the program is refused and left alone", async () => {
    await database.db.query(
      "insert into schema_migrations (version, name, checksum, applied_date) values (9000, '9000_future', 'x', now())",
    );
    await expect(migrate(database.connection)).rejects.toThrow("newer schema 9000_future");
    expect(await findSchemaProblem(database.db)).toContain("newer");
  });

  test("a newer schema that says it is compatible keeps this program ready", async () => {
    const newest = readMigrations().at(-1)?.version ?? 0;
    const setCompatibleFrom = (version: number) =>
      database.db.query("update schema_migrations set compatible_from = $1 where version = 9000", [version]);
    await setCompatibleFrom(newest);
    expect(await migrate(database.connection)).toEqual([]);
    expect(await findSchemaProblem(database.db)).toBeNull();
    await setCompatibleFrom(newest + 1);
    expect(await findSchemaProblem(database.db)).toContain("newer schema 9000_future");
    await database.db.query("delete from schema_migrations where version = 9000");
  });

  test("a database of an earlier program, whose table lacks a column, says what to run and is migrated", async () => {
    await database.db.query("alter table schema_migrations drop column compatible_from");
    expect(await findSchemaProblem(database.db)).toContain("npx @matchbook/server migrate");
    expect(await migrate(database.connection)).toEqual([]);
    expect(await findSchemaProblem(database.db)).toBeNull();
  });

  test("while another program migrates, it waits, and gives up when it must", async () => {
    const other = new pg.Client(database.connection);
    await other.connect();
    await other.query("begin");
    await other.query("select pg_advisory_xact_lock($1)", [LOCK_KEYS.migration]);
    let waits = 0;
    const stopped = migrate(database.connection, () => {
      if (++waits === 2) throw new Error("stopped");
    });
    await expect(stopped).rejects.toThrow("stopped");
    // The connection dies without a word: its lock goes with its transaction.
    await other.end();
    expect(await migrate(database.connection)).toEqual([]);
  });
});
