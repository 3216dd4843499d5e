// What operators read of all merchants must cost the same however many merchants, campaigns, deposits, log entries and jobs there
// are. The cost is counted in pages of the database, which does not depend on how busy the machine is.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listTokens } from "../../src/access/token-queries.ts";
import { listAuditRows } from "../../src/audit/queries.ts";
import { listCampaigns } from "../../src/campaigns/queries.ts";
import type { Queryable } from "../../src/db/pool.ts";
import { listDepositsOfAllMerchants } from "../../src/deposits/deposit-queries.ts";
import { listMerchants } from "../../src/merchants/queries.ts";
import { countJobsByKind, listStuckJobs } from "../../src/outbox/queries.ts";
import {
  countOverview,
  listAllFailedPayouts,
  listDepositDays,
  listFailedPayouts,
  listFullBudgets,
  listRewardDays,
} from "../../src/oversight/overview-queries.ts";
import { findById } from "../../src/oversight/search-queries.ts";
import { listApplications } from "../../src/registration/queries.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { pagesOf } from "../harness/plans.ts";

const SMALL = 400;
const LARGE = 4_000;
const PAGE = 26;
// Stands for the number at which the overview stops to count. The real one is 10,000.
const COUNT_MAX = 100;
const KINDS = ["mail", "registry"];
const ALL_ENTRIES = {
  merchantId: null,
  actor: null,
  action: null,
  subject: null,
  createdAfter: null,
  createdBefore: null,
};
const ALL_MERCHANTS = { pattern: null, ids: null, oneOf: null, status: null };
const ALL_DEPOSITS = { status: null, chainId: null, createdAfter: null, createdBefore: null };
const SOME_ID = {
  first: "00000000-0000-0000-0000-000000000000",
  last: "000fffff-ffff-ffff-ffff-ffffffffffff",
  end: "",
};

const reads: [string, (db: Queryable) => Promise<unknown>][] = [
  ["the counts of the overview", (db) => countOverview(db, COUNT_MAX)],
  ["the jobs of the overview", (db) => countJobsByKind(db, KINDS, COUNT_MAX, new Date("2026-06-01T00:00:00Z"))],
  ["the stuck jobs", (db) => listStuckJobs(db, KINDS, PAGE)],
  ["the failed payouts of the overview", (db) => listFailedPayouts(db, COUNT_MAX, 10)],
  ["all failed payouts", (db) => listAllFailedPayouts(db, null, PAGE)],
  ["the budgets of the overview", (db) => listFullBudgets(db, COUNT_MAX, 10)],
  ["the deposits of thirty days", (db) => listDepositDays(db, DAYS)],
  ["the rewards of thirty days", (db) => listRewardDays(db, DAYS[0] as string, DAYS.at(-1) as string)],
  ["merchants", (db) => listMerchants(db, ALL_MERCHANTS, null, PAGE)],
  ["suspended merchants", (db) => listMerchants(db, { ...ALL_MERCHANTS, status: "SUSPENDED" }, null, PAGE)],
  ["applications", (db) => listApplications(db, null, null, PAGE)],
  ["pending applications", (db) => listApplications(db, "PENDING", null, PAGE)],
  ["campaigns", (db) => listCampaigns(db, { merchantId: null, status: null }, null, PAGE)],
  ["active campaigns", (db) => listCampaigns(db, { merchantId: null, status: "ACTIVE" }, null, PAGE)],
  ["deposits", (db) => listDepositsOfAllMerchants(db, ALL_DEPOSITS, null, PAGE)],
  ["failed deposits", (db) => listDepositsOfAllMerchants(db, { ...ALL_DEPOSITS, status: "failed" }, null, PAGE)],
  ["the audit log", (db) => listAuditRows(db, ALL_ENTRIES, null, PAGE)],
  ["the audit log of an action", (db) => listAuditRows(db, { ...ALL_ENTRIES, action: "rare" }, null, PAGE)],
  ["the audit log of a subject", (db) => listAuditRows(db, { ...ALL_ENTRIES, subject: "s7" }, null, PAGE)],
  ["tokens", (db) => listTokens(db, null, PAGE)],
];
// An index that leads to these over all merchants would cost every ingest one more entry. So each merchant's own index is asked.
const readsByMerchant: [string, (db: Queryable) => Promise<unknown>, pagesMax: number][] = [
  ["deposits on a chain", (db) => listDepositsOfAllMerchants(db, { ...ALL_DEPOSITS, chainId: 8453 }, null, PAGE), 9],
  ["deposits on a rare chain", (db) => listDepositsOfAllMerchants(db, { ...ALL_DEPOSITS, chainId: 10 }, null, PAGE), 9],
  ["what an id belongs to", (db) => findById(db, SOME_ID, { first: "dep_00", last: "dep_00~", end: "" }, 20), 4],
];
const DAYS = Array.from({ length: 30 }, (_, index) =>
  new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
);

let database: TestDatabase;
const few = new Map<string, number>();
beforeAll(async () => {
  database = await createTestDatabase();
  await fill(1, SMALL);
  for (const [name, read] of reads) few.set(name, await pagesOf(database, read));
  await fill(SMALL + 1, LARGE);
}, 120_000);
afterAll(() => database.drop());

