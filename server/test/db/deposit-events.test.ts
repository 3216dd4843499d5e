import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Queryable } from "../../src/db/pool.ts";
import { listEvents } from "../../src/deposits/event-queries.ts";
import { ingest } from "../../src/deposits/ingest.ts";
import type { Deposit } from "../../src/deposits/record.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { DELIVERY } from "../harness/deposits.ts";
import { insertMerchant } from "../harness/merchant-rows.ts";
import { pagesOf } from "../harness/plans.ts";

const PAGE = 26;

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  merchantId = await insertMerchant(database.db);
});
afterAll(() => database.drop());

const deposit = (change: Partial<Deposit> = {}): Deposit => ({
  merchantId,
  id: `dep_${randomUUID()}`,
  userId: randomUUID(),
  status: "pending",
  amountMicros: 1_000_000n,
  chainId: 8453,
  tokenSymbol: "USDC",
  tokenAddress: "0x1",
  walletAddress: `0x${randomUUID()}`,
  createDate: new Date("2026-01-10T00:00:00Z"),
  updateDate: new Date("2026-01-10T00:00:00Z"),
  ...change,
});
const rowsOf = async (id: string) =>
  (await database.db.query("select 1 from deposit_events where deposit_id = $1", [id])).length;

describe("the events of a deposit", () => {
  test("the event that created it takes no row until the deposit changes, and reads the same before and after", async () => {
    const first = deposit();
    await ingest(database.db, [first], DELIVERY);
    const key = { merchantId, id: first.id };
    const before = await listEvents(database.db, key, null, PAGE);
    expect(before).toMatchObject([{ ordinal: 1, outcome: "created", status: "pending", actor: "test" }]);
    expect(await rowsOf(first.id)).toBe(0);
    await ingest(database.db, [first], DELIVERY);
    expect(await rowsOf(first.id)).toBe(1);
    const completed = { ...first, status: "completed" as const, updateDate: new Date("2026-01-11T00:00:00Z") };
    await ingest(database.db, [completed], DELIVERY);
    await ingest(database.db, [{ ...completed, updateDate: new Date("2026-01-12T00:00:00Z") }], DELIVERY);
    const after = await listEvents(database.db, key, null, PAGE);
    expect(after.map(({ outcome }) => outcome)).toEqual(["updated", "updated", "unchanged", "created"]);
    expect(after.at(-1)).toEqual(before[0]);
    expect(await rowsOf(first.id)).toBe(4);
  });

  test("created and changed by one batch, it keeps what the first event said", async () => {
    const first = deposit();
    const later = { ...first, status: "failed" as const, updateDate: new Date("2026-01-11T00:00:00Z") };
    await ingest(database.db, [first, later, first], DELIVERY);
    const events = await listEvents(database.db, { merchantId, id: first.id }, null, PAGE);
    expect(events.map(({ outcome, status }) => [outcome, status])).toEqual([
      ["stale", "pending"],
      ["updated", "failed"],
      ["created", "pending"],
    ]);
  });

  test("a page costs the same among 200 events and among 20,000, of one deposit and of others", async () => {
    const key = { merchantId, id: "dep_noisy" };
    const fill = (from: number, to: number) =>
      database.db.query(
        `with batch as (
           insert into deposit_batches (id, date, actor)
           select md5(n::text)::uuid, '2026-01-01Z', 'hosted flow' from generate_series($2::integer, $3::integer) n
         )
         insert into deposit_events (merchant_id, deposit_id, ordinal, batch_id, outcome)
         select $1::uuid, 'dep_noisy', n, md5(n::text)::uuid, 'unchanged' from generate_series($2::integer, $3::integer) n
         union all
         select $1::uuid, 'dep_' || n, 2, md5(n::text)::uuid, 'unchanged' from generate_series($2::integer, $3::integer) n`,
        [merchantId, from, to],
      );
    const cost = async () => {
      const first = await pagesOf(database, (db: Queryable) => listEvents(db, key, null, PAGE));
      const later = await pagesOf(database, (db: Queryable) =>
        listEvents(db, key, ["100", "00000000-0000-0000-0000-000000000000"], PAGE),
      );
      return first + later;
    };
    await fill(2, 200);
    const few = await cost();
    await fill(201, 20_000);
    expect(await cost()).toBeLessThan(few * 2);
    await database.db.query("analyze deposit_events, deposit_batches");
    expect(await cost()).toBeLessThan(few * 2);
  });
});
