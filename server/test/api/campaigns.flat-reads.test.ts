// Reads must cost the same however many participants and wallets a campaign has. The cost is counted in pages of the
// database that a statement touches, which does not depend on how busy the machine is. MATCHBOOK_READS_LARGE=1000000 looks
// at the size the design speaks of.
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBurndown } from "../../src/campaigns/journal/burndown.ts";
import { listJournal } from "../../src/campaigns/journal/queries.ts";
import { findParticipant, findParticipantOfUser, listParticipants } from "../../src/campaigns/participants/queries.ts";
import { owedCsv } from "../../src/campaigns/payouts/owed.ts";
import { listOwed } from "../../src/campaigns/payouts/queries.ts";
import { findCampaign, findCampaignOfAnyone } from "../../src/campaigns/queries.ts";
import type { Campaign } from "../../src/campaigns/record.ts";
import { listRecorded, readBatch } from "../../src/campaigns/submissions/queries.ts";
import type { Queryable } from "../../src/db/pool.ts";
import { findQualifiedWallets, listQualifiedWallets } from "../../src/qualification/queries.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { generateKeys } from "../harness/merchant.ts";

const SMALL = 2_000;
const LARGE = Number(process.env.MATCHBOOK_READS_LARGE ?? 30_000);
const PAGE = 26;

let database: TestDatabase;
// Deposits are the merchant's, so each size has a merchant of its own.
const smallMerchant = randomUUID();
const largeMerchant = randomUUID();
const small = randomUUID();
const large = randomUUID();
// Here all but two participants have been paid, one of the two far down the list.
const smallPaid = randomUUID();
const largePaid = randomUUID();
const UNPAID = [SMALL, LARGE].map((count) => `user-${count - 10}`);
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  for (const [merchantId, count] of [
    [smallMerchant, SMALL],
    [largeMerchant, LARGE],
  ] as const) {
    await insertMerchant(merchantId);
    await fillDeposits(merchantId, count);
  }
  // The two grow side by side in one table, without statistics: the planner knows nothing, as on the day of a launch.
  await fill(smallMerchant, small, SMALL);
  await fill(largeMerchant, large, LARGE);
  await fill(smallMerchant, smallPaid, SMALL, 1);
  await fill(largeMerchant, largePaid, LARGE, 1);
  await db.query(
    "update participants set status = 'MATCHED', payouts_confirmed = 0 where campaign_id = any ($1) and merchant_user_id = any ($2)",
    [[smallPaid, largePaid], UNPAID],
  );
}, 600_000);
afterAll(() => database.drop());

async function insertMerchant(id: string): Promise<void> {
  await database.db.query(
    `insert into merchants (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     values ($1, 'reads', 'ACTIVE', 'ECDSA_P256_SHA256', $2, $3, 'reads@shop.example', 'shop.example', now(), now())`,
    [id, generateKeys().publicKeyPem, randomBytes(33)],
  );
}

/** Three deposits for each wallet: one before the window, one on its first day, and one later in it. */
async function fillDeposits(merchantId: string, count: number): Promise<void> {
  await database.db.transaction(
    (transaction) =>
      transaction.query(
        `insert into deposits
           select $1, 'dep-' || n || '-' || day, md5(n::text)::uuid, 'completed', 1, case when n % 100 = 0 then 1 else 8453 end,
                  'USDC', '0x1', '0x' || md5(n::text), '0x' || md5(n::text),
                  '2026-01-01Z'::timestamptz + day * interval '1 day' + n * interval '1 ms', '2026-02-01Z'
           from generate_series(1, $2::integer) n
           cross join unnest(array[-9, 0, 9]) as day`,
        [merchantId, count],
      ),
    { statementTimeoutMs: 300_000 },
  );
}

async function fill(merchantId: string, campaignId: string, count: number, paidEvery = 20): Promise<void> {
  await database.db.transaction(
    async (transaction) => {
      await transaction.query(
        `insert into campaigns
         values ($1, $2, 'PER_TRADE_PROFIT_MATCH', 'ACTIVE', 'reads', '2026-01-01Z', '2026-02-01Z', 2, 'USDC', 6, 1000, 1000000000,
                 $3::integer, 8453, '0x1', $3::integer, now(), now())`,
        [merchantId, campaignId, count],
      );
      await transaction.query(
        `insert into participants
             (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match,
              payouts_open, payouts_confirmed, payouts_count, last_payout_failed, create_date, update_date,
              receiver_address, receiver_set_by)
           select $1, md5($2::uuid::text || n)::uuid, $2::uuid, 'user-' || n, case when n % $4 = 0 then 'PAID' else 'MATCHED' end,
                  '2026-01-10Z', 1, 1, 1000, 0, case when n % $4 = 0 then 1 else 0 end, 0, false,
                  '2026-03-01Z'::timestamptz + n * interval '1 ms', '2026-03-01Z',
                  case when n % 100 <> 0 then '0x' || md5(n::text) end, case when n % 100 <> 0 then 'SUBMISSION' end
           from generate_series(1, $3::integer) n`,
        [merchantId, campaignId, count, paidEvery],
      );
      await transaction.query(
        `insert into participant_wallets
           select $1, md5($2::uuid::text || n)::uuid, '0x' || md5(n::text), case when n % 100 = 0 then 1 else 8453 end, $2::uuid,
                  '0x' || md5(n::text), 0, n
           from generate_series(1, $3::integer) n`,
        [merchantId, campaignId, count],
      );
      await transaction.query(
        `insert into submission_journal
           select $1, $2::uuid, n, md5('s' || n)::uuid, md5($2::uuid::text || n)::uuid, true, 1, 1000, 1000000000, 1, 1, n, '2026-03-01Z'
           from generate_series(1, $3::integer) n`,
        [merchantId, campaignId, count],
      );
    },
    { statementTimeoutMs: 300_000 },
  );
}

