import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
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
    const [heading = "", row = ""] = listed.output.split("\n");
    expect(heading).toMatch(/^id +role +state +created by +name$/);
    expect(row).toMatch(/^[0-9a-f-]{36} {2}ingest {2}expires .+ {2}host +hosted flow$/);
    expect(listed.output).not.toContain(token);
    expect(
      await database.db.query("select own_person from operator_tokens"),
      "made on the host, its holder can approve what others ask for",
    ).toEqual([{ own_person: "HOST" }]);
    const id = row.slice(0, 36).toUpperCase();
    expect(await run(["tokens", "revoke", id], variables)).toMatchObject({ code: 0, output: `Revoked ${id}.\n` });
    expect((await run(["tokens", "revoke", id], variables)).output).toBe(`${id} was already revoked.\n`);
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
    [["tokens", "close"], "close-bootstrap"],
    [["secret"], "secret rotate"],
    [["secret", "retire", "1"], "v1 still signs"],
    [["secret", "retire", "7"], "no version 7"],
    [["audit"], "audit verify"],
    [["payouts"], "payouts list|owed|run"],
    [["payouts", "run", "show", "nonsense"], "must be a UUID"],
    [["addresses"], "addresses check"],
    [["launch"], "There is no command launch"],
  ])("%j is answered with one line that says how to write it", async (args, text) => {
    const { code, output } = await run(args, variables);
    expect(code).toBe(1);
    expect(output.trim().split("\n")).toHaveLength(1);
    expect(output).toContain(text);
  });

  test("a token's creator is listed, and revoking ends what it made unless --no-cascade is given", async () => {
    const row = (id: string, createdBy: string | null) =>
      database.db.query(
        `insert into operator_tokens (id, name, role, token_hash, created_by, create_date, expire_date)
         values ($1::text::uuid, $1::text, 'viewer', decode(replace($1::text, '-', ''), 'hex'), $2::uuid, now(), now() + interval '1 day')`,
        [id, createdBy],
      );
    const ids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
    const [parent = "", child = "", grandchild = ""] = ids;
    await row(parent, null);
    await row(child, parent);
    await row(grandchild, child);
    const listed = await run(["tokens", "list"], variables);
    expect(listed.output).toMatch(new RegExp(`^${child} .+ ${parent} +${child}$`, "m"));
    const alone = await run(["tokens", "revoke", parent, "--no-cascade"], variables);
    expect(alone).toEqual({ code: 0, output: `Revoked ${parent}.\n` });
    const all = await run(["tokens", "revoke", parent], variables);
    expect(all).toEqual({ code: 0, output: `Revoked ${parent} and 2 that it made.\n` });
  });

  test("close-bootstrap is refused without an operator token, and works with one", async () => {
    const refused = await run(["tokens", "close-bootstrap"], variables);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("tokens create");
    await run(["tokens", "create", "--name", "me", "--role", "operator"], variables);
    for (const [verb, text] of [
      ["close-bootstrap", "production: the bootstrap token is switched off.\n"],
      ["open-bootstrap", "production: the bootstrap token works.\n"],
    ] as const) {
      expect(await run(["tokens", verb], variables)).toEqual({ code: 0, output: text });
    }
  });

  test("secret rotate prints the value to set, and secret retire the one after it", async () => {
    const rotated = await run(["secret", "rotate"], variables);
    expect(rotated.code).toBe(0);
    const value = /^(v2:[A-Za-z0-9_-]{43},v1:x{40})\n/.exec(rotated.output)?.[1] ?? "";
    expect(value, rotated.output).not.toBe("");
    const under = { ...variables, MATCHBOOK_SECRET: value };
    await run(["tokens", "create", "--name", "new", "--role", "viewer"], under);
    const asked = await run(["secret", "retire", "v1"], under);
    expect(asked).toMatchObject({ code: 1, output: expect.stringContaining("repeat the command with --yes") });
    expect(asked.output).toMatch(/production: [0-9a-f-]{36} .+ is under v1\./);
    const retired = await run(["secret", "retire", "v1", "--yes"], under);
    expect(retired.output).toContain(value.replace("v1:", "v1-retired:"));
    expect(retired.output).toMatch(/production: revoked [1-9][0-9]* tokens/);
    const verdict = await run(["audit", "verify"], { ...under, MATCHBOOK_SECRET: value.replace("v1:", "v1-retired:") });
    expect(verdict.output, "row 1 was forged above").toContain("Row 1 was changed");
  });

  test("help lists the commands", async () => {
    expect((await run(["help"], {})).output).toContain("node server/bin/matchbook-server.js tokens create");
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

  test("a token made on the command line works immediately", async () => {
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
    output: expect.stringContaining("There is no"),
  });
  expect(readdirSync(dataDir)).toEqual([]);
  expect(await run(["migrate"], variables)).toMatchObject({
    code: 0,
    output: expect.stringContaining("sandbox: applied 0001_merchants"),
  });
  expect(await run(["migrate"], variables)).toMatchObject({
    code: 0,
    output: "production: up to date\nsandbox: up to date\n",
  });
  expect(await run(["tokens", "list"], variables)).toMatchObject({
    code: 0,
    output: "id  role  state  created by  name\n",
  });
  removeDataDir(dataDir);
});

