import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCK_KEYS, tryLock } from "../../src/db/locks.ts";
import { createActive, depositBody, ingest, newAddress, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let campaign: { id: string };
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  campaign = await createActive(service, merchant.id, {}, { matchMultiplier: 1.234567, maxAmountTotal: usdc(3_000) });
  const wallet = newAddress();
  await ingest(service, depositBody(merchant.id, wallet), depositBody(merchant.id, newAddress(), { state: "FAILED" }));
  const participants = new Map<string, string>();
  let participant = { id: "" };
  for (const [user, amount] of [
    ["a", 777],
    ["b", 1],
    ["a", 1_234],
    ["a", 5],
    ["c", 9_999],
    ["b", 3],
  ] as const) {
    participant = (await submit(merchant, campaign.id, submission(user, [wallet], amount))).body;
    participants.set(user, participant.id);
  }
  const body = { amount: usdc(1), recipientAddress: wallet };
  const { id } = (
    await service.operator(`/participants/${participant.id}/payouts`, { body, headers: { "idempotency-key": "one" } })
  ).body;
  await service.operator(`/payouts/${id}/status`, { body: { status: "FAILED" } });
  const headers = { "idempotency-key": "a-run" };
  const request = { campaignId: campaign.id, participantIds: [participants.get("b"), participants.get("c")] };
  const run = await service.operator("/payout-runs", { body: request, headers });
  expect(run.status, JSON.stringify(run.body)).toBe(201);
});
afterAll(() => service.close());

const verify = (query = "") => service.operator(`/invariants${query}`);
interface CheckAnswer {
  name: string;
  ok: boolean;
  detail: string;
}

describe("GET /operator/v1/invariants", () => {
  test("every rule holds, and each says how much it looked at", async () => {
    const { status, body } = await verify();
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, checks: expect.any(Array), date: expect.stringMatching(/Z$/) });
    expect(body.checks.filter(({ ok }: CheckAnswer) => !ok)).toEqual([]);
    expect(body.checks.map(({ name }: CheckAnswer) => name.split(":")[0])).toEqual([
      "I1",
      "I2",
      "I2",
      "I2",
      "I3",
      "I5",
      "I5",
      "I5",
      "I5",
      "I9",
      "payouts",
      "payouts",
      "payouts",
      "payout runs",
    ]);
    for (const { name, detail } of body.checks)
      expect([name, detail]).toEqual([name, expect.stringMatching(/^[1-9]\d* checked$/)]);
  });

  // Each of these is a corruption that the schema alone would let pass.
  test.each<[string, string, string]>([
    [
      "I1",
      "a match without a commitment",
      "update participants set amount_matched = amount_matched - 1 where merchant_user_id = 'a'",
    ],
    ["I2", "a lower delta", "update submission_journal set delta = 0 where position = 1"],
    ["I2", "another input", "update submission_journal set trade_profit = trade_profit + 1 where position = 1"],
    ["I2", "a lost row", "delete from submission_journal where position = 4"],
    ["I3", "a second creation", "update submission_journal set created = true where position = 3"],
    [
      "I5",
      "a user's figures",
      "update deposit_users set completed_micros = completed_micros + 1 where completed_count = 1",
    ],
    [
      "I5",
      "a wrong number of wallets",
      "update deposit_users set wallet_count = wallet_count + 1 where completed_count = 1",
    ],
    ["I5", "a wrong date of a wallet", "update deposit_wallets set first_deposit_date = now() where chain_id = 8453"],
    ["I5", "a wallet without a deposit", "update deposit_wallets set wallet_key = 'x' where chain_id = 8453"],
    ["I5", "a day's figures", "update deposit_days set completed_count = completed_count - 1"],
    ["I5", "a day's rewards", "update reward_days set amount = amount + 1"],
    [
      "payouts",
      "an open payout that is not there",
      "update participants set payouts_open = 1 where merchant_user_id = 'a'",
    ],
    ["payouts", "a wrong status", "update participants set status = 'PAID' where merchant_user_id = 'a'"],
    ["payouts", "a payout that did not fail", "update payout_events set status = 'SUBMITTED' where ordinal = 2"],
    ["payout runs", "a higher row", "update payouts set amount = amount + 1 where run_position = 1"],
    ["payout runs", "a row that is confirmed", "update payouts set status = 'CONFIRMED' where run_position = 2"],
    ["payout runs", "a lost row", "update payouts set run_id = null, run_position = null where run_position = 1"],
  ])("%s is broken by %s", async (rule, _name, corruption) => {
    const held = await corrupt(corruption);
    expect(held.ok).toBe(false);
    const broken = held.checks.filter(({ ok }) => !ok);
    expect(broken.map(({ name }) => name.split(":")[0])).toContain(rule);
    expect(broken[0]?.detail).toMatch(/wrong, for example .+/);
    expect((await verify()).body.ok).toBe(true);
  });

  test("payouts is broken by a campaign's open amount", async () => {
    const change = (by: number) =>
      service.db.query("update campaigns set payouts_open = payouts_open + $2 where id = $1", [campaign.id, by]);
    await change(-1);
    const { body } = await verify();
    await change(1);
    const broken = (body.checks as CheckAnswer[]).filter(({ ok }) => !ok);
    expect(broken.map(({ name }) => name)).toEqual([expect.stringMatching(/^payouts: .+ of every campaign/)]);
    expect((await verify()).body.ok).toBe(true);
  });

  test("one merchant is checked alone", async () => {
    const stranger = await registerMerchant(service);
    const { body } = await verify(`?merchantId=${stranger.id}`);
    expect(body.ok).toBe(true);
    expect(body.checks[1].detail).toBe("0 checked");
    expect((await verify(`?merchantId=${merchant.id.toUpperCase()}`)).body.checks[1].detail).toBe("6 checked");
    expect((await verify("?merchantId=shop")).status).toBe(400);
  });

  test("503 OVERLOADED with Retry-After while another run is in progress", async () => {
    await service.db.transaction(async (transaction) => {
      expect(await tryLock(transaction, LOCK_KEYS.invariants)).toBe(true);
      const answer = await verify();
      expect([answer.status, answer.body.error.code]).toEqual([503, "OVERLOADED"]);
      expect(answer.headers.get("retry-after")).toBe("1");
    });
    expect((await verify()).status).toBe(200);
  });
});

/** The verdict on a database with one statement's damage in it, which is then repaired from a copy. */
async function corrupt(statement: string): Promise<{ ok: boolean; checks: CheckAnswer[] }> {
  const tables = [
    "payout_events",
    "payouts",
    "submission_journal",
    "participant_wallets",
    "participants",
    "deposit_users",
    "deposit_wallets",
    "deposit_days",
    "reward_days",
  ];
  const { db } = service;
  for (const table of tables) await db.query(`create table copy_of_${table} as table ${table}`);
  await db.query(statement);
  const { body } = await verify();
  await db.query(`truncate ${tables.join(", ")}`);
  for (const table of [...tables].reverse()) {
    await db.query(`insert into ${table} table copy_of_${table}`);
    await db.query(`drop table copy_of_${table}`);
  }
  return body;
}
