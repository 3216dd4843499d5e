import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shareOf } from "../../src/commands/demo.ts";
import { createTestDatabase, databaseUrl, type TestDatabase } from "../harness/database.ts";
import { findDrift } from "../harness/deposits.ts";
import { makeDataDir, removeDataDir, runProgram } from "../harness/program.ts";

let database: TestDatabase;
let dataDir: string;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = makeDataDir();
  variables = {
    ENVIRONMENTS: "sandbox",
    SANDBOX_DATABASE_URL: databaseUrl(database.connection),
    MATCHBOOK_DATA_DIR: dataDir,
    MATCHBOOK_SECRET: "x".repeat(40),
    MATCHBOOK_OPERATOR_TOKEN: "t".repeat(40),
  };
});
afterAll(async () => {
  removeDataDir(dataDir);
  await database.drop();
});

async function run(...args: string[]) {
  const program = runProgram(["demo", ...args], variables);
  return { code: await program.exited, output: program.output() };
}

const countOf = async (table: string) =>
  (await database.db.query<{ count: number }>(`select count(*) from ${table}`))[0]?.count;

describe("matchbook-server demo", () => {
  test("fills the sandbox with as much as was asked for, and everything derived from it is exact", async () => {
    const { code, output } = await run(
      ...["--merchants", "3", "--deposits", "2000", "--campaigns", "6", "--applications", "2"],
    );
    expect(output).toContain("2000 deposits with their users and wallets");
    expect(code).toBe(0);
    expect(await countOf("merchants where status = 'ACTIVE'")).toBe(3);
    expect(await countOf("applications where status = 'PENDING'")).toBe(2);
    expect(await countOf("deposits")).toBe(2000);
    expect(await countOf("campaigns")).toBe(6);
    expect(await countOf("participants")).toBeGreaterThan(10);
    expect(await countOf("payouts")).toBeGreaterThan(5);
    expect(await findDrift(database.db)).toEqual([]);
    const statuses = await database.db.query<{ status: string }>(
      "select distinct status from campaigns order by status",
    );
    const [days] = await database.db.query<{ count: number }>(
      "select count(distinct date::date)::int as count from submission_journal",
    );
    expect(days?.count).toBeGreaterThan(10);
    expect(statuses.map(({ status }) => status)).toEqual(["ACTIVE", "DRAFT", "ENDED", "PAUSED"]);
    const keys = JSON.parse(readFileSync(join(dataDir, "demo-merchants-sandbox.json"), "utf8"));
    expect(keys).toHaveLength(3);
  });

  test("a second run adds to the first", async () => {
    expect((await run("--merchants", "1", "--deposits", "10", "--campaigns", "0", "--applications", "0")).code).toBe(0);
    expect(await countOf("merchants")).toBe(6);
    expect(await countOf("deposits")).toBe(2010);
    expect(await findDrift(database.db)).toEqual([]);
  });

  test("never fills production unless it is named", async () => {
    const production = { ...variables, ENVIRONMENTS: "production", DATABASE_URL: variables.SANDBOX_DATABASE_URL ?? "" };
    const program = runProgram(["demo", "--deposits", "1"], production);
    expect(await program.exited).toBe(1);
    expect(program.output()).toContain("--environment must be one of ENVIRONMENTS, not sandbox");
    expect(await countOf("merchants")).toBe(6);
  });

  test.each([
    [["--merchants", "0"], "--merchants must be a whole number from 1 to 1000."],
    [["--deposits", "many"], "--deposits must be a whole number from 0 to 100000000."],
    [["now"], "Write: node server/bin/matchbook-server.js demo"],
  ])("%j is answered with one line that says how to write it", async (args, text) => {
    const { code, output } = await run(...args);
    expect([code, output.trim()]).toEqual([1, expect.stringContaining(text)]);
  });

  test("deposits are shared out exactly, and the first merchants have most", () => {
    for (const [merchants, total] of [
      [1, 7],
      [3, 10],
      [12, 1_000_003],
      [7, 0],
    ] as const) {
      const shares = Array.from({ length: merchants }, (_, index) => shareOf(index, merchants, total));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
      expect(shares[0]).toBe(Math.max(...shares));
    }
  });
});
