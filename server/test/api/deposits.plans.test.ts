import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Queryable, Value } from "../../src/db/pool.ts";
import { insertDemoDeposits } from "../../src/deposits/demo-queries.ts";
import { type DepositFilters, listDeposits } from "../../src/deposits/deposit-queries.ts";
import { listDepositsOfEveryone } from "../../src/deposits/everyone-queries.ts";
import { shareMerchantGuards } from "../../src/deposits/queries.ts";
import { findMerchantOfUser, listUsers, listUsersOfWallet } from "../../src/deposits/user-queries.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { findDrift } from "../harness/deposits.ts";
import { insertMerchant } from "../harness/merchant-rows.ts";

// Every list query against enough rows that a full scan or a sort would be the wrong choice, planned both with its values
// and as PostgreSQL may plan a prepared statement after five executions: without them.
let database: TestDatabase;
let client: pg.Client;
let merchantId: string;
let userId: string;
let rareUserId: string;
let wallet: string;

const DEPOSITS_BY_MERCHANT = [30_000, 8_000, 2_000];

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  const { db } = database;
  for (const [index, deposits] of DEPOSITS_BY_MERCHANT.entries()) {
    const id = await insertMerchant(db);
    if (index === 0) merchantId = id;
    await shareMerchantGuards(db, [id]);
    const until = new Date("2026-07-01T00:00:00Z");
    await insertDemoDeposits(db, {
      merchantId: id,
      firstDeposit: 1,
      deposits,
      firstUser: 1,
      users: deposits / 5,
      until,
      days: 200,
      seed: 7,
    });
  }
  await db.query("analyze");
  const users = await db.query<{ user_id: string; wallet_address: string }>(
    `select user_id, min(wallet_address) as wallet_address from deposits where merchant_id = $1
     group by user_id order by count(*)`,
    [merchantId],
  );
  userId = users.at(-1)?.user_id ?? "";
  rareUserId = users[0]?.user_id ?? "";
  wallet = users[0]?.wallet_address ?? "";
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Plan {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  /** What an index did not decide: rows are read only to be thrown away. */
  readonly Filter?: string;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Explains what it is asked to run, both ways, instead of running it. */
async function plansOf(list: (db: Queryable) => Promise<unknown>): Promise<Record<"custom" | "generic", Plan[]>> {
  const asked: { text: string; values: readonly Value[] }[] = [];
  await list({
    query: async (text, values = []) => {
      asked.push({ text, values });
      return [];
    },
  });
  const [statement] = asked;
  if (statement === undefined || asked.length !== 1) throw new Error("A list is one statement.");
  const custom = await client.query(`explain (format json) ${statement.text}`, [...statement.values]);
  const generic = await client.query(`explain (format json, generic_plan) ${statement.text}`);
  const read = (result: pg.QueryResult) => nodesOf(result.rows[0]["QUERY PLAN"][0].Plan);
  return { custom: read(custom), generic: read(generic) };
}

const NO_FILTERS: DepositFilters = {
  userId: null,
  status: null,
  chainId: null,
  createdAfter: null,
  createdBefore: null,
};
const DATES = { createdAfter: new Date("2026-03-01T00:00:00Z"), createdBefore: new Date("2026-06-01T00:00:00Z") };
const CURSOR = ["2026-05-01T00:00:00.000Z", "dep_5", "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11"];
const SCANS = /^(Index Scan|Index Only Scan)$/;
const BESIDES = /^(Limit|Merge Append|Append|Subquery Scan|Result|Nested Loop|Unique|Function Scan|Memoize)$/;

const merchantLists: [string, Partial<DepositFilters>, string][] = [
  ["no filter", {}, "deposits_by_status"],
  ["a status", { status: "completed" }, "deposits_by_status"],
  ["a rare status", { status: "pending" }, "deposits_by_status"],
  ["a chain", { chainId: 8453 }, "deposits_by_chain"],
  ["a rare chain", { chainId: 99 }, "deposits_by_chain"],
  ["a chain and a status", { chainId: 8453, status: "failed" }, "deposits_by_chain"],
  ["a user", { userId: randomUUID() }, "deposits_by_user"],
];

describe.each(["custom", "generic"] as const)("with a %s plan, a list is an index scan without a sort:", (kind) => {
  const variants = merchantLists.flatMap(([name, filters, index]) =>
    ([{}, DATES] as const).flatMap((dates) =>
      [null, CURSOR].map((after) => ({
        name: `${name}${dates === DATES ? ", between dates" : ""}${after === null ? "" : ", behind a cursor"}`,
        filters: { ...NO_FILTERS, ...filters, ...dates },
        after,
        index,
      })),
    ),
  );

  test.each(variants)("deposits of a merchant with $name", async ({ filters, after, index }) => {
    const actual = filters.userId === null ? filters : { ...filters, userId };
    const plans = await plansOf((db) => listDeposits(db, merchantId, actual, after, 26));
    expectIndexScans(plans[kind], [index]);
    if (filters.userId === null) expect(plans[kind].map((node) => node.Filter).filter(Boolean)).toEqual([]);
  });

  // Where a user's deposits may not fill a page, the planner may fetch them all and sort these few.
  test("deposits of a user who has few, or with more filters: nothing but that user's own are looked at", async () => {
    for (const filters of [
      { userId: rareUserId },
      { userId, chainId: 1, status: "completed" },
      { userId, status: "pending", ...DATES },
      { userId, chainId: 8453, ...DATES },
    ] as const) {
      const plans = await plansOf((db) => listDeposits(db, merchantId, { ...NO_FILTERS, ...filters }, CURSOR, 26));
      const scans = plans[kind].filter(
        (node) => /Scan/.test(node["Node Type"]) && node["Node Type"] !== "Bitmap Heap Scan",
      );
      expect(scans.map((node) => node["Index Name"])).toEqual(["deposits_by_user"]);
    }
  });

  test.each(
    ([{}, { status: "pending" }, { status: "completed" }] as Partial<DepositFilters>[]).flatMap((filters) =>
      [null, CURSOR].map((after) => ({ filters: { ...NO_FILTERS, ...filters }, after })),
    ),
  )("deposits of everyone with $filters.status behind $after", async ({ filters, after }) => {
    const plans = await plansOf((db) => listDepositsOfEveryone(db, filters, after, 26));
    expectIndexScans(plans[kind], ["deposits_of_everyone"]);
    expect(plans[kind].map((node) => node.Filter).filter(Boolean)).toEqual([]);
  });

  test("users of a merchant", async () => {
    for (const after of [null, [userId]]) {
      const plans = await plansOf((db) => listUsers(db, merchantId, after, 26));
      expectIndexScans(plans[kind], ["deposit_users_pkey", "deposit_wallets_pkey"]);
    }
  });

  test("users of a wallet", async () => {
    for (const chainId of [null, 8453]) {
      const plans = await plansOf((db) => listUsersOfWallet(db, merchantId, { address: wallet, chainId }, null, 26));
      // A user is found by its id; either of the two indexes that begin or end with it will do.
      const nodes = plans[kind].map((node) =>
        node["Index Name"] === "deposit_users_by_id" ? { ...node, "Index Name": "deposit_users_pkey" } : node,
      );
      expectIndexScans(nodes, ["deposit_users_pkey", "deposit_wallets_by_address", "deposit_wallets_pkey"]);
    }
  });

  test("the merchant of a user", async () => {
    const plans = await plansOf((db) => findMerchantOfUser(db, userId));
    expectIndexScans(plans[kind], ["deposit_users_by_id"]);
  });

  // The one list that sorts: a page of each merchant's deposits on the chain, which its index gives in order.
  test("deposits of everyone on a chain: a page from each merchant's index, and only these are sorted", async () => {
    const plans = await plansOf((db) => listDepositsOfEveryone(db, { ...NO_FILTERS, chainId: 8453 }, null, 26));
    const scans = plans[kind].filter((node) => node["Relation Name"] === "deposits");
    expect(scans.map((node) => [node["Node Type"], node["Index Name"]])).toEqual([["Index Scan", "deposits_by_chain"]]);
  });
});

test("the invented deposits agree with their figures and wallets", async () => {
  expect(await findDrift(database.db)).toEqual([]);
});

function expectIndexScans(nodes: readonly Plan[], indexes: readonly string[]): void {
  const scans = nodes.filter((node) => SCANS.test(node["Node Type"]));
  const others = nodes.filter((node) => !SCANS.test(node["Node Type"]) && !BESIDES.test(node["Node Type"]));
  expect(others.map((node) => node["Node Type"])).toEqual([]);
  expect([...new Set(scans.map((node) => node["Index Name"]))].sort()).toEqual([...indexes].sort());
}
