import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createActive, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { call, type Service, startService } from "../harness/service.ts";

const HASH = `0x${"ab".repeat(32)}`;
const REASON = "The transfer went to a closed account";

let service: Service;
let merchant: Merchant;
let wallets: string[];
let campaignId: string;
let participants: string[];
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  wallets = [newAddress(), newAddress()];
  await qualify(service, merchant.id, wallets);
});
beforeEach(async () => {
  campaignId = (await createActive(service, merchant.id)).id;
  const submitted = await Promise.all(
    wallets.map((wallet, index) => submit(merchant, campaignId, submission(`user-${index}`, [wallet], 500))),
  );
  participants = submitted.map(({ body }) => body.id);
});
afterAll(() => service.close());

const reverse = (id: string, body: unknown = { reason: REASON }) =>
  service.operator(`/payouts/${id}/reverse`, { body });
const move = (id: string, status: string, more: object = {}) =>
  service.operator(`/payouts/${id}/status`, { body: { status, ...more } });
const read = async (id: string) =>
  (await merchant.call(`/v1/marketings/campaigns/${campaignId}/participants?id=${id}`)).body;
const lastAudit = async () => (await service.operator("/audit-log?limit=1")).body.items[0];
const check = async () => {
  const { ok, checks } = (await service.operator("/invariants")).body;
  expect(ok, JSON.stringify(checks)).toBe(true);
};

