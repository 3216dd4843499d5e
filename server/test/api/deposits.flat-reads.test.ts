// Lists must cost the same however many deposits there are. The cost is counted in database pages that a statement reads,
// which does not depend on how busy the machine is. Plans are generic, and made once without statistics: this is what a
// server keeps that prepared its statements when the tables were new.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Queryable, Value } from "../../src/db/pool.ts";
import { insertDemoDeposits } from "../../src/deposits/demo-queries.ts";
import { type DepositFilters, listDeposits, listDepositsOfAllMerchants } from "../../src/deposits/deposit-queries.ts";
import { listUsers, listWalletsOfUser } from "../../src/deposits/user-queries.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { insertMerchant } from "../harness/merchant-rows.ts";

const SMALL = 2_000;
const LARGE = 30_000;
const PER_STATEMENT = 5_000;
const COUNT = 26;
const WHALE = "ffffffff-0000-4000-8000-000000000000";
const WHALE_WALLETS = Number(process.env.MATCHBOOK_WHALE_WALLETS ?? 20_000);
const UNTIL = new Date("2026-07-01T00:00:00Z");

interface Shop {
  readonly merchantId: string;
  readonly userId: string;
  readonly walletAddress: string;
}

let database: TestDatabase;
let client: pg.Client;
let small: Shop;
let large: Shop;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.query("alter table deposits set (autovacuum_enabled = false)");
  await database.db.query("alter table deposit_users set (autovacuum_enabled = false)");
  await database.db.query("alter table deposit_wallets set (autovacuum_enabled = false)");
  client = new pg.Client(database.connection);
  await client.connect();
  await client.query("set plan_cache_mode = force_generic_plan");
  small = await fill(SMALL);
  large = await fill(LARGE);
  await addWhale(large.merchantId);
}, 120_000);
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function fill(deposits: number): Promise<Shop> {
  const { db } = database;
  const merchantId = await insertMerchant(db);
  for (let done = 0; done < deposits; done += PER_STATEMENT) {
    const count = Math.min(PER_STATEMENT, deposits - done);
    const numbers = { firstDeposit: done + 1, deposits: count, firstUser: done + 1, users: count / 4 };
    await insertDemoDeposits(db, { merchantId, ...numbers, until: UNTIL, days: 100, seed: 3 });
  }
  const [owner] = await db.query<Omit<Shop, "merchantId">>(
    `select w.user_id as "userId", w.wallet_address as "walletAddress"
     from deposit_users u join deposit_wallets w on w.merchant_id = u.merchant_id and w.user_id = u.user_id
     where u.merchant_id = $1 and u.completed_count = 4 and u.failed_count = 1 and u.pending_count = 0 limit 1`,
    [merchantId],
  );
  if (owner === undefined) throw new Error("No user has five deposits.");
  return { merchantId, ...owner };
}

/** A user who deposited into far more wallets than an item of a list shows. */
async function addWhale(merchantId: string): Promise<void> {
  await database.db.query(
    `insert into deposit_wallets (merchant_id, user_id, wallet_key, chain_id, wallet_address, first_deposit_date)
     select $1, $2, '0x' || md5(n::text), 8453, '0x' || md5(n::text), '2026-01-01Z'::timestamptz + n * interval '1 s'
     from generate_series(1, $3::integer) n`,
    [merchantId, WHALE, WHALE_WALLETS],
  );
  await database.db.query(
    `insert into deposit_users values ($1, $2, 0, 0, 1, 1, 0, 0, '2026-01-01Z', '2026-02-01Z', $3::bigint)`,
    [merchantId, WHALE, WHALE_WALLETS],
  );
}

