import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Queryable, Value } from "../../src/db/pool.ts";
import { insertDemoDeposits } from "../../src/deposits/demo-queries.ts";
import { type DepositFilters, listDeposits, listDepositsOfAllMerchants } from "../../src/deposits/deposit-queries.ts";
import type { Deposit } from "../../src/deposits/record.ts";
import { listUsers, listUsersInRange } from "../../src/deposits/user-queries.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { findDrift } from "../harness/deposits.ts";
import { insertMerchant } from "../harness/merchant-rows.ts";

// Every list query on enough rows that a full scan or a sort would be the wrong plan. Each is planned with its values, and
// without them, as PostgreSQL may do from a prepared statement's sixth execution on.
let database: TestDatabase;
let client: pg.Client;
let merchantId: string;
let userId: string;
let rareUserId: string;
let wallet: { address: string; chainId: number };
let deposits: Pick<Deposit, "merchantId" | "id" | "userId" | "status" | "chainId" | "createDate">[];

const DEPOSITS_BY_MERCHANT = [30_000, 8_000, 2_000];
const COUNT = 26;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
  const { db } = database;
  for (const [index, count] of DEPOSITS_BY_MERCHANT.entries()) {
    const id = await insertMerchant(db);
    if (index === 0) merchantId = id;
    const until = new Date("2026-07-01T00:00:00Z");
    await insertDemoDeposits(db, {
      merchantId: id,
      firstDeposit: 1,
      deposits: count,
      firstUser: 1,
      users: count / 5,
      until,
      days: 200,
      seed: 7,
    });
  }
  // Vacuumed, too: how many pages are known to be visible decides between two indexes that hold all columns.
  await db.query("vacuum (analyze)");
  deposits = await db.query(
    `select merchant_id as "merchantId", id, user_id as "userId", status, chain_id as "chainId", create_date as "createDate"
     from deposits order by create_date desc, id desc, merchant_id desc`,
  );
  const counts = new Map<string, number>();
  for (const deposit of deposits) {
    if (deposit.merchantId === merchantId) counts.set(deposit.userId, (counts.get(deposit.userId) ?? 0) + 1);
  }
  const users = [...counts].sort(([, a], [, b]) => a - b).map(([id]) => id);
  userId = users.at(-1) ?? "";
  rareUserId = users[0] ?? "";
  [wallet] = (await db.query(
    `select wallet_address as address, chain_id as "chainId" from deposit_wallets where merchant_id = $1 and user_id = $2`,
    [merchantId, rareUserId],
  )) as [{ address: string; chainId: number }];
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Plan {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  /** A condition that the index does not cover: rows that fail it are read for nothing. */
  readonly Filter?: string;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The plans of the list's statement, which is also run: a fast plan for the wrong rows would prove nothing. */
async function plansOf<Item>(
  list: (db: Queryable) => Promise<Item>,
  expectItems: (found: Item) => void,
): Promise<Record<"custom" | "generic", Plan[]>> {
  const asked: { text: string; values: readonly Value[] }[] = [];
  const counting: Queryable = {
    query: async (text, values = []) => {
      asked.push({ text, values });
      return database.db.query(text, values);
    },
  };
  expectItems(await list(counting));
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
// Only the last hours before July have pending deposits.
const DATES = { createdAfter: new Date("2026-03-01T00:00:00Z"), createdBefore: new Date("2026-06-30T23:00:00Z") };
const CURSOR = ["2026-06-30T22:00:00.000Z", "dep_5", "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11"];
const SCANS = /^(Index Scan|Index Only Scan)$/;
const BESIDES = /^(Limit|Merge Append|Append|Subquery Scan|Result|Nested Loop|Unique|Function Scan|Memoize)$/;

const UNUSED_CHAIN_ID = 99;

/** The same list without any SQL: all deposits, filtered and sorted. */
function expectedPage(filters: DepositFilters, after: readonly string[] | null, ofMerchant: string | null): string[] {
  const { userId: user, status, chainId, createdAfter, createdBefore } = filters;
  const [date = "", id = "", owner = ""] = after ?? [];
  const cursor = `${date} ${id} ${ofMerchant === null ? owner : ofMerchant}`;
  return deposits
    .filter(
      (deposit) =>
        (ofMerchant === null || deposit.merchantId === ofMerchant) &&
        (user === null || deposit.userId === user) &&
        (status === null || deposit.status === status) &&
        (chainId === null || deposit.chainId === chainId) &&
        (createdAfter === null || deposit.createDate >= createdAfter) &&
        (createdBefore === null || deposit.createDate <= createdBefore) &&
        (after === null || sortKey(deposit) < cursor),
    )
    .slice(0, COUNT)
    .map(sortKey);
}

// Ids have no spaces and no characters that sort before one, so this text sorts as date, id and merchant do.
const sortKey = ({
  createDate,
  id,
  merchantId: owner,
}: {
  createDate: Date | string;
  id: string;
  merchantId: string;
}) => `${new Date(createDate).toISOString()} ${id} ${owner}`;

function depositPlans(filters: DepositFilters, after: string[] | null, ofMerchant: string | null) {
  return plansOf(
    (db) =>
      ofMerchant === null
        ? listDepositsOfAllMerchants(db, filters, after, COUNT)
        : listDeposits(db, ofMerchant, filters, after, COUNT),
    (found) => {
      expect(found.map(sortKey)).toEqual(expectedPage(filters, after, ofMerchant));
      if (filters.chainId !== UNUSED_CHAIN_ID) expect(found).not.toEqual([]);
    },
  );
}

const merchantLists: [string, Partial<DepositFilters>, string][] = [
  ["no filter", {}, "deposits_by_status"],
  ["a status", { status: "completed" }, "deposits_by_status"],
  ["a rare status", { status: "pending" }, "deposits_by_status"],
  ["a chain", { chainId: 8453 }, "deposits_by_chain"],
  ["an unused chain", { chainId: UNUSED_CHAIN_ID }, "deposits_by_chain"],
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
    const plans = await depositPlans(actual, after, merchantId);
    expectIndexScans(plans[kind], [index]);
    if (filters.userId === null) expect(plans[kind].map((node) => node.Filter).filter(Boolean)).toEqual([]);
  });

  // Where a user's deposits may not fill a page, the planner may fetch them all and sort these few.
  test("deposits of a user who has few, or with more filters: only that user's deposits are read", async () => {
    for (const filters of [
      { userId: rareUserId },
      { userId, chainId: 1, status: "completed" },
      { userId, status: "failed", ...DATES },
      { userId, chainId: 8453, ...DATES },
    ] as const) {
      const plans = await depositPlans({ ...NO_FILTERS, ...filters }, null, merchantId);
      const scans = plans[kind].filter(
        (node) => /Scan/.test(node["Node Type"]) && node["Node Type"] !== "Bitmap Heap Scan",
      );
      expect(scans.map((node) => node["Index Name"])).toEqual(["deposits_by_user"]);
    }
  });

  test.each(
    ([{}, DATES, { status: "pending" }, { status: "completed", ...DATES }] as Partial<DepositFilters>[]).flatMap(
      (filters) => [null, CURSOR].map((after) => ({ filters: { ...NO_FILTERS, ...filters }, after })),
    ),
  )("deposits of all merchants with $filters.status behind $after", async ({ filters, after }) => {
    const plans = await depositPlans(filters, after, null);
    expectIndexScans(plans[kind], ["deposits_of_everyone"]);
    expect(plans[kind].map((node) => node.Filter).filter(Boolean)).toEqual([]);
  });

  test("users of a merchant", async () => {
    const ids = [
      ...new Set(deposits.filter((deposit) => deposit.merchantId === merchantId).map((each) => each.userId)),
    ];
    for (const after of [null, [ids.sort()[1_000] as string]]) {
      const expected = ids.filter((id) => after === null || id > (after[0] as string)).slice(0, COUNT);
      const plans = await plansOf(
        (db) => listUsers(db, merchantId, { walletAddress: null, chainId: null }, after, COUNT),
        (found) => expect(found.map((user) => user.userId)).toEqual(expected),
      );
      expectIndexScans(withoutWalletSort(plans[kind]), ["deposit_users_pkey", "deposit_wallets_by_date"]);
    }
  });

  test("users of a wallet", async () => {
    for (const chainId of [null, wallet.chainId]) {
      const plans = await plansOf(
        (db) => listUsers(db, merchantId, { walletAddress: wallet.address.toUpperCase(), chainId }, null, COUNT),
        (found) => expect(found.map((user) => user.userId)).toEqual([rareUserId]),
      );
      // A user is found by its id; either of the two indexes that begin or end with it will do.
      const nodes = withoutWalletSort(plans[kind]).map((node) =>
        node["Index Name"] === "deposit_users_by_id" ? { ...node, "Index Name": "deposit_users_pkey" } : node,
      );
      expectIndexScans(nodes, ["deposit_users_pkey", "deposit_wallets_by_address", "deposit_wallets_by_date"]);
    }
  });

  test("the users whose id begins so", async () => {
    const plans = await plansOf(
      (db) => listUsersInRange(db, { first: userId, last: userId, end: "" }, null, 21),
      (found) => expect(found).toEqual([{ merchantId, userId }]),
    );
    // A few rows of the index, in any order.
    expect(plans[kind].flatMap((node) => node["Index Name"] ?? [])).toEqual(["deposit_users_by_id"]);
  });

  // The one list that sorts: a page of each merchant's deposits on the chain, which its index gives in order.
  test("deposits of all merchants on a chain: a page from each merchant's index, and only these are sorted", async () => {
    for (const filters of [{}, { status: "failed" }, DATES] as const) {
      for (const after of [null, CURSOR]) {
        const plans = await depositPlans({ ...NO_FILTERS, chainId: 8453, ...filters }, after, null);
        const scans = plans[kind].filter((node) => node["Relation Name"] === "deposits");
        expect(scans.map((node) => [node["Node Type"], node["Index Name"]])).toEqual([
          ["Index Scan", "deposits_by_chain"],
        ]);
      }
    }
  });
});

test("the demo deposits agree with their figures and wallets", async () => {
  expect(await findDrift(database.db)).toEqual([]);
});

/** The 100 wallets of an item are sorted by their address. */
function withoutWalletSort(nodes: readonly Plan[]): Plan[] {
  const others = nodes.filter((node) => node["Node Type"] !== "Sort");
  expect(nodes.length - others.length).toBe(1);
  return others;
}

function expectIndexScans(nodes: readonly Plan[], indexes: readonly string[]): void {
  const scans = nodes.filter((node) => SCANS.test(node["Node Type"]));
  const others = nodes.filter((node) => !SCANS.test(node["Node Type"]) && !BESIDES.test(node["Node Type"]));
  expect(others.map((node) => node["Node Type"])).toEqual([]);
  expect([...new Set(scans.map((node) => node["Index Name"]))].sort()).toEqual([...indexes].sort());
}