async function pagesOf(work: (db: Queryable) => Promise<unknown>): Promise<number> {
  return (await pagesOfEach(work)).reduce((sum, pages) => sum + pages, 0);
}

/**
 * How many pages each of the work's statements touches, planned as the pool's connections plan. A bound value would be known to
 * the planner of `explain`, so each statement is prepared first and executed with its values.
 */
async function pagesOfEach(work: (db: Queryable) => Promise<unknown>): Promise<number[]> {
  const pages: number[] = [];
  let rowCount = 0;
  await database.db.transaction(async (transaction) => {
    const counting: Queryable = {
      async query<Row>(text: string, values: readonly unknown[] = []) {
        const literals = values.map((value) => literalOf(value)).join(", ");
        await transaction.query(`prepare counted as ${text}`);
        const [row] = await transaction.query<{ "QUERY PLAN": { Plan: Record<string, number> }[] }>(
          `explain (analyze, buffers, format json) execute counted ${literals && `(${literals})`}`,
        );
        await transaction.query("deallocate counted");
        const plan = row?.["QUERY PLAN"][0]?.Plan ?? {};
        pages.push((plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0));
        const rows = await transaction.query<Row>(text, values as never);
        rowCount += rows.length;
        return rows;
      },
    };
    await work(counting);
  });
  expect(rowCount, "a read that finds nothing says nothing about its cost").toBeGreaterThan(0);
  return pages;
}

function literalOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(String(item))).join(",")}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

const key = (n: number, chainId = 8453) => ({ addressKey: md5Address(n), chainId });
const middle = (count: number) => Math.floor(count / 2);
const dateOf = (n: number) => new Date(Date.UTC(2026, 2, 1) + n).toISOString();
const ZERO = "00000000-0000-0000-0000-000000000000";
const addresses = new Map<number, string>();
const md5Address = (n: number) => addresses.get(n) ?? "";

const reads: [string, (db: Queryable, campaign: Campaign, count: number) => Promise<unknown>][] = [
  ["a campaign", (db, { merchantId, id }) => findCampaign(db, merchantId, id)],
  ["the first page of participants", (db, campaign) => listParticipants(db, campaign, null, null, PAGE)],
  [
    "a page of participants in the middle",
    (db, campaign, count) => listParticipants(db, campaign, null, [dateOf(middle(count)), ZERO], PAGE),
  ],
  ["the participants of a rare status", (db, campaign) => listParticipants(db, campaign, "PAID", null, PAGE)],
  [
    "the participants of a rare status, in the middle",
    (db, campaign, count) => listParticipants(db, campaign, "PAID", [dateOf(middle(count)), ZERO], PAGE),
  ],
  [
    "a participant by its id",
    async (db, campaign) => findParticipant(db, campaign, await participantOf(campaign, "user-7")),
  ],
  ["the participant of a user", (db, campaign, count) => findParticipantOfUser(db, campaign, `user-${count}`)],
  ["the first page of wallets", (db, campaign) => listQualifiedWallets(db, campaign, null, null, PAGE)],
  ["a page of wallets in the middle", (db, campaign) => listQualifiedWallets(db, campaign, null, ["0x8", "1"], PAGE)],
  ["the wallets of a rare chain", (db, campaign) => listQualifiedWallets(db, campaign, 1, null, PAGE)],
  ["given wallets", (db, campaign) => findQualifiedWallets(db, campaign, [1, 2, 3].map(md5Address), null, null, PAGE)],
  [
    "given wallets on a chain",
    (db, campaign) => findQualifiedWallets(db, campaign, [1, 2, 3].map(md5Address), 8453, null, PAGE),
  ],
  [
    "what a batch is decided from",
    (db, campaign) =>
      readBatch(db, [{ campaign, merchantUserIds: ["user-7", "user-without-row"], wallets: [key(1), key(2), key(3)] }]),
  ],
  [
    "what a batch is decided from, with a minimum deposit and a limit of claims",
    (db, campaign) =>
      readBatch(db, [
        { campaign: withRules(campaign), merchantUserIds: ["user-7"], wallets: [key(1), key(2), key(3)] },
      ]),
  ],
  [
    "the first page of wallets with a minimum deposit",
    (db, campaign) => listQualifiedWallets(db, withRules(campaign), null, null, PAGE),
  ],
  [
    "given wallets with a minimum deposit",
    (db, campaign) => findQualifiedWallets(db, withRules(campaign), [1, 2, 3].map(md5Address), null, null, PAGE),
  ],
  [
    "the first page of participants with a minimum deposit",
    (db, campaign) => listParticipants(db, withRules(campaign), null, null, PAGE),
  ],
  ["the journal's end", (db, campaign) => listJournal(db, campaign, null, null, PAGE)],
  [
    "the journal of a participant",
    async (db, campaign) => listJournal(db, campaign, await participantOf(campaign, "user-7"), null, PAGE),
  ],
  ["the points of the burndown", (db, campaign) => readBurndown(db, campaign)],
  ["the first lines of owed.csv", (db, campaign) => listOwed(db, campaign, null, PAGE)],
];

