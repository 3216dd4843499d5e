import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertDemoDeposits } from "../../src/deposits/demo-queries.ts";
import { shareMerchantGuards } from "../../src/deposits/queries.ts";
import { listDepositDays } from "../../src/operators/overview-queries.ts";
import { createActive, submission, usdc } from "../harness/campaigns.ts";
import { depositEvent, reported, WALLET } from "../harness/deposits.ts";
import { registerMerchant, signHeader } from "../harness/merchant.ts";
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
  test("every day of the range in UTC, today last; thirty unless told otherwise", async () => {
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

  test("the deposits of many days are counted from the index alone", async () => {
    const { db } = service;
    const { id } = await registerMerchant(service);
    await shareMerchantGuards(db, [id]);
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
