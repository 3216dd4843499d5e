import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertDemoDeposits } from "../../src/deposits/demo-queries.ts";
import { listDepositDays, listRewardDays } from "../../src/oversight/overview-queries.ts";
import { createActive, findRewardDrift, submission, usdc } from "../harness/campaigns.ts";
import { depositEvent, findDrift, reported, WALLET } from "../harness/deposits.ts";
import { registerMerchant, signHeader } from "../harness/merchant.ts";
import { insertMerchant } from "../harness/merchant-rows.ts";
import { pagesOf } from "../harness/plans.ts";
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
    expect(await findRewardDrift(service.db)).toEqual([]);
    expect((await read("?days=4")).map(({ date, rewards }) => [date, rewards])).toEqual([
      ["2026-04-20", [dai("2000000000000000000"), usdc(314)]],
      ["2026-04-21", [usdc(2)]],
      ["2026-04-22", []],
      ["2026-04-23", []],
    ]);
  });

  test("holds what was reported a moment ago, and what was refunded", async () => {
    now = Date.parse("2026-05-01T12:00:00.000Z");
    const { id } = await registerMerchant(service);
    const createDate = "2026-05-01T10:00:00.000Z";
    const today = async () => (await read()).at(-1);
    expect(await today()).toMatchObject(NOTHING);
    const event = depositEvent(id, { createDate, updateDate: createDate });
    await reported(service, [event]);
    expect((await today())?.completedUsd.value).toBe("250.00");
    await reported(service, [{ ...event, state: "FAILED", updateDate: "2026-05-01T11:00:00.000Z" }]);
    expect(await today()).toMatchObject({ ...NOTHING, deposits: { completed: 0, pending: 0, failed: 1 } });
  });

  test("is exact when batches of many merchants add to one day at the same time, and again and again", async () => {
    now = Date.parse("2026-06-01T12:00:00.000Z");
    const merchants = await Promise.all(Array.from({ length: 4 }, () => registerMerchant(service)));
    const createDate = "2026-06-01T10:00:00.000Z";
    const batches = merchants.flatMap(({ id }) =>
      Array.from({ length: 5 }, () => Array.from({ length: 20 }, () => depositEvent(id, { createDate }))),
    );
    for (const [minute, state] of ["PENDING", "COMPLETED", "FAILED", "COMPLETED"].entries()) {
      const updateDate = new Date(Date.parse(createDate) + minute * 60_000).toISOString();
      await Promise.all(
        batches.map((batch) =>
          reported(
            service,
            batch.map((event) => ({ ...event, state, updateDate })),
          ),
        ),
      );
      const count = { completed: 0, pending: 0, failed: 0, [state.toLowerCase()]: 400 };
      expect((await read()).at(-1)?.deposits, state).toEqual(count);
    }
    expect((await read()).at(-1)?.completedUsd).toEqual(usd("100000.00"));
    expect(await findDrift(service.db)).toEqual([]);
    const shards = await service.db.query("select shard from deposit_days where day = '2026-06-01'");
    expect(shards.length, "batches do not all wait for one row").toBeGreaterThan(4);
  });

  test("reads as few pages with ten times as many deposits, submissions and merchants", async () => {
    const { db } = service;
    const dates = Array.from({ length: 30 }, (_, index) => new Date(Date.UTC(2027, 0, 1 + index)));
    const days = dates.map((date) => date.toISOString().slice(0, 10));
    const pages = async () => {
      const deposits = await pagesOf(service.database, (counting) => listDepositDays(counting, days));
      const rewards = await pagesOf(service.database, (counting) =>
        listRewardDays(counting, days[0] as string, days.at(-1) as string),
      );
      return deposits + rewards;
    };
    const grow = async (merchants: number, deposits: number) => {
      for (let index = 0; index < merchants; index++) {
        await insertDemoDeposits(db, {
          merchantId: await insertMerchant(db),
          firstDeposit: 1,
          deposits,
          firstUser: 1,
          users: deposits / 5,
          until: new Date("2027-01-31T00:00:00Z"),
          days: 30,
          seed: index,
        });
      }
    };
    await grow(2, 500);
    const few = await pages();
    await grow(10, 1_000);
    await db.query("analyze deposits, deposit_days, reward_days");
    expect(await pages()).toBeLessThanOrEqual(few * 1.5 + 8);
    expect(await findDrift(db)).toEqual([]);
  });
});

function usd(value: string) {
  return { value, currency: "USD" };
}
