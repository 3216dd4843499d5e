// What migration 0016 makes of the users and wallets that were stored before it.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertDemoDeposits } from "../../src/deposits/demo-queries.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { findDrift } from "../harness/deposits.ts";
import { insertMerchant } from "../harness/merchant-rows.ts";

const DEPOSITS = Number(process.env.MATCHBOOK_MIGRATED_DEPOSITS ?? 2_000);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const merchantId = await insertMerchant(database.db);
  const until = new Date("2026-07-01T00:00:00Z");
  for (let done = 0; done < DEPOSITS; done += 10_000) {
    const deposits = Math.min(10_000, DEPOSITS - done);
    const numbers = { firstDeposit: done + 1, deposits, firstUser: done + 1, users: deposits / 4 };
    await insertDemoDeposits(database.db, { merchantId, ...numbers, until, days: 100, seed: 3 });
  }
}, 600_000);
afterAll(() => database.drop());

test("existing users get the number of their wallets, and wallets the date of the first deposit into them", async () => {
  const { db } = database;
  expect(await findDrift(db)).toEqual([]);
  await db.query("alter table deposit_users drop column wallet_count");
  await db.query("alter table deposit_wallets drop column first_deposit_date");
  const migration = readFileSync(new URL("../../migrations/0016_wallet_counts.sql", import.meta.url), "utf8");
  const started = performance.now();
  await db.transaction(
    async (transaction) => {
      for (const statement of migration.split(/;\n/).filter((text) => text.trim() !== "")) {
        await transaction.query(statement);
      }
    },
    { statementTimeoutMs: 600_000 },
  );
  if (DEPOSITS > 2_000) console.info(`${DEPOSITS} deposits: ${Math.round(performance.now() - started)} ms`);
  expect(await findDrift(db)).toEqual([]);
  const [most] = await db.query<{ count: number }>("select max(wallet_count) as count from deposit_users");
  expect(most?.count).toBeGreaterThan(1);
}, 600_000);
