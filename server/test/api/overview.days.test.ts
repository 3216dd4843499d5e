import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertDemoDeposits } from "../../src/deposits/demo-queries.ts";
import { listDepositDays, listRewardDays } from "../../src/oversight/overview-queries.ts";
import { createActive, submission, usdc } from "../harness/campaigns.ts";
import { depositEvent, reported, WALLET } from "../harness/deposits.ts";
import { countBlocked } from "../harness/locks.ts";
import { registerMerchant, signHeader } from "../harness/merchant.ts";
import { insertCampaign, insertMerchant } from "../harness/merchant-rows.ts";
import { scansOf } from "../harness/plans.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let now = Date.parse("2026-03-10T23:30:00.000Z");
const clock = () => new Date(now);

let service: Service;
beforeAll(async () => {
  service = await startService({ clock });
});
afterAll(() => service.close());

const read = async (query = "") => {
  const answer = await service.operator(`/overview/days${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.days as {
    date: string;
    deposits: object;
    completedUsd: { value: string };
    rewards: object[];
  }[];
};
const NOTHING = {
  deposits: { completed: 0, pending: 0, failed: 0 },
  completedUsd: { value: "0.00", currency: "USD" },
  rewards: [],
};

describe("GET /operator/v1/overview/days", () => {
  test("every day of the range in UTC, today last; thirty by default", async () => {
    expect(await read("?days=3")).toEqual([
      { date: "2026-03-08", ...NOTHING },
      { date: "2026-03-09", ...NOTHING },
      { date: "2026-03-10", ...NOTHING },
    ]);
    expect((await read("?days=1")).map(({ date }) => date)).toEqual(["2026-03-10"]);
    const usual = await read();
    expect([usual.length, usual[0]?.date, usual.at(-1)?.date]).toEqual([30, "2026-02-09", "2026-03-10"]);
    const most = await read("?days=90");
    expect([most.length, most[0]?.date]).toEqual([90, "2025-12-11"]);
    expect(new Set(most.map(({ date }) => date)).size).toBe(90);
  });

  test.each(["days=0", "days=91", "days=1.5", "days=", "days=ten", "days=1&days=2", "from=2026-01-01"])(
    "400 for %s",
    async (query) => {
      const answer = await service.operator(`/overview/days?${query}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    },
  );

  test("viewers may look", async () => {
    expect(await statusByRole(service, "/overview/days?days=1")).toEqual(READERS);
  });

  test("deposits of all merchants count on the day they were created, by the status they have now", async () => {
    const merchants = [await registerMerchant(service), await registerMerchant(service)];
    const events = merchants.flatMap(({ id }) =>
      (
        [
          ["2026-03-07T23:59:59.999Z", "COMPLETED", "1000"],
          ["2026-03-08T00:00:00.000Z", "COMPLETED", "0.1"],
          ["2026-03-08T23:59:59.999Z", "COMPLETED", "0.000001"],
          ["2026-03-09T12:00:00.000Z", "AUTHORIZED", "5"],
          ["2026-03-09T12:00:00.000Z", "EXPIRED", "7"],
          ["2026-03-10T23:59:59.999Z", "FAILED", "9"],
          ["2026-03-11T00:00:00.000Z", "COMPLETED", "2000"],
        ] as const
      ).map(([createDate, state, value]) =>
        depositEvent(id, { createDate, updateDate: createDate, state, amount: { value, currency: "USD" } }),
      ),
    );
    await reported(service, events);
    now += 60_000;
    const expected = [
      {
        date: "2026-03-08",
        ...NOTHING,
        deposits: { completed: 4, pending: 0, failed: 0 },
        completedUsd: usd("0.200002"),
      },
      { date: "2026-03-09", ...NOTHING, deposits: { completed: 0, pending: 2, failed: 2 } },
      { date: "2026-03-10", ...NOTHING, deposits: { completed: 0, pending: 0, failed: 2 } },
    ];
    expect(await read("?days=3")).toEqual(expected);
    now += 3_600_000;
    const [first, , , today] = await read("?days=4");
    expect(first).toEqual(expected[0]);
    expect(today).toMatchObject({ date: "2026-03-11", completedUsd: usd("4000.00") });
  });

  test("rewards are what was newly matched on a day, one sum for each token", async () => {
    now = Date.parse("2026-04-20T10:00:00.000Z");
    const merchant = await registerMerchant(service);
    await reported(service, [depositEvent(merchant.id, { payerId: "rewarded", createDate: "2026-01-15T12:00:00Z" })]);
    const dai = (amount: string) => ({ amount, currency: "DAI", decimalPlaces: 18 });
    const one = await createActive(service, merchant.id);
    const two = await createActive(service, merchant.id, { displayName: "Again" });
    const other = await createActive(
      service,
      merchant.id,
      {},
      { maxAmountPerUser: dai("5000000000000000000"), maxAmountTotal: dai("5000000000000000000") },
    );
    const send = async (campaign: { id: string }, user: string, profit: number) => {
      const answer = await merchant.call(`/v1/marketings/campaigns/${campaign.id}/participants`, {
        body: submission(user, [WALLET], profit),
        headers: { "x-merchant-authorization": signHeader(merchant.id, merchant.keys.privateKey, clock()) },
      });
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    };
    await send(one, "ada", 100);
    await send(one, "ada", 150);
    await send(two, "bob", 7);
    await send(other, "ada", 1_000_000);
    await send(other, "bob", 0);
    now = Date.parse("2026-04-21T00:00:00.000Z");
    await send(one, "ada", 120);
    await send(one, "cleo", 1);
    now = Date.parse("2026-04-23T10:00:00.000Z");
    expect((await read("?days=4")).map(({ date, rewards }) => [date, rewards])).toEqual([
      ["2026-04-20", [dai("2000000000000000000"), usdc(314)]],
      ["2026-04-21", [usdc(2)]],
      ["2026-04-22", []],
      ["2026-04-23", []],
    ]);
  });

  test("is read once for all who ask at the same time, one range after the other", async () => {
    now = Date.parse("2026-05-01T12:00:00.000Z");
    const waiting = () => countBlocked(service.db, "submission_journal");
    const answers = await service.db.transaction(async (transaction) => {
      await transaction.query("lock table submission_journal in access exclusive mode");
      const asked = [read(), read(), read("?days=7")];
      await expect.poll(waiting, { interval: 10, timeout: 5_000 }).toBe(1);
      asked.push(read());
      // When this is answered, the others have done all that they do with the database.
      expect((await service.operator("/merchants")).status).toBe(200);
      expect(await waiting()).toBe(1);
      return asked;
    });
    const [first, second, week, third] = await Promise.all(answers);
    expect([second, third]).toEqual([first, first]);
    expect(week).toEqual(first?.slice(-7));
  });

  test("may be a minute old", async () => {
    const { id } = await registerMerchant(service);
    const createDate = "2026-05-01T10:00:00.000Z";
    const today = async () => (await read()).at(-1)?.completedUsd.value;
    now += 60_000;
    expect(await today()).toBe("0.00");
    await reported(service, [depositEvent(id, { createDate, updateDate: createDate })]);
    now += 59_999;
    expect(await today()).toBe("0.00");
    now += 1;
    expect(await today()).toBe("250.00");
  });

  test("a read that failed is not remembered", async () => {
    now += 60_000;
    await service.db.query("alter table submission_journal rename to submission_journal_away");
    expect((await service.operator("/overview/days")).status).toBe(500);
    await service.db.query("alter table submission_journal_away rename to submission_journal");
    expect(await read()).toHaveLength(30);
  });

  test("the rewards of some days are found by their date in a long journal", async () => {
    const { db } = service;
    const merchantId = await insertMerchant(db);
    const start = new Date("2026-01-01T00:00:00Z");
    const campaignId = await insertCampaign(db, merchantId, start, new Date("2026-02-01T00:00:00Z"));
    await db.query(
      `insert into participants
         select $1, $2, $2, 'one', 'MATCHED', $3, 1, 1, 1000, 0, 0, 0, false, $3, $3`,
      [merchantId, campaignId, start],
    );
    await db.query(
      `insert into submission_journal
         select $1, $2, n, md5(n::text)::uuid, $2, false, 1, 1000, 1000000000, 1, 1, n, $3::timestamptz + n * interval '1 minute'
         from generate_series(1, 50000) n`,
      [merchantId, campaignId, start],
    );
    await db.query("vacuum analyze submission_journal");
    const scans = await scansOf(service.database, (db) => listRewardDays(db, start, start), /^submission_journal/);
    expect(scans).toEqual(["Bitmap Heap Scan on submission_journal", "Bitmap Index Scan on submission_journal_by_day"]);
  });

  test("the deposits of many days are counted from the index alone", async () => {
    const { db } = service;
    const { id } = await registerMerchant(service);
    await insertDemoDeposits(db, {
      merchantId: id,
      firstDeposit: 1,
      deposits: 20_000,
      firstUser: 1,
      users: 500,
      until: new Date("2026-04-22T00:00:00Z"),
      days: 400,
      seed: 7,
    });
    await db.query("vacuum analyze deposits");
    const scans = await scansOf(service.database, (db) => listDepositDays(db, []), /^deposits$/);
    expect(scans).toEqual(["Index Only Scan using deposits_of_everyone on deposits"]);
    now += 60_000;
    const days = await read("?days=90");
    const counted = await db.query<{ date: string; completed: number; micros: string }>(
      `select to_char(create_date at time zone 'UTC', 'YYYY-MM-DD') as date, count(*) as completed, sum(amount_micros) as micros
       from deposits where status = 'completed' group by 1`,
    );
    for (const { date, deposits, completedUsd } of days) {
      const row = counted.find((one) => one.date === date);
      expect(deposits, date).toMatchObject({ completed: row?.completed ?? 0 });
      expect(Number(completedUsd.value), date).toBeCloseTo(Number(row?.micros ?? 0) / 1e6, 5);
    }
  });
});

function usd(value: string) {
  return { value, currency: "USD" };
}
