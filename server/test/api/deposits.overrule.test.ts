import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, depositBody, ingest, newAddress, submission, submit, usdc } from "../harness/campaigns.ts";
import { findDrift, reported } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { call, type Service, startService } from "../harness/service.ts";

const REASON = "The bank recalled the transfer, ticket 4711";
const LATER = "2026-02-01T00:00:00.000Z";
const LATEST = "2026-03-01T00:00:00.000Z";

let service: Service;
let merchant: Merchant;
let campaignId: string;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  campaignId = (await createActive(service, merchant.id)).id;
});
afterAll(() => service.close());

const pathOf = (id: string) => `/merchants/${merchant.id}/deposits/${encodeURIComponent(id)}`;
const setState = (id: string, state: string | null, reason: unknown = REASON) =>
  service.operator(`${pathOf(id)}/state`, { method: "PUT", body: { state, reason } });
const read = async (id: string) => (await service.operator(pathOf(id))).body;
const eventsOf = async (id: string) => (await service.operator(`${pathOf(id)}/events`)).body.items;
const lastAudit = async () => (await service.operator("/audit-log?limit=1")).body.items[0];
const sound = async () => {
  expect(await findDrift(service.db)).toEqual([]);
  const { ok, checks } = (await service.operator("/invariants")).body;
  expect(ok, JSON.stringify(checks)).toBe(true);
};

async function deposited(state = "COMPLETED") {
  const wallet = newAddress();
  const deposit = depositBody(merchant.id, wallet, { state });
  await ingest(service, deposit);
  return { wallet, deposit };
}

