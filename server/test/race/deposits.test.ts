import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/db/pool.ts";
import { ingest } from "../../src/deposits/ingest.ts";
import { applyEvent } from "../../src/deposits/merge.ts";
import { findDeposits } from "../../src/deposits/queries.ts";
import type { Deposit, DepositStatus, StoredDeposit } from "../../src/deposits/record.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { DELIVERY, findDrift } from "../harness/deposits.ts";
import { insertMerchant } from "../harness/merchant-rows.ts";

const WRITERS = 20;
const BATCHES_PER_WRITER = 12;
const EVENTS_PER_BATCH = 25;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, WRITERS + 4);
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const day = (number: number) => new Date(Date.UTC(2026, 0, 1 + number));
const users = Array.from({ length: 6 }, () => randomUUID());

// Deposits, users and wallets are shared by all writers, and wallets by several users.
function randomEvent(merchantIds: readonly string[], next: (limit: number) => number): Deposit {
  const number = next(40);
  return {
    merchantId: merchantIds[number % merchantIds.length] as string,
    id: `dep_${number}`,
    userId: users[number % users.length] as string,
    status: (["pending", "completed", "failed"] as DepositStatus[])[next(3)] as DepositStatus,
    amountMicros: BigInt(next(1_000_000)) * 1_000_003n,
    chainId: 1,
    tokenSymbol: "USDC",
    tokenAddress: "0x0",
    walletAddress: `wallet-${number % 5}`,
    createDate: day(number),
    updateDate: new Date(Date.UTC(2026, 5, 1) + next(100_000)),
  };
}

describe("20 concurrent writers that share deposits, users and wallets", () => {
  test("never fail, never deadlock, and end in exact deposits and figures", async () => {
    const merchantIds = [await insertMerchant(db), await insertMerchant(db), await insertMerchant(db)];
    const [random] = fc.sample(fc.infiniteStream(fc.nat()), { numRuns: 1, seed: 20260115 });
    const next = (limit: number) => (random?.next().value as number) % limit;
    const batches = Array.from({ length: WRITERS * BATCHES_PER_WRITER }, () =>
      Array.from({ length: EVENTS_PER_BATCH }, () => randomEvent(merchantIds, next)),
    );

    const waiting = [...batches];
    const write = async () => {
      for (let batch = waiting.pop(); batch !== undefined; batch = waiting.pop()) await ingest(db, batch, DELIVERY);
    };
    await Promise.all(Array.from({ length: WRITERS }, write));

    const expected = new Map<string, StoredDeposit>();
    for (const event of batches.flat()) {
      const key = `${event.merchantId}/${event.id}`;
      expected.set(key, applyEvent(expected.get(key) ?? null, event).deposit);
    }
    const stored = await findDeposits(db, [...expected.values()]);
    expect(new Map(stored.map((deposit) => [`${deposit.merchantId}/${deposit.id}`, deposit]))).toEqual(expected);
    expect(await findDrift(db)).toEqual([]);
    const [counts] = await db.query("select deadlocks from pg_stat_database where datname = current_database()");
    expect(counts).toEqual({ deadlocks: 0 });
  });

  test("one new deposit reported by all of them is created once", async () => {
    const merchantId = await insertMerchant(db);
    const event = { ...randomEvent([merchantId], () => 1), merchantId };
    const answers = await Promise.all(Array.from({ length: WRITERS }, () => ingest(db, [event], DELIVERY)));
    const outcomes = answers.map(([result]) => result?.outcome).sort();
    expect(outcomes).toEqual(["created", ...Array.from({ length: WRITERS - 1 }, () => "unchanged")]);
    expect(await findDrift(db)).toEqual([]);
  });

  test("new deposits into the same new wallets count each wallet once, and keep its earliest date", async () => {
    const merchantId = await insertMerchant(db);
    const base = { ...randomEvent([merchantId], () => 1), merchantId };
    const before = await deadlocks();
    // Each writer has the wallets in another order, and dates that another writer is before or after.
    const batchOf = (writer: number) =>
      Array.from({ length: 60 }, (_, index) => {
        const wallet = (index * 7 + writer * 11) % 60;
        const createDate = day((wallet * 13 + writer * 17) % 97);
        return { ...base, id: `w${writer}_${index}`, walletAddress: `wallet-${wallet}`, createDate };
      });
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => ingest(db, batchOf(writer), DELIVERY)));
    const [user] = await db.query("select wallet_count from deposit_users where merchant_id = $1", [merchantId]);
    expect(user).toEqual({ wallet_count: 60 });
    expect(await findDrift(db)).toEqual([]);
    expect(await deadlocks()).toBe(before);
  });

  test("batches that disagree about the dates of their deposits never deadlock: the first wins, the others are refused", async () => {
    const merchantId = await insertMerchant(db);
    const base = { ...randomEvent([merchantId], () => 1), merchantId };
    const batchOf = (dateOf: (index: number) => Date) =>
      Array.from({ length: 100 }, (_, index) => ({ ...base, id: `same_${index}`, createDate: dateOf(index) }));
    const before = await deadlocks();
    const batches = Array.from({ length: 12 }, (_, number) =>
      batchOf((index) => day(number % 2 === 0 ? index : 100 - index)),
    );
    const results = await Promise.allSettled(batches.map((batch) => ingest(db, batch, DELIVERY)));
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refused).toHaveLength(6);
    for (const reason of refused) expect(reason).toMatchObject({ code: "DEPOSIT_CONFLICT" });
    expect(await deadlocks()).toBe(before);
  });
});

async function deadlocks(): Promise<number> {
  const [row] = await db.query<{ deadlocks: number }>(
    "select deadlocks::integer from pg_stat_database where datname = current_database()",
  );
  return row?.deadlocks ?? -1;
}
