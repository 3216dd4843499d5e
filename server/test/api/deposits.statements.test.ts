// Ingest must not grow with anything but the batch itself.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/db/pool.ts";
import { ingest } from "../../src/deposits/ingest.ts";
import type { Deposit } from "../../src/deposits/record.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { DELIVERY } from "../harness/deposits.ts";
import { insertCampaign, insertMerchant } from "../harness/merchant-rows.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const CREATED = new Date("2026-01-10T00:00:00Z");

function deposit(merchantId: string, change: Partial<Deposit> = {}): Deposit {
  return {
    merchantId,
    id: randomUUID(),
    userId: randomUUID(),
    status: "pending",
    amountMicros: 1_000_000n,
    chainId: 8453,
    tokenSymbol: "USDC",
    tokenAddress: "0x1",
    walletAddress: `0x${randomUUID()}`,
    createDate: CREATED,
    updateDate: CREATED,
    ...change,
  };
}

/** The statements of a batch of new deposits, and of one that completes them. */
async function statementsOf(merchantIds: readonly string[], size: number): Promise<string[][]> {
  const created = Array.from({ length: size }, (_, index) =>
    deposit(merchantIds[index % merchantIds.length] as string),
  );
  const completed = created.map(
    (each): Deposit => ({ ...each, status: "completed", updateDate: new Date("2026-01-11T00:00:00Z") }),
  );
  const run = async (batch: readonly Deposit[]) => {
    const texts: string[] = [];
    const counting: Pick<Database, "transaction"> = {
      transaction: (work) =>
        database.db.transaction((transaction) =>
          work({
            query: (text, values) => {
              texts.push(text);
              return transaction.query(text, values);
            },
          }),
        ),
    };
    await ingest(counting as Database, batch, DELIVERY);
    return texts;
  };
  return [await run(created), await run(completed)];
}

test("as many statements for 200 deposits of 100 merchants, one of which has 200 campaigns, as for one deposit of one", async () => {
  const one = await insertMerchant(database.db);
  const [first, later] = await statementsOf([one], 1);
  expect(first?.length).toBeGreaterThan(0);
  const merchants = await Promise.all(Array.from({ length: 100 }, () => insertMerchant(database.db)));
  const [busy = ""] = merchants;
  await Promise.all(
    Array.from({ length: 200 }, () =>
      insertCampaign(database.db, busy, new Date("2026-01-01T00:00:00Z"), new Date("2026-02-01T00:00:00Z")),
    ),
  );
  expect(await statementsOf(merchants, 200)).toEqual([first, later]);
  expect([first, later].flat().filter((text) => /campaign/.test(text ?? ""))).toEqual([]);
});