describe("PUT /operator/v1/merchants/{merchantId}/deposits/{depositId}/state", () => {
  test("the deposit has the operator's status, with the event, the audit row and every figure", async () => {
    const { deposit } = await deposited();
    const answer = await setState(deposit.id, "FAILED");
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({
      merchantId: merchant.id,
      id: deposit.id,
      status: "failed",
      reportedStatus: "completed",
      updateDate: deposit.updateDate,
    });
    expect(await read(deposit.id)).toEqual(answer.body);
    const [shown] = (await merchant.call("/v1/merchant-deposits?limit=1&status=failed")).body.items;
    expect(shown).toMatchObject({ id: deposit.id, status: "failed" });
    expect(shown).not.toHaveProperty("reportedStatus");
    expect((await eventsOf(deposit.id))[0]).toMatchObject({
      outcome: "overruled",
      actor: "bootstrap token",
      status: "failed",
      amount: null,
      updateDate: null,
      error: null,
      reason: REASON,
    });
    expect(await lastAudit()).toMatchObject({
      action: "deposit.overrule",
      subject: deposit.id,
      merchantId: merchant.id,
      detail: { from: "completed", to: "failed", reported: "completed", state: "FAILED", reason: REASON },
    });
    await sound();
  });

  test("an overruled completed deposit no longer qualifies, but a match that exists stays", async () => {
    const { wallet, deposit } = await deposited();
    const first = await submit(merchant, campaignId, submission("stays", [wallet], 500));
    expect(first.body.amountMatched).toEqual(usdc(1_000));
    await setState(deposit.id, "EXPIRED");
    const refused = await submit(merchant, campaignId, submission("new", [wallet], 500));
    expect([refused.status, refused.body.error.code]).toEqual([422, "NO_QUALIFYING_WALLET"]);
    const { body } = await merchant.call(
      `/v1/marketings/campaigns/${campaignId}/participants?merchantUserId=${encodeURIComponent("stays")}`,
    );
    expect(body).toMatchObject({ status: "MATCHED", amountMatched: usdc(1_000) });
    await sound();
  });

  test("an overruled failed deposit qualifies", async () => {
    const { wallet, deposit } = await deposited("FAILED");
    expect((await submit(merchant, campaignId, submission("late", [wallet], 500))).status).toBe(422);
    await setState(deposit.id, "COMPLETED");
    expect((await submit(merchant, campaignId, submission("late", [wallet], 500))).status).toBe(201);
    await sound();
  });

  test("a newer event of the flow does not undo it: the sender reads the operator's status, and both are shown", async () => {
    const { deposit } = await deposited("PENDING");
    await setState(deposit.id, "FAILED");
    const completed = {
      ...deposit,
      state: "COMPLETED",
      amount: { value: "120.00", currency: "USD" },
      updateDate: LATER,
    };
    expect(await reported(service, [completed])).toMatchObject([{ outcome: "updated", status: "failed" }]);
    expect(await read(deposit.id)).toMatchObject({
      status: "failed",
      reportedStatus: "completed",
      amount: { value: "120.00", currency: "USD" },
      updateDate: LATER,
    });
    // The order of events is that of the flow's own words, as if it had not been overruled.
    expect(await reported(service, [completed])).toMatchObject([{ outcome: "unchanged", status: "failed" }]);
    expect(await reported(service, [deposit])).toMatchObject([{ outcome: "stale", status: "failed" }]);
    const outcomes = (await eventsOf(deposit.id)).map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(["stale", "unchanged", "updated", "overruled", "created"]);
    await sound();
  });

  test("it also stays when the flow has agreed with it in between", async () => {
    const { deposit } = await deposited("FAILED");
    await setState(deposit.id, "COMPLETED");
    await reported(service, [{ ...deposit, state: "COMPLETED", updateDate: LATER }]);
    await reported(service, [{ ...deposit, state: "FAILED", updateDate: LATEST }]);
    expect(await read(deposit.id)).toMatchObject({ status: "completed", reportedStatus: "failed" });
    await sound();
  });

  test("state null gives the deposit back to the flow, with its newest word", async () => {
    const { deposit } = await deposited("PENDING");
    await setState(deposit.id, "FAILED");
    await reported(service, [{ ...deposit, state: "COMPLETED", updateDate: LATER }]);
    expect((await setState(deposit.id, null)).body).toMatchObject({ status: "completed", reportedStatus: null });
    expect((await eventsOf(deposit.id))[0]).toMatchObject({ outcome: "released", status: "completed", reason: REASON });
    expect(await lastAudit()).toMatchObject({
      action: "deposit.overrule",
      detail: { from: "failed", to: "completed", reported: "completed", state: null },
    });
    expect(await reported(service, [{ ...deposit, state: "FAILED", updateDate: LATEST }])).toMatchObject([
      { outcome: "updated", status: "failed" },
    ]);
    await sound();
  });

  test("repeating it changes nothing and writes nothing; another state is another word", async () => {
    const { deposit } = await deposited();
    const unset = await setState(deposit.id, null);
    expect([unset.status, unset.body.reportedStatus]).toEqual([200, null]);
    await setState(deposit.id, "FAILED");
    const { position } = await lastAudit();
    for (const state of ["FAILED", "EXPIRED"]) expect((await setState(deposit.id, state)).status).toBe(200);
    expect((await lastAudit()).position).toBe(position);
    await setState(deposit.id, "PENDING");
    expect(await read(deposit.id)).toMatchObject({ status: "pending", reportedStatus: "completed" });
    const outcomes = (await eventsOf(deposit.id)).map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(["overruled", "overruled", "created"]);
    await sound();
  });

  test("the state that the flow reports can be fixed, too: later events no longer change it", async () => {
    const { deposit } = await deposited();
    expect((await setState(deposit.id, "COMPLETED")).body).toMatchObject({
      status: "completed",
      reportedStatus: "completed",
    });
    await reported(service, [{ ...deposit, state: "FAILED", updateDate: LATER }]);
    expect(await read(deposit.id)).toMatchObject({ status: "completed", reportedStatus: "failed" });
  });

  test("400 without a reason or with another state, 404 for what is unknown, 403 for a viewer", async () => {
    const { deposit } = await deposited();
    for (const [state, reason] of [
      ["FAILED", null],
      ["FAILED", " "],
      ["failed", REASON],
      ["REFUNDED", REASON],
    ] as const) {
      expect((await setState(deposit.id, state, reason)).body.error.code).toBe("VALIDATION_ERROR");
    }
    for (const id of ["none", "\u0000", "ü", "x".repeat(500)]) {
      expect((await setState(id, "FAILED")).body.error.code).toBe("DEPOSIT_NOT_FOUND");
    }
    const elsewhere = await service.operator(`/merchants/none/deposits/${deposit.id}/state`, {
      method: "PUT",
      body: { state: "FAILED", reason: REASON },
    });
    expect(elsewhere.body.error.code).toBe("MERCHANT_NOT_FOUND");
    const { token } = (await service.operator("/tokens", { body: { name: "eyes", role: "viewer" } })).body;
    const viewed = await call(`${service.operatorUrl}/operator/v1${pathOf(deposit.id)}/state`, {
      method: "PUT",
      headers: { authorization: `Bearer ${token}` },
      body: { state: "FAILED", reason: REASON },
    });
    expect(viewed.body.error.code).toBe("OPERATOR_FORBIDDEN");
    expect(await read(deposit.id)).toMatchObject({ status: "completed", reportedStatus: null });
  });
});
