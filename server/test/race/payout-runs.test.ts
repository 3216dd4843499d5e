import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { asMerchant, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const HASH = `0x${"ab".repeat(32)}`;
const PEOPLE = 12;

let database: TestDatabase;
let processes: Service[];
let merchant: Merchant;
beforeAll(async () => {
  database = await createTestDatabase();
  processes = await Promise.all([startService({ database }), startService({ database })]);
  const registered = await registerMerchant(at(0));
  merchant = asMerchant(at(0), registered.id, registered.keys);
});
afterAll(async () => {
  await Promise.all(processes.map((service) => service.close()));
  await database.drop();
});

const at = (index: number): Service => processes[index % 2] as Service;
const create = (index: number, body: object, key: string = randomUUID()) =>
  at(index).operator("/payout-runs", { body, headers: { "idempotency-key": key } });
const act = (index: number, id: string, verb: string, body: object = {}) =>
  at(index).operator(`/payout-runs/${id}/${verb}`, { body });

/** A campaign whose users are owed 1,000 units each. */
async function owing(people = PEOPLE) {
  const { id } = await createActive(at(0), merchant.id);
  const wallets = Array.from({ length: people }, newAddress);
  await qualify(at(0), merchant.id, wallets);
  const submitted = await Promise.all(
    wallets.map((wallet, index) => submit(merchant, id, submission(`user-${index}`, [wallet], 500))),
  );
  return { id: id as string, wallets, participants: submitted.map(({ body }) => body.id as string) };
}

/** What is open and paid of every participant is the sum of its payouts and at most its match, and every other rule holds. */
async function check(): Promise<void> {
  const { ok, checks } = (await at(0).operator("/invariants")).body;
  expect(ok, JSON.stringify(checks)).toBe(true);
}

describe("payout runs in a race", () => {
  test("two operators who create a run at the same moment make one run of the same amounts", async () => {
    const campaign = await owing();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        create(index, index < 3 ? { campaignId: campaign.id } : { merchantId: merchant.id }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    const won = answers.find(({ status }) => status === 201);
    expect(won?.body.totals.reserved).toEqual(usdc(PEOPLE * 1_000));
    for (const { status, body } of answers) if (status === 422) expect(body.error.code).toBe("NOTHING_OWED");
    await check();
  });

  test("one key sent ten times makes one run", async () => {
    const campaign = await owing();
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(index, { campaignId: campaign.id }, key)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await check();
  });

  test("runs, single payouts and submissions together pay nothing twice", async () => {
    const campaign = await owing();
    await Promise.all([
      ...campaign.wallets.map((wallet, index) =>
        submit(merchant, campaign.id, submission(`user-${index}`, [wallet], 600)),
      ),
      ...campaign.participants.map((id, index) =>
        at(index).operator(`/participants/${id}/payouts`, {
          body: { amount: usdc(700) },
          headers: { "idempotency-key": randomUUID() },
        }),
      ),
      create(0, { campaignId: campaign.id }),
      create(1, { campaignId: campaign.id }),
    ]);
    await create(0, { campaignId: campaign.id });
    expect((await create(1, { campaignId: campaign.id })).body.error.code).toBe("NOTHING_OWED");
    const [sums] = await database.db.query<{ matched: string; open: string }>(
      `select sum(amount_matched) as matched, sum(payouts_open) as open from participants where campaign_id = $1`,
      [campaign.id],
    );
    expect(sums).toEqual({ matched: String(PEOPLE * 1_200), open: String(PEOPLE * 1_200) });
    await check();
  });

  test("a run that is exported and cancelled at the same moment is one of both", async () => {
    const campaign = await owing();
    const { id } = (await create(0, { campaignId: campaign.id })).body;
    await act(0, id, "approve");
    const [exported, cancelled] = await Promise.all([act(0, id, "export", { format: "csv" }), act(1, id, "cancel")]);
    expect([exported.status, cancelled.status].sort()).toEqual([200, 409]);
    const { status } = (await at(0).operator(`/payout-runs/${id}`)).body;
    expect(status).toBe(exported.status === 200 ? "EXPORTED" : "CANCELLED");
    await check();
  });

  test("results that are imported twice at the same moment count once", async () => {
    const campaign = await owing();
    const { id } = (await create(0, { campaignId: campaign.id })).body;
    await act(0, id, "approve");
    await act(0, id, "export", { format: "json" });
    await act(0, id, "submit", { transactionHashes: [HASH] });
    const { items } = (await at(0).operator(`/payout-runs/${id}/payouts?limit=100`)).body;
    const results = items.map((row: { id: string }, index: number) => ({
      payoutId: row.id,
      status: index % 2 === 0 ? "CONFIRMED" : "FAILED",
    }));
    const answers = await Promise.all([0, 1, 2, 3].map((index) => act(index, id, "results", { results })));
    for (const { status, body } of answers) expect([status, body.status]).toEqual([200, "SETTLED"]);
    const trails = await database.db.query(
      "select from payout_events e join payouts o on o.merchant_id = e.merchant_id and o.id = e.payout_id where o.run_id = $1",
      [id],
    );
    expect(trails).toHaveLength(PEOPLE * 3);
    await check();
  });

  test("payouts of one run that are settled one by one at the same moment all count, and the run is SETTLED", async () => {
    // In one campaign they wait for each other, so there is one campaign for each.
    const campaigns = [];
    for (let index = 0; index < 6; index++) campaigns.push(await owing(1));
    const participantIds = campaigns.flatMap(({ participants }) => participants);
    const { id } = (await create(0, { merchantId: merchant.id, participantIds })).body;
    await act(0, id, "approve");
    await act(0, id, "export", { format: "json" });
    await act(0, id, "submit", { transactionHashes: [HASH] });
    const { items } = (await at(0).operator(`/payout-runs/${id}/payouts?limit=100`)).body;
    const moved = await Promise.all(
      items.map((row: { id: string }, index: number) =>
        at(index).operator(`/payouts/${row.id}/status`, { body: { status: "CONFIRMED" } }),
      ),
    );
    expect(moved.map(({ status }) => status)).toEqual(items.map(() => 200));
    const run = (await at(0).operator(`/payout-runs/${id}`)).body;
    expect(run.counts).toMatchObject({ submitted: 0, confirmed: campaigns.length });
    expect(run.status).toBe("SETTLED");
    await check();
  });
});
