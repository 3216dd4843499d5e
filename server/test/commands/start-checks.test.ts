// What a start says of a database that it cannot use, before it changes anything.
import { randomBytes } from "node:crypto";
import { chmodSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { createCuttableDatabase } from "../harness/cuttable-database.ts";
import { createTestDatabase, databaseUrl, type TestDatabase } from "../harness/database.ts";
import { makeDataDir, removeDataDir, runProgram } from "../harness/program.ts";

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  dataDir = makeDataDir();
});
afterAll(async () => {
  await database.drop();
  removeDataDir(dataDir);
});

const variables = (url: string) => ({
  ENVIRONMENTS: "production",
  MATCHBOOK_DATA_DIR: dataDir,
  MATCHBOOK_SECRET: "s".repeat(32),
  DATABASE_URL: url,
});

async function startOn(connection: TestDatabase["connection"]) {
  const program = runProgram(["start"], variables(databaseUrl(connection)));
  const code = await program.exited;
  return { code, output: program.output() };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(inject("postgres"));
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

describe("a start", () => {
  test("refuses a database in another encoding, with what to do", async () => {
    const name = `latin_${randomBytes(4).toString("hex")}`;
    await administer(`create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`);
    const { code, output } = await startOn({ ...database.connection, database: name });
    await administer(`drop database ${name}`);
    expect(code).toBe(1);
    expect(output).toContain("The production database has the encoding LATIN1; create it with encoding 'UTF8'.");
  });

  test("refuses a role that may not create tables, and leaves nothing behind", async () => {
    const { user, password } = inject("runtime");
    const { code, output } = await startOn({ ...database.connection, user, password });
    expect(code).toBe(1);
    expect(output).toContain("does not let this role create tables");
    expect(await database.db.query("select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
  });
});

describe.runIf(process.getuid?.() === 0)("a user that the system does not know", () => {
  test("can run commands, and the audit log names the number", async () => {
    const UNKNOWN = 54_321;
    chmodSync(dataDir, 0o777);
    // Strangers cannot enter the folder of the server's own socket.
    const reachable = await createCuttableDatabase();
    onTestFinished(() => reachable.drop());
    const program = runProgram(
      ["tokens", "create", "--name", "robot", "--role", "viewer"],
      variables(databaseUrl(reachable.connection)),
      { uid: UNKNOWN, gid: UNKNOWN },
    );
    expect([await program.exited, program.output()]).toEqual([0, expect.stringContaining("mbop_")]);
    const [row] = await reachable.db.query<{ actor: string }>(
      "select actor from audit_log where action = 'token.create'",
    );
    expect(row?.actor).toBe(`command line (uid ${UNKNOWN})`);
  });
});

test("a command on a database that cannot be reached says so in one line", async () => {
  const program = runProgram(["tokens", "list"], variables("postgres://stranger@127.0.0.1:1/none"));
  expect(await program.exited).toBe(1);
  expect(program.output()).toMatch(/^matchbook-server: The production database cannot be used: .*ECONNREFUSED.*\n$/);
});