const withRules = (campaign: Campaign) => ({ ...campaign, minimumDepositMicros: 1n, participantsPerWalletMax: 2 });

async function participantOf(campaign: Campaign, merchantUserId: string): Promise<string> {
  return (await findParticipantOfUser(database.db, campaign, merchantUserId))?.id ?? "";
}

async function campaignOf(id: string): Promise<Campaign> {
  const campaign = await findCampaignOfAnyone(database.db, id);
  if (campaign === null) throw new Error("The campaign is gone.");
  return campaign;
}

// A tree may have grown by a level, from two pages for each look-up to three, and where its pages split differs from run to run. A
// read that grows with the rows takes fifteen times as many.
const allowed = (pages: number) => pages * 2 + 8;

describe(`as many pages are touched with ${LARGE} participants and wallets as with ${SMALL}`, () => {
  beforeAll(async () => {
    const rows = await database.db.query<{ n: number; address: string }>(
      "select n, '0x' || md5(n::text) as address from generate_series(1, 3) n",
    );
    for (const { n, address } of rows) addresses.set(n, address);
  });

  describe.each(["before", "after"])("%s the database has gathered statistics", (moment) => {
    beforeAll(async () => {
      if (moment === "after") {
        await database.db.query("analyze participants, participant_wallets, deposits, submission_journal, campaigns");
      }
    });

    test("each statement of owed.csv where nearly all participants have been paid", async () => {
      const linesOf = async (db: Queryable, id: string) => {
        let text = "";
        for await (const lines of owedCsv(db, await campaignOf(id), "payable")) text += lines;
        return text.split("\r\n");
      };
      const few = await pagesOfEach((db) => linesOf(db, smallPaid));
      const many = await pagesOfEach((db) => linesOf(db, largePaid));
      expect(Math.max(...many)).toBeLessThanOrEqual(Math.max(...few) * 1.5 + 8);
      expect(await linesOf(database.db, largePaid)).toEqual([
        expect.stringMatching(/^report_only_not_for_payment,/),
        ...Array(2).fill(expect.stringMatching(/^OWED,[0-9a-f-]{36},user-\d+,0x[0-9a-f]{32},0\.000001,USDC,0x1,$/)),
        "",
      ]);
    });

    test.each(reads)("%s", async (_name, read) => {
      const [few, many] = [await campaignOf(small), await campaignOf(large)];
      const fewPages = await pagesOf((db) => read(db, few, SMALL));
      const manyPages = await pagesOf((db) => read(db, many, LARGE));
      expect(manyPages).toBeLessThanOrEqual(allowed(fewPages));
    });
  });

  describe("of a merchant that the statistics do not know", () => {
    const [newMerchant, fresh] = [randomUUID(), randomUUID()];
    beforeAll(async () => {
      await insertMerchant(newMerchant);
      await fillDeposits(newMerchant, LARGE);
      await fill(newMerchant, fresh, LARGE);
    }, 300_000);

    test.each(reads)("%s", async (_name, read) => {
      const [few, many] = [await campaignOf(small), await campaignOf(fresh)];
      const fewPages = await pagesOf((db) => read(db, few, SMALL));
      const manyPages = await pagesOf((db) => read(db, many, LARGE));
      expect(manyPages).toBeLessThanOrEqual(allowed(fewPages));
    });
  });

  test("recorded submissions, once the database has gathered statistics", async () => {
    const [row] = await database.db.query<{ recorded: string }>("select md5('s7')::uuid as recorded");
    const { recorded = "" } = row ?? {};
    const few = await pagesOf((db) => listRecorded(db, smallMerchant, small, [recorded]));
    const many = await pagesOf((db) => listRecorded(db, largeMerchant, large, [recorded]));
    expect(many).toBeLessThanOrEqual(few * 1.5 + 8);
  });
});