/** Numbers from `first` to `last`: for each a merchant with an application, a campaign, participants, deposits, jobs and log entries. */
async function fill(first: number, last: number): Promise<void> {
  const run = (text: string) => database.db.query(text, [first, last]);
  await run(
    `insert into merchants
       (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     select md5('m' || n)::uuid, 'm' || n, case when n % 10 = 0 then 'SUSPENDED' else 'ACTIVE' end, 'ECDSA_P256_SHA256', 'none',
            '\\x02'::bytea || sha256(n::text::bytea), 'a@shop.example', 'shop' || n || '.example',
            '2026-01-01Z'::timestamptz + n * interval '1 ms', '2026-01-01Z'
     from generate_series($1::integer, $2::integer) n`,
  );
  await run(
    `insert into applications
       (id, merchant_id, status, email, domain, public_key, public_key_point, description, create_date, decide_date)
     select md5('a' || n)::uuid, md5('m' || n)::uuid, case when n % 3 = 0 then 'PENDING' else 'APPROVED' end, 'a@shop.example',
            'shop' || n || '.example', 'none', '\\x02'::bytea || sha256(n::text::bytea), 'A shop.',
            '2026-01-01Z'::timestamptz + n * interval '1 ms', case when n % 3 <> 0 then '2026-01-02Z'::timestamptz end
     from generate_series($1::integer, $2::integer) n`,
  );
  await run(
    `insert into campaigns
       (merchant_id, id, type, status, display_name, start_date, end_date, match_multiplier, currency, decimal_places,
        max_amount_per_user, max_amount_total, committed, payout_chain_id, payout_token_address, journal_length, create_date,
        update_date)
     select md5('m' || n)::uuid, md5('c' || n)::uuid, 'PER_TRADE_PROFIT_MATCH', case when n % 3 = 0 then 'ACTIVE' else 'ENDED' end,
            'c' || n, '2026-01-01Z', '2026-02-01Z', 2, 'USDC', 6, 1000, 1000, 900, 8453, '0x1', 0,
            '2026-01-01Z'::timestamptz + n * interval '1 ms', '2026-01-01Z'
     from generate_series($1::integer, $2::integer) n`,
  );
  await run(
    `insert into participants
     select md5('m' || n)::uuid, md5('p' || n)::uuid, md5('c' || n)::uuid, 'user', case when n % 3 = 0 then 'FAILED' else 'PAID' end,
            '2026-01-10Z', 1, 1, 1000, 0, case when n % 3 = 0 then 0 else 1 end, 1, n % 3 = 0,
            '2026-01-01Z'::timestamptz + n * interval '1 ms', '2026-01-01Z'
     from generate_series($1::integer, $2::integer) n`,
  );
  await run(
    `insert into deposits
     select md5('m' || n)::uuid, 'dep_' || md5(n::text), md5(n::text)::uuid,
            case when n % 20 = 0 then 'failed' else 'completed' end, 1, case when n = 7 then 10 else 8453 end, 'USDC', '0x1',
            '0x' || n, '0x' || n, '2026-01-01Z'::timestamptz + n * interval '1 ms', '2026-01-01Z'
     from generate_series($1::integer, $2::integer) n`,
  );
  // The days of the tests have figures already; more of everything adds to the same rows.
  await database.db.query(
    `insert into deposit_days select day, shard, 1, 1, 1, 1
     from generate_series('2026-01-01'::date, '2026-01-30'::date, interval '1 day') day cross join generate_series(0, 15) shard
     on conflict (day, shard) do update set completed_count = deposit_days.completed_count + 1`,
  );
  await database.db.query(
    `insert into reward_days select md5('m' || n)::uuid, md5('c' || n)::uuid, day, 'USDC', 6, 1
     from generate_series('2026-01-01'::date, '2026-01-30'::date, interval '1 day') day cross join generate_series(1, 10) n
     on conflict (merchant_id, campaign_id, day) do update set amount = reward_days.amount + 1`,
  );
  await run(
    `insert into audit_log (position, date, actor, action, subject, merchant_id, detail, mac)
     select n, '2026-01-01Z'::timestamptz + n * interval '1 ms', 'operator', case when n % 50 = 0 then 'rare' else 'often' end, 's' || n,
            md5('m' || n)::uuid, '{}', ''
     from generate_series($1::integer, $2::integer) n`,
  );
  await run(
    `insert into outbox (id, kind, payload, attempts, next_attempt_date, create_date)
     select md5('j' || n)::uuid, case when n % 2 = 0 then 'mail' else 'registry' end, '{}', n % 5,
            case when n % 3 <> 0 then '2026-01-01Z'::timestamptz end, '2026-01-01Z'
     from generate_series($1::integer, $2::integer) n`,
  );
  await run(
    `insert into operator_tokens (id, name, role, token_hash, create_date, expire_date)
     select md5('t' || n)::uuid, 't', 'viewer', sha256(n::text::bytea), '2026-01-01Z'::timestamptz + n * interval '1 ms', '2027-01-01Z'
     from generate_series($1::integer, $2::integer) n`,
  );
}

describe.each(["before", "after"])("%s the database has gathered statistics", (moment) => {
  beforeAll(async () => {
    if (moment === "after") await database.db.query("analyze");
  });

  // Without statistics PostgreSQL takes the failed payouts for few, and sorts them all.
  const measured = reads.filter(([name]) => moment === "after" || name !== "all failed payouts");

  test.each(measured)(`%s: as many pages with ${LARGE} of everything as with ${SMALL}`, async (name, read) => {
    // A tree may have grown by a level.
    expect(await pagesOf(database, read)).toBeLessThanOrEqual((few.get(name) ?? 0) * 1.5 + 12);
  });

  test.each(readsByMerchant)("%s: a few pages for each merchant", async (_name, read, pagesMax) => {
    expect(await pagesOf(database, read)).toBeLessThanOrEqual(pagesMax * LARGE);
  });
});