/** How many pages a list's statement reads, and how many items it finds. */
async function costOf(list: (db: Queryable) => Promise<readonly unknown[]>): Promise<{ pages: number; items: number }> {
  let pages = 0;
  const found = await list({
    async query<Row>(text: string, values: readonly Value[] = []) {
      // EXPLAIN alone plans a statement with its values. Only a prepared one has a generic plan.
      await client.query(`prepare list as ${text}`);
      const literals = values.map((value) => pg.escapeLiteral(Array.isArray(value) ? `{${value}}` : String(value)));
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute list (${literals.join(", ")})`,
      );
      await client.query("deallocate list");
      const plan = rows[0]["QUERY PLAN"][0].Plan;
      pages += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
      return database.db.query<Row>(text, values);
    },
  });
  return { pages, items: found.length };
}

const NONE: DepositFilters = { userId: null, status: null, chainId: null, createdAfter: null, createdBefore: null };
const DATES = { createdAfter: new Date("2026-04-01T00:00:00Z"), createdBefore: new Date("2026-06-20T00:00:00Z") };
const CURSOR = ["2026-06-10T00:00:00.000Z", "dep_5", "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11"];

const filters: [string, (shop: Shop) => Partial<DepositFilters>][] = [
  ["no filter", () => ({})],
  ["dates", () => DATES],
  ["a status", () => ({ status: "completed" })],
  ["a rare status and dates", () => ({ status: "failed", ...DATES })],
  ["a chain", () => ({ chainId: 10 })],
  ["a chain, a status and dates", () => ({ chainId: 8453, status: "completed", ...DATES })],
  ["a user", ({ userId }) => ({ userId })],
  ["a user and a status", ({ userId }) => ({ userId, status: "completed" })],
];

type List = (db: Queryable, shop: Shop) => Promise<readonly unknown[]>;

const lists: [string, List][] = [
  ...filters.flatMap(([name, filtersOf]): [string, List][] => [
    [
      `deposits with ${name}`,
      (db, shop) => listDeposits(db, shop.merchantId, { ...NONE, ...filtersOf(shop) }, null, COUNT),
    ],
    [
      `deposits with ${name}, behind a cursor`,
      (db, shop) =>
        listDeposits(
          db,
          shop.merchantId,
          { ...NONE, ...filtersOf(shop) },
          name.startsWith("a user") ? ["2026-07-01T00:00:00.000Z", "dep_5"] : CURSOR,
          COUNT,
        ),
    ],
  ]),
  ["users", (db, { merchantId }) => listUsers(db, merchantId, { walletAddress: null, chainId: null }, null, COUNT)],
  [
    "users behind a cursor",
    (db, { merchantId, userId }) =>
      listUsers(db, merchantId, { walletAddress: null, chainId: null }, [`0${userId.slice(1)}`], COUNT),
  ],
  [
    "the user of a wallet",
    (db, { merchantId, walletAddress }) => listUsers(db, merchantId, { walletAddress, chainId: null }, null, COUNT),
  ],
];

describe(`a user with ${WHALE_WALLETS} wallets among users with a few`, () => {
  describe.each(["before", "after"])("%s the database has gathered statistics", (moment) => {
    beforeAll(async () => {
      if (moment === "after") await database.db.query("analyze deposits, deposit_users, deposit_wallets");
    });

    test("its item in the list reads the pages of 100 wallets", async () => {
      const one = (userId: string) => (db: Queryable) =>
        listUsers(db, large.merchantId, { walletAddress: null, chainId: null }, [before(userId)], 1);
      const [user] = await one(WHALE)(database.db);
      expect([user?.userId, user?.walletCount, user?.wallets.length]).toEqual([WHALE, WHALE_WALLETS, 100]);
      const few = await costOf(one(large.userId));
      const many = await costOf(one(WHALE));
      // Each of the 100 wallets may be on a page of its own.
      expect(many.pages).toBeLessThanOrEqual(few.pages + 100 + 16);
    });

    test.each([
      ["the first page of its wallets", null],
      ["a page of its wallets in the middle", ["0x8", "1"]],
    ])("%s", async (_name, after) => {
      const { pages, items } = await costOf((db) => listWalletsOfUser(db, large.merchantId, WHALE, after, COUNT));
      expect(items).toBe(COUNT);
      expect(pages).toBeLessThanOrEqual(COUNT + 16);
    });
  });
});

/** An id that sorts right before this one. */
function before(id: string): string {
  const last = (BigInt(`0x${id.replaceAll("-", "")}`) - 1n).toString(16).padStart(32, "0");
  return last.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

describe(`a list reads as many pages with ${LARGE} deposits as with ${SMALL}`, () => {
  describe.each(["before", "after"])("%s the database has gathered statistics", (moment) => {
    beforeAll(async () => {
      if (moment === "after") await database.db.query("analyze deposits, deposit_users, deposit_wallets");
    });

    test.each(lists)("%s", async (_name, list) => {
      const few = await costOf((db) => list(db, small));
      const many = await costOf((db) => list(db, large));
      expect(few.items).toBeGreaterThan(0);
      expect(many.items).toBeGreaterThan(0);
      // An index may have grown by a level.
      expect(many.pages).toBeLessThanOrEqual(few.pages * 1.5 + 8);
    });

    // All merchants share one list, so a page of it is compared with a page of one merchant.
    test.each(filters.filter(([name]) => !name.startsWith("a user")))(
      "deposits of all merchants with %s",
      async (_name, filtersOf) => {
        for (const after of [null, CURSOR]) {
          const wanted = { ...NONE, ...filtersOf(large) };
          const one = await costOf((db) => listDeposits(db, large.merchantId, wanted, after, COUNT));
          const all = await costOf((db) => listDepositsOfAllMerchants(db, wanted, after, COUNT));
          expect(all.items).toBeGreaterThan(0);
          expect(all.pages).toBeLessThanOrEqual(one.pages * 4 + 16);
        }
      },
    );
  });
});
