import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, databaseUrl, type TestDatabase } from "../harness/database.ts";
import { depositEvent, findDrift } from "../harness/deposits.ts";
import { insertMerchant } from "../harness/merchant-rows.ts";
import { runProgram, until } from "../harness/program.ts";

let database: TestDatabase;
let folder: string;
let merchantId: string;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "matchbook-import-"));
  merchantId = await insertMerchant(database.db);
  variables = {
    ENVIRONMENTS: "production",
    DATABASE_URL: databaseUrl(database.connection),
    MATCHBOOK_SECRET: "x".repeat(40),
    MATCHBOOK_OPERATOR_TOKEN: "t".repeat(40),
  };
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const event = (change: Record<string, unknown> = {}) =>
  depositEvent(merchantId, { payerId: "payer-canary", ...change });

function write(name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return path;
}

async function run(...args: string[]) {
  const program = runProgram(["deposits", "import", ...args], variables);
  return { code: await program.exited, output: program.output() };
}

const countDeposits = async (prefix: string) => {
  const [row] = await database.db.query<{ count: number }>("select count(*) from deposits where starts_with(id, $1)", [
    prefix,
  ]);
  return row?.count ?? 0;
};

describe("matchbook-server deposits import", () => {
  test("stores every good line of an NDJSON file, and reports the refused ones by number and reason", async () => {
    const conflict = event({ id: "bulk-conflict" });
    const file = write("bulk.ndjson", [
      ...Array.from({ length: 1200 }, (_, index) =>
        event({ id: `bulk-${index}`, payerId: `payer-canary-${index % 50}` }),
      ),
      '{"id": "payer-canary", ',
      event({ id: "bulk-amount", amount: { value: "1,50", currency: "USD" } }),
      depositEvent("00000000-0000-4000-8000-000000000000", { id: "bulk-stranger", payerId: "payer-canary" }),
      conflict,
      { ...conflict, chainId: 1 },
      "",
      event({ id: "bulk-date", createDate: "2026-01-15" }),
      event({ id: "bulk-future", updateDate: "9026-01-15T12:00:00Z" }),
      event({ id: "bulk-last" }),
    ]);
    const { code, output } = await run(file);
    expect(code).toBe(1);
    expect(output).toContain("1202 created, 0 updated, 0 unchanged, 0 stale, 6 refused");
    const refused = readFileSync(`${file}.production.refused.ndjson`, "utf8");
    expect(
      refused
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { line: 1201, reason: "The line is not valid JSON in UTF-8." },
      { line: 1202, reason: expect.stringContaining("amount.value must be a decimal string") },
      { line: 1203, reason: "no approved merchant has this merchantId." },
      { line: 1205, reason: expect.stringContaining("chainId differs from what was reported before") },
      { line: 1207, reason: expect.stringContaining("createDate must be an ISO-8601 date and time with a zone") },
      { line: 1208, reason: expect.stringContaining("updateDate must be at most 24 hours ahead") },
    ]);
    expect(await countDeposits("bulk-")).toBe(1202);
    expect(await findDrift(database.db)).toEqual([]);
    expect(existsSync(`${file}.progress`)).toBe(false);
    expect(output + refused).not.toContain("canary");
  });

  test("the same file again changes nothing, and the audit log has one row for each import", async () => {
    const file = write(
      "again.ndjson",
      Array.from({ length: 30 }, (_, index) => event({ id: `again-${index}` })),
    );
    expect((await run(file)).output).toContain("30 created");
    const again = await run(file);
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining("0 created, 0 updated, 30 unchanged") });
    expect(existsSync(`${file}.production.refused.ndjson`)).toBe(false);
    const rows = await database.db.query<{ detail: string }>(
      "select detail from audit_log where action = 'deposits.import' order by position desc limit 2",
    );
    expect(rows.map(({ detail }) => JSON.parse(detail))).toMatchObject([{ unchanged: 30 }, { created: 30 }]);
  });

  test("reads CSV with columns in any order, quotes, line ends of Windows and a byte order mark", async () => {
    const lines = [
      "\uFEFFid,payerId,merchantId,state,amount.value,amount.currency,chainId,token.symbol,token.address,embeddedWalletAddress,createDate,updateDate\r",
      `csv-1,"payer ""canary"", with\nline end",${merchantId},COMPLETED,12.5,USD,8453,USDC,0x0,0x1,2026-01-15T12:00:00Z,2026-01-15T12:00:00Z\r`,
      `csv-2,payer-canary,${merchantId},EXPIRED,1,USD,8453,USDC,0x0,0x1,2026-01-15T12:00:00Z,2026-01-15T12:00:00Z\r`,
      `csv-3,payer-canary,${merchantId},COMPLETED,1,USD,8453,USDC,0x0\r`,
      `csv-4,payer-canary,${merchantId},COMPLETED,1,USD,base,USDC,0x0,0x1,2026-01-15T12:00:00Z,2026-01-15T12:00:00Z\r`,
      `csv-5,pay"er,${merchantId},COMPLETED,1,USD,1,"USDC",0x0,0x1,2026-01-15T12:00:00Z,2026-01-15T12:00:00Z"\r`,
    ];
    const file = write("deposits.csv", lines);
    const { code, output } = await run(file);
    expect(code).toBe(1);
    expect(output).toContain("2 created, 0 updated, 0 unchanged, 0 stale, 3 refused");
    const refused = readFileSync(`${file}.production.refused.ndjson`, "utf8").trim().split("\n");
    expect(refused.map((line) => JSON.parse(line))).toEqual([
      { line: 5, reason: "The line has 9 fields instead of 12." },
      { line: 6, reason: "chainId must be an integer." },
      { line: 7, reason: "The line's quotes do not match." },
    ]);
  });

  test("a run that was killed resumes where it stopped, with the same result in the end", async () => {
    const events = Array.from({ length: 20_000 }, (_, index) =>
      event({
        id: `killed-${index}`,
        payerId: `payer-${index % 700}`,
        ...(index % 9_000 === 5 ? { state: "NONE" } : {}),
      }),
    );
    const file = write("killed.ndjson", events);
    const program = runProgram(["deposits", "import", file], variables);
    await until(() => existsSync(`${file}.progress`));
    program.child.kill("SIGKILL");
    await program.exited;
    const before = await countDeposits("killed-");
    expect(before).toBeLessThan(19_997);

    const resumed = await run(file);
    expect(resumed.output).toMatch(/Resuming at line [0-9]+001, where the last import stopped/);
    expect(resumed.output).toMatch(/[0-9]+ created, 0 updated, [0-9]+ unchanged, 0 stale, 3 refused/);
    expect(await countDeposits("killed-")).toBe(19_997);
    expect(await findDrift(database.db)).toEqual([]);
    const refused = readFileSync(`${file}.production.refused.ndjson`, "utf8").trim().split("\n");
    expect(refused.map((line) => JSON.parse(line).line)).toEqual([6, 9006, 18006]);
  });

  test("refuses to resume in a file whose imported part has changed", async () => {
    const file = write("changed.ndjson", [event()]);
    const note = { environment: "production", bytes: 10, line: 1, sha256: "0".repeat(64), counts: {} };
    writeFileSync(`${file}.progress`, JSON.stringify(note));
    const { code, output } = await run(file);
    expect(code).toBe(1);
    expect(output).toContain("has changed since. Delete");
  });

  test.each([
    [["nowhere.ndjson"], "There is no file nowhere.ndjson."],
    [["deposits.xlsx"], "Write: node server/bin/matchbook-server.js deposits import"],
    [[], "Write: node server/bin/matchbook-server.js deposits import"],
  ])("%j is answered with one line that says how to write it", async (args, text) => {
    const { code, output } = await run(...args);
    expect(code).toBe(1);
    expect(output.trim().split("\n")).toHaveLength(1);
    expect(output).toContain(text);
  });
});
