import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listOwedByCampaign, listOwedByToken } from "../../src/campaigns/payouts/owed-queries.ts";
import { createActive, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { pagesOf } from "../harness/plans.ts";
import { type Service, startService } from "../harness/service.ts";

const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

let service: Service;
let first: Merchant;
let second: Merchant;
let campaigns: { id: string }[];
const people: string[] = [];

beforeAll(async () => {
  service = await startService();
  first = await registerMerchant(service);
  second = await registerMerchant(service);
  campaigns = [];
  for (const [merchant, terms] of [
    [first, {}],
    [first, { payoutTokenAddress: TOKEN.toLowerCase() }],
    [first, { payoutTokenAddress: newAddress() }],
    [second, {}],
    [second, {}],
  ] as const) {
    campaigns.push(await createActive(service, merchant.id, {}, terms));
  }
  // How many days ago each was matched.
  for (const [age, campaign, merchant, profit] of [
    [100, 0, first, 50],
    [40, 0, first, 100],
    [10, 0, first, 200],
    [0, 0, first, 400],
    [0, 1, first, 5],
    [95, 2, first, 7],
    [3, 3, second, 11],
  ] as const) {
    const wallet = await qualify(service, merchant.id, [newAddress()]);
    const answer = await submit(merchant, idOf(campaign), submission(randomUUID(), [wallet], profit));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    people.push(answer.body.id);
    await service.db.query(
      "update submission_journal set date = date - $2 * interval '1 day' where participant_id = $1",
      [answer.body.id, age],
    );
  }
  await service.db.query("delete from reward_days");
  await service.db.query(
    `insert into reward_days (merchant_id, campaign_id, day, currency, decimal_places, amount)
     select merchant_id, campaign_id, (date at time zone 'UTC')::date, 'USDC', 6, sum(delta)
     from submission_journal group by 1, 2, 3`,
  );
});
afterAll(() => service.close());

const idOf = (index: number) => campaigns[index]?.id ?? "";
const read = async (query = "") => {
  const { status, body } = await service.operator(`/owed${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items;
};
const amounts = ({ matched, open, confirmed, owed }: Record<string, { amount: string }>) =>
  [matched, open, confirmed, owed].map((one) => Number(one?.amount));
const agesOf = (item: { ageing: { amount: { amount: string } }[] }) =>
  item.ageing.map(({ amount }) => Number(amount.amount));
const ofCampaign = async (index: number) => (await read(`?campaignId=${idOf(index)}`))[0];

async function pay(participantId: string, amount: number): Promise<string> {
  const { body } = await service.operator(`/participants/${participantId}/payouts`, {
    body: { amount: usdc(amount) },
    headers: { "idempotency-key": randomUUID() },
  });
  return body.id;
}
const move = (id: string, status: string) => service.operator(`/payouts/${id}/status`, { body: { status } });

describe("GET /operator/v1/owed", () => {
  test("by campaign, newest first: what is owed, and since when", async () => {
    const items = await read();
    expect(items.map(({ campaignId }: { campaignId: string }) => campaignId)).toEqual([3, 2, 1, 0].map(idOf));
    expect(items[3]).toEqual({
      merchantId: first.id,
      campaignId: idOf(0),
      chainId: 8453,
      tokenAddress: TOKEN,
      campaigns: 1,
      matched: usdc(1_500),
      open: usdc(0),
      confirmed: usdc(0),
      owed: usdc(1_500),
      ageing: [
        { fromDays: 0, toDays: 6, amount: usdc(800) },
        { fromDays: 7, toDays: 29, amount: usdc(400) },
        { fromDays: 30, toDays: 89, amount: usdc(200) },
        { fromDays: 90, toDays: null, amount: usdc(100) },
      ],
    });
    expect(items.map(agesOf).slice(0, 3)).toEqual([
      [22, 0, 0, 0],
      [0, 0, 0, 14],
      [10, 0, 0, 0],
    ]);
  });

  test("by merchant and by token: the same added up, spellings of one contract together", async () => {
    const merchants = await read("?groupBy=merchant");
    expect(merchants.map((item: { campaigns: number }) => item.campaigns).sort()).toEqual([1, 1, 2]);
    const ofFirst = await read(`?groupBy=merchant&merchantId=${first.id.toUpperCase()}`);
    expect(ofFirst).toHaveLength(2);
    const both = ofFirst.find((item: { tokenAddress: string }) => item.tokenAddress === TOKEN);
    expect([both.merchantId, both.campaignId, both.campaigns, amounts(both)]).toEqual([
      first.id,
      null,
      2,
      [1_510, 0, 0, 1_510],
    ]);
    expect(agesOf(both)).toEqual([810, 400, 200, 100]);
    const tokens = await read("?groupBy=token");
    const all = tokens.find((item: { tokenAddress: string }) => item.tokenAddress === TOKEN);
    expect([all.merchantId, all.campaigns, amounts(all)]).toEqual([null, 3, [1_532, 0, 0, 1_532]]);
    expect(agesOf(all)).toEqual([832, 400, 200, 100]);
  });

  test.each(["campaign", "merchant", "token"])("pages by %s yield every item once", async (groupBy) => {
    const seen: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const next: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await service.operator(`/owed?groupBy=${groupBy}&limit=1${next}`);
      seen.push(...body.items);
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(await read(`?groupBy=${groupBy}`));
  });

  test("payouts take from what was matched first, and a failed one gives it back", async () => {
    const payout = await pay(people[3] ?? "", 250);
    let item = await ofCampaign(0);
    expect([amounts(item), agesOf(item)]).toEqual([
      [1_500, 250, 0, 1_250],
      [800, 400, 50, 0],
    ]);
    await move(payout, "SUBMITTED");
    await move(payout, "CONFIRMED");
    item = await ofCampaign(0);
    expect(amounts(item)).toEqual([1_500, 0, 250, 1_250]);
    const failed = await pay(people[3] ?? "", 50);
    await move(failed, "FAILED");
    expect(amounts(await ofCampaign(0))).toEqual([1_500, 0, 250, 1_250]);
  });

  test("a run of several campaigns reserves, settles and releases in each of them; one that owes nothing is not listed", async () => {
    const body = { merchantId: first.id, chainId: 8453, tokenAddress: TOKEN };
    const create = async () =>
      (await service.operator("/payout-runs", { body, headers: { "idempotency-key": randomUUID() } })).body;
    const cancelled = await create();
    expect(await read(`?groupBy=merchant&merchantId=${first.id}`)).toHaveLength(1);
    await service.operator(`/payout-runs/${cancelled.id}/cancel`, { body: {} });
    expect([amounts(await ofCampaign(0)), amounts(await ofCampaign(1))]).toEqual([
      [1_500, 0, 250, 1_250],
      [10, 0, 0, 10],
    ]);
    const run = await create();
    for (const [verb, request] of [
      ["approve", {}],
      ["export", { format: "csv" }],
      ["submit", { transactionHashes: [`0x${"ef".repeat(32)}`] }],
    ] as const) {
      expect((await service.operator(`/payout-runs/${run.id}/${verb}`, { body: request })).status).toBe(200);
    }
    const rows = (await service.operator(`/payout-runs/${run.id}/payouts?limit=100`)).body.items;
    const results = rows.map(({ id, participantId }: { id: string; participantId: string }) => ({
      payoutId: id,
      status: participantId === people[0] ? "FAILED" : "CONFIRMED",
    }));
    expect((await service.operator(`/payout-runs/${run.id}/results`, { body: { results } })).body.status).toBe(
      "SETTLED",
    );
    expect(amounts(await ofCampaign(0))).toEqual([1_500, 0, 1_400, 100]);
    expect(await ofCampaign(1)).toBeUndefined();
    const verdict = await service.operator("/invariants");
    const broken = verdict.body.checks
      .filter(({ ok }: { ok: boolean }) => !ok)
      .map(({ name }: { name: string }) => name);
    // This test moved the dates of the journal, which its digests show.
    expect(broken).toEqual(["journal: every digest covers its row and the row before it"]);
  });

  test.each(["groupBy=day", "campaignId=x", "groupBy=token&campaignId=7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10"])(
    "400 for %s",
    async (query) => {
      expect((await service.operator(`/owed?${query}`)).status).toBe(400);
    },
  );

  test("however many participants and payouts there are, only the campaigns and their days are read", async () => {
    const days = ["2026-05-26", "2026-05-03", "2026-03-04"] as const;
    const filters = { merchantId: null, campaignId: null, firstDays: days };
    const reads = [
      (db: Parameters<typeof listOwedByCampaign>[0]) => listOwedByCampaign(db, filters, null, 26),
      (db: Parameters<typeof listOwedByCampaign>[0]) => listOwedByToken(db, filters, false, null, 26),
    ];
    const few = await Promise.all(reads.map((one) => pagesOf(service.database, one)));
    await service.db.query(
      `insert into participants
         (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match,
          payouts_open, payouts_confirmed, payouts_count, last_payout_failed, create_date, update_date)
       select $1, gen_random_uuid(), $2, 'many-' || n, 'MATCHED', '2026-01-10Z', 1, 1, 1, 0, 0, 0, false, '2026-06-01Z', '2026-06-01Z'
       from generate_series(1, 5000) n`,
      [second.id, idOf(4)],
    );
    for (const [index, one] of reads.entries()) {
      expect(await pagesOf(service.database, one)).toBeLessThanOrEqual((few[index] ?? 0) + 4);
    }
  });
});