async function record(participantId: string, amount: number) {
  const answer = await service.operator(`/participants/${participantId}/payouts`, {
    body: { amount: usdc(amount) },
    headers: { "idempotency-key": randomUUID() },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body as { id: string };
}

async function confirmed(participantId: string, amount: number) {
  const { id } = await record(participantId, amount);
  await move(id, "SUBMITTED", { transactionHash: HASH });
  expect((await move(id, "CONFIRMED")).status).toBe(200);
  return id;
}

/** A run of both participants with these results. */
async function settled(...statuses: ("CONFIRMED" | "FAILED")[]) {
  const created = await service.operator("/payout-runs", {
    body: { campaignId },
    headers: { "idempotency-key": randomUUID() },
  });
  const { id } = created.body;
  const act = (verb: string, body: object = {}) => service.operator(`/payout-runs/${id}/${verb}`, { body });
  await act("approve");
  await act("export", { format: "json" });
  await act("submit", { transactionHashes: [HASH] });
  const { items } = (await service.operator(`/payout-runs/${id}/payouts`)).body;
  const results = statuses.map((status, index) => ({ payoutId: items[index].id, status }));
  const run = await act("results", { results });
  expect(run.body.status, JSON.stringify(run.body)).toBe("SETTLED");
  return { id: id as string, act, results };
}

describe("POST /operator/v1/payouts/{payoutId}/reverse", () => {
  test("a CONFIRMED payout becomes FAILED with the reason in its trail, and its amount is owed again", async () => {
    const [person = ""] = participants;
    const id = await confirmed(person, 1_000);
    expect(await read(person)).toMatchObject({ status: "PAID" });

    const answer = await reverse(id);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({
      id,
      status: "FAILED",
      cancelled: false,
      failureReason: REASON,
      transactionHash: HASH,
      statusHistory: [
        { status: "PENDING" },
        { status: "SUBMITTED" },
        { status: "CONFIRMED" },
        { status: "FAILED", reason: REASON },
      ],
    });
    expect(await read(person)).toMatchObject({ status: "FAILED", amountMatched: usdc(1_000) });
    expect(await lastAudit()).toMatchObject({
      action: "payout.reverse",
      subject: id,
      merchantId: merchant.id,
      detail: { campaignId, participantId: person, amount: usdc(1_000), transactionHash: HASH, reason: REASON },
    });
    const { body } = await service.operator("/overview/failed-payouts");
    expect(body.items.map((item: { participantId: string }) => item.participantId)).toContain(person);
    await check();

    await confirmed(person, 1_000);
    expect(await read(person)).toMatchObject({ status: "PAID" });
    await check();
  });

  test("an older payout that is reversed does not make the participant FAILED: the last payout decides", async () => {
    const [person = ""] = participants;
    const first = await confirmed(person, 400);
    await confirmed(person, 600);
    await reverse(first);
    expect(await read(person)).toMatchObject({ status: "MATCHED" });
    await record(person, 400);
    await check();
  });

  test("repeating it changes nothing and writes nothing", async () => {
    const id = await confirmed(participants[0] ?? "", 1_000);
    const first = await reverse(id);
    const { position } = await lastAudit();
    const again = await reverse(id, { reason: "Another reason" });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await lastAudit()).position).toBe(position);
  });

  test("the run keeps what it reserved and stays SETTLED; its counts and totals are those of its rows", async () => {
    const { id, act, results } = await settled("CONFIRMED", "CONFIRMED");
    await reverse(results[0]?.payoutId ?? "");
    const run = (await service.operator(`/payout-runs/${id}`)).body;
    expect(run).toMatchObject({
      status: "SETTLED",
      counts: { payouts: 2, pending: 0, submitted: 0, confirmed: 1, failed: 1 },
      totals: { reserved: usdc(2_000), confirmed: usdc(1_000), failed: usdc(1_000) },
    });
    const imported = await act("results", { results });
    expect([imported.status, imported.body.error.code]).toEqual([422, "PAYOUT_RESULTS_INVALID"]);
    expect(imported.body.error.details).toMatchObject([{ index: 0, payoutId: results[0]?.payoutId }]);
    await check();
  });

  test("what was reversed goes into the next run", async () => {
    const { results } = await settled("CONFIRMED", "CONFIRMED");
    await reverse(results[1]?.payoutId ?? "");
    const next = await service.operator("/payout-runs", {
      body: { campaignId },
      headers: { "idempotency-key": randomUUID() },
    });
    expect(next.body).toMatchObject({ counts: { payouts: 1 }, totals: { reserved: usdc(1_000) } });
    await check();
  });

  test("409 PAYOUT_TRANSITION_INVALID for any other payout: one that is open, failed or was cancelled", async () => {
    const [person = "", other = ""] = participants;
    const { id: pending } = await record(person, 100);
    const { id: submitted } = await record(person, 100);
    await move(submitted, "SUBMITTED", { transactionHash: HASH });
    const { id: failed } = await record(other, 100);
    await move(failed, "SUBMITTED", { transactionHash: HASH });
    await move(failed, "FAILED", { reason: "Reverted" });
    const { id: cancelled } = await record(other, 100);
    await move(cancelled, "FAILED");
    for (const id of [pending, submitted, failed, cancelled]) {
      const answer = await reverse(id);
      expect([answer.status, answer.body.error.code]).toEqual([409, "PAYOUT_TRANSITION_INVALID"]);
    }
    await check();
  });

  test("400 without a reason, 404 for an unknown payout, 403 for a viewer", async () => {
    const id = await confirmed(participants[0] ?? "", 1_000);
    for (const body of [{}, { reason: "" }, { reason: " " }, { reason: REASON, status: "FAILED" }]) {
      expect((await reverse(id, body)).body.error.code).toBe("VALIDATION_ERROR");
    }
    for (const unknown of [randomUUID(), "none"]) {
      expect((await reverse(unknown)).body.error.code).toBe("PAYOUT_NOT_FOUND");
    }
    const { token } = (await service.operator("/tokens", { body: { name: "eyes", role: "viewer" } })).body;
    const viewed = await call(`${service.operatorUrl}/operator/v1/payouts/${id}/reverse`, {
      headers: { authorization: `Bearer ${token}` },
      body: { reason: REASON },
    });
    expect(viewed.body.error.code).toBe("OPERATOR_FORBIDDEN");
    expect(await read(participants[0] ?? "")).toMatchObject({ status: "PAID" });
  });
});
