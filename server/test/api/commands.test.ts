import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestDatabase, databaseUrl, type TestDatabase } from "../harness/database.ts";
import { makeDataDir, type Program, removeDataDir, runProgram, startProgram } from "../harness/program.ts";
import { call } from "../harness/service.ts";

// Whole programs are started here, several at a time on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

async function run(args: string[], variables: Record<string, string>) {
  const program = runProgram(args, variables);
  return { code: await program.exited, output: program.output() };
}

describe("matchbook-server tokens and audit", () => {
  let database: TestDatabase;
  let variables: Record<string, string>;
  beforeAll(async () => {
    database = await createTestDatabase();
    variables = {
      ENVIRONMENTS: "production",
      DATABASE_URL: databaseUrl(database.connection),
      MATCHBOOK_SECRET: "x".repeat(40),
      MATCHBOOK_OPERATOR_TOKEN: "t".repeat(40),
    };
  });
  afterAll(() => database.drop());

  test("a token is created, listed without its secret, revoked, and each is in a whole audit log", async () => {
    const created = await run(
      ["tokens", "create", "--name", "hosted flow", "--role", "ingest", "--expires-in-days", "30"],
      variables,
    );
    expect(created.code).toBe(0);
    const token = /mbop_[A-Za-z0-9_-]{43}/.exec(created.output)?.[0] ?? "";
    const listed = await run(["tokens", "list"], variables);
    expect(listed.output).toMatch(/^[0-9a-f-]{36} {2}ingest {4}expires .+ {2}hosted flow\n$/);
    expect(listed.output).not.toContain(token);
    const revoked = await run(["tokens", "revoke", listed.output.slice(0, 36).toUpperCase()], variables);
    expect(revoked).toMatchObject({ code: 0, output: expect.stringContaining("Revoked") });
    const verdict = await run(["audit", "verify"], variables);
    expect(verdict).toMatchObject({ code: 0, output: expect.stringContaining("chain of 2 rows is whole") });
  });

  test("an audit row that was changed is found, and the exit code says so", async () => {
    await database.db.query("update audit_log set actor = 'somebody else' where position = 1");
    const verdict = await run(["audit", "verify"], variables);
    expect(verdict).toMatchObject({ code: 1, output: expect.stringContaining("Row 1 was changed") });
  });

  test.each([
    [["tokens", "create", "--role", "ingest"], "--name is required"],
    [["tokens", "create", "--name", "n", "--role", "king"], "--role must be one of operator, viewer, ingest"],
    [["tokens", "create", "--name", "n", "--role", "viewer", "--expires-in-days", "0"], "--expires-in-days"],
    [["tokens", "revoke", "nonsense"], "tokens revoke ID"],
    [["tokens", "revoke", `0${"-".repeat(35)}`], "tokens revoke ID"],
    [["tokens", "list", "--environment", "staging"], "--environment must be one of"],
    [["tokens", "list", "--colour"], "--colour"],
    [["audit"], "audit verify"],
    [["launch"], "There is no command launch"],
  ])("%j is answered with one line that says how to write it", async (args, text) => {
    const { code, output } = await run(args, variables);
    expect(code).toBe(1);
    expect(output.trim().split("\n")).toHaveLength(1);
    expect(output).toContain(text);
  });

  test("help lists the commands", async () => {
    expect((await run(["help"], {})).output).toContain("matchbook-server tokens create");
  });
});

describe("beside a running service with its embedded database", () => {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram({ WORKERS: "1" });
  });
  afterAll(async () => {
    program.child.kill("SIGTERM");
    await program.exited;
    removeDataDir(program.dataDir);
  });

  test("a token made on the command line is good at once", async () => {
    const variables = { MATCHBOOK_DATA_DIR: program.dataDir };
    const created = await run(
      ["tokens", "create", "--name", "me", "--role", "viewer", "--environment", "sandbox"],
      variables,
    );
    const token = /mbop_[A-Za-z0-9_-]{43}/.exec(created.output)?.[0] ?? "";
    const headers = { authorization: `Bearer ${token}` };
    expect((await call(`${program.urls.sandboxOperator}/operator/v1/merchants`, { headers })).status).toBe(200);
    expect((await call(`${program.urls.productionOperator}/operator/v1/merchants`, { headers })).status).toBe(401);
  });
});

test("without a running service the commands start the embedded database themselves and stop it again", async () => {
  const dataDir = makeDataDir();
  const variables = { MATCHBOOK_DATA_DIR: dataDir };
  expect(await run(["tokens", "list"], variables)).toMatchObject({
    code: 1,
    output: expect.stringContaining("matchbook-server migrate"),
  });
  expect(await run(["migrate"], variables)).toMatchObject({
    code: 0,
    output: expect.stringContaining("sandbox: applied 0001_merchants"),
  });
  expect(await run(["migrate"], variables)).toMatchObject({
    code: 0,
    output: "production: up to date\nsandbox: up to date\n",
  });
  expect(await run(["tokens", "list"], variables)).toMatchObject({ code: 0, output: "" });
  removeDataDir(dataDir);
});