describe("a command with other variables than the service", () => {
  test("is refused, and creates neither a secret nor a row nor a token", async () => {
    const database = await createTestDatabase();
    const service = { ENVIRONMENTS: "production", DATABASE_URL: databaseUrl(database.connection) };
    const create = (secret: string) =>
      run(["tokens", "create", "--name", "n", "--role", "operator"], { ...service, MATCHBOOK_SECRET: secret });
    expect(await create("x".repeat(40))).toMatchObject({ code: 0 });
    const refused = await create("y".repeat(40));
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("MATCHBOOK_SECRET is not the one") });
    expect(await database.db.query("select from operator_tokens")).toHaveLength(1);
    const verdict = await run(["audit", "verify"], { ...service, MATCHBOOK_SECRET: "x".repeat(40) });
    expect(verdict).toMatchObject({ code: 0, output: expect.stringContaining("chain of 1 rows is whole") });
    await database.drop();
  });
});

describe("a secret in the data folder", () => {
  test("is rotated in its file, tokens and the audit log go on, and the summary tells of a closed bootstrap token", async () => {
    const dataDir = makeDataDir();
    const variables = { MATCHBOOK_DATA_DIR: dataDir, ENVIRONMENTS: "production", WORKERS: "1" };
    const path = join(dataDir, "secret");
    try {
      let program = await startProgram(variables);
      const stop = async () => {
        program.child.kill("SIGTERM");
        await program.exited;
      };
      const created = await run(["tokens", "create", "--name", "me", "--role", "operator"], variables);
      const headers = { authorization: `Bearer ${/mbop_[A-Za-z0-9_-]{43}/.exec(created.output)?.[0]}` };
      const first = readFileSync(path, "utf8").trim();
      const rotated = await run(["secret", "rotate"], variables);
      expect(rotated.output).toMatch(/^Wrote .+secret\. v2 signs once the service is restarted\.\n$/);
      expect(readFileSync(path, "utf8")).toMatch(new RegExp(`^v2:[A-Za-z0-9_-]{43}\nv1:${first}\n$`));
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(rotated.output).not.toContain(first);
      expect(readdirSync(dataDir).filter((name) => name.startsWith("secret"))).toEqual(["secret"]);
      await run(["tokens", "close-bootstrap"], variables);
      const boot = { authorization: `Bearer ${program.operatorToken()}` };
      expect((await call(`${program.urls.productionOperator}/operator/v1/tokens`, { headers: boot })).status).toBe(401);
      await stop();
      program = await startProgram(variables);
      expect(program.output()).toContain("operator token  switched off");
      expect(program.output()).not.toContain("operator-token");
      const tokens = `${program.urls.productionOperator}/operator/v1/tokens`;
      expect((await call(tokens, { headers })).status).toBe(200);
      expect((await call(tokens, { headers: boot })).status).toBe(401);
      expect((await run(["audit", "verify"], variables)).output).toContain("is whole");
      await stop();
    } finally {
      removeDataDir(dataDir);
    }
  });
});
