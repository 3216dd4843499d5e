import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingest } from "../../src/deposits/ingest.ts";
import { applyEvent } from "../../src/deposits/merge.ts";
import { findDeposits } from "../../src/deposits/queries.ts";
import type { Deposit, DepositStatus, StoredDeposit } from "../../src/deposits/record.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { DELIVERY, findDrift } from "../harness/deposits.ts";
import { insertCampaign, insertMerchant } from "../harness/merchant-rows.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const USERS = [randomUUID(), randomUUID(), randomUUID()];
const WALLETS = ["0x52908400098527886E0F7030069857D2E4169EE7", "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"];
const DAY = (day: number) => new Date(Date.UTC(2026, 0, 1 + day));

// The fields that never change depend only on the deposit's number, so no two events contradict each other.
const events = fc
  .record({
    number: fc.integer({ min: 0, max: 5 }),
    status: fc.constantFrom<DepositStatus>("pending", "completed", "failed"),
    amountMicros: fc.bigInt({ min: 0n, max: 999_999_999_999_999_999_999n }),
    update: fc.integer({ min: 0, max: 5 }),
  })
  .map(
    ({ number, status, amountMicros, update }): Omit<Deposit, "merchantId"> => ({
      id: `dep_${number}`,
      userId: USERS[number % USERS.length] as string,
      status,
      amountMicros,
      chainId: 1 + (number % 2),
      tokenSymbol: "USDC",
      tokenAddress: "0x0",
      walletAddress: WALLETS[number % WALLETS.length] as string,
      createDate: DAY(number * 3),
      updateDate: DAY(20 + update),
    }),
  );

/** Events in some order, cut into batches somewhere. */
const histories = fc
  .array(events, { minLength: 1, maxLength: 25 })
  .chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
      fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 25, maxLength: 25 }),
    ),
  );

test("any sequence of events, in any order and batching, ends in the same deposits, figures, wallets and qualification", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ([all, shuffled, sizes]) => {
      const merchantId = await insertMerchant(database.db);
      await insertCampaign(database.db, merchantId, DAY(0), DAY(6));
      await insertCampaign(database.db, merchantId, DAY(6), DAY(12));

      const expected = new Map<string, StoredDeposit>();
      for (const event of all) {
        expected.set(event.id, applyEvent(expected.get(event.id) ?? null, { ...event, merchantId }).deposit);
      }
      let from = 0;
      for (const size of sizes) {
        const batch = shuffled.slice(from, from + size).map((event) => ({ ...event, merchantId }));
        await ingest(database.db, batch, DELIVERY);
        from += size;
      }

      const stored = await findDeposits(database.db, [...expected.values()]);
      expect(new Map(stored.map((deposit) => [deposit.id, deposit]))).toEqual(expected);
      expect(await findDrift(database.db)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
