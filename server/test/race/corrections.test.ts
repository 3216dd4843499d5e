import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, depositBody, ingest, newAddress, submission, submit, usdc } from "../harness/campaigns.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { findDrift } from "../harness/deposits.ts";
import { asMerchant, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

const HASH = `0x${"ab".repeat(32)}`;
const RACERS = 8;

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
const all = <Result>(work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: RACERS }, (_, index) => work(index)));
const reverse = (index: number, id: string) =>
  at(index).operator(`/payouts/${id}/reverse`, { body: { reason: `Reason ${index}` } });
const auditOf = async (action: string, subject: string) =>
  (await at(0).operator(`/audit-log?limit=100&action=${action}`)).body.items.filter(
    (entry: { subject: string }) => entry.subject === subject,
  );
const check = async () => {
  const { ok, checks } = (await at(0).operator("/invariants")).body;
  expect(ok, JSON.stringify(checks)).toBe(true);
  expect(await findDrift(database.db)).toEqual([]);
};

/** A run of several participants that was submitted. */
async function submittedRun(people: number) {
  const { id: campaignId } = await createActive(at(0), merchant.id);
  const wallets = Array.from({ length: people }, newAddress);
  await ingest(at(0), ...wallets.map((wallet) => depositBody(merchant.id, wallet)));
  for (const [index, wallet] of wallets.entries()) {
    await submit(merchant, campaignId, submission(`user-${index}`, [wallet], 500));
  }
  const created = await at(0).operator("/payout-runs", {
    body: { campaignId },
    headers: { "idempotency-key": randomUUID() },
  });
  const { id } = created.body;
  const act = (index: number, verb: string, body: object = {}) =>
    at(index).operator(`/payout-runs/${id}/${verb}`, { body });
  await act(0, "approve");
  await act(0, "export", { format: "json" });
  await act(0, "submit", { transactionHashes: [HASH] });
  const { items } = (await at(0).operator(`/payout-runs/${id}/payouts?limit=100`)).body;
  const read = async () => (await at(1).operator(`/payout-runs/${id}`)).body;
  return { act, read, payoutIds: items.map((item: { id: string }) => item.id) as string[] };
}

describe("payouts reversed in a race", () => {
  test("eight operators who reverse one payout reverse it once", async () => {
    const { act, read, payoutIds } = await submittedRun(2);
    const results = payoutIds.map((payoutId) => ({ payoutId, status: "CONFIRMED" }));
    await act(0, "results", { results });
    const [first = ""] = payoutIds;
    const answers = await all((index) => reverse(index, first));
    expect(answers.map(({ status }) => status)).toEqual(Array(RACERS).fill(200));
    expect(new Set(answers.map(({ body }) => body.failureReason)).size).toBe(1);
    expect(answers[0]?.body.statusHistory).toHaveLength(4);
    expect(await auditOf("payout.reverse", first)).toHaveLength(1);
    expect(await read()).toMatchObject({
      status: "SETTLED",
      totals: { reserved: usdc(2_000), confirmed: usdc(1_000), failed: usdc(1_000) },
    });
    await check();
  });

  test("a reversal that races with results comes before or after them, and counts and totals are those of the rows", async () => {
    const { act, read, payoutIds } = await submittedRun(4);
    const [first = "", ...others] = payoutIds;
    await act(0, "results", { results: [{ payoutId: first, status: "CONFIRMED" }] });
    const rest = others.map((payoutId) => ({ payoutId, status: "CONFIRMED" }));
    const [reversed, ...imported] = await Promise.all([
      reverse(0, first),
      // Repeats of what is so already: refused if they come after the reversal.
      act(1, "results", { results: [{ payoutId: first, status: "CONFIRMED" }, ...rest] }),
      act(0, "results", { results: rest }),
    ]);
    expect(reversed.status).toBe(200);
    expect([200, 422]).toContain(imported[0]?.status);
    expect(imported[1]?.status).toBe(200);
    expect(await read()).toMatchObject({
      status: "SETTLED",
      counts: { confirmed: 3, failed: 1, submitted: 0 },
      totals: { reserved: usdc(4_000), confirmed: usdc(3_000), failed: usdc(1_000) },
    });
    await check();
  });

  test("a payout is confirmed and reversed at the same moment: the reversal is refused, or it stands", async () => {
    const { act, read, payoutIds } = await submittedRun(1);
    const [id = ""] = payoutIds;
    const [confirmed, reversed] = await Promise.all([
      act(0, "results", { results: [{ payoutId: id, status: "CONFIRMED" }] }),
      reverse(1, id),
    ]);
    expect(confirmed.status).toBe(200);
    expect([200, 409]).toContain(reversed.status);
    const { counts } = await read();
    expect(counts).toMatchObject(reversed.status === 200 ? { failed: 1 } : { confirmed: 1 });
    await check();
  });
});

describe("deposits corrected in a race", () => {
  const pathOf = (id: string) => `/merchants/${merchant.id}/deposits/${id}`;
  const eventsOf = async (id: string) =>
    (await at(0).operator(`${pathOf(id)}/events?limit=100`)).body.items as { outcome: string }[];

  test("events that race with an operator's word never undo it, and all are kept", async () => {
    const deposit = depositBody(merchant.id, newAddress(), { state: "PENDING" });
    await ingest(at(0), deposit);
    const answers = await all((index) =>
      index === 3
        ? at(index).operator(`${pathOf(deposit.id)}/state`, {
            method: "PUT",
            body: { state: "FAILED", reason: "A test" },
          })
        : at(index).operator("/deposits", {
            body: {
              deposits: [{ ...deposit, state: "COMPLETED", updateDate: `2026-02-0${index + 1}T00:00:00.000Z` }],
            },
          }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(RACERS).fill(200));
    expect((await at(1).operator(pathOf(deposit.id))).body).toMatchObject({
      status: "failed",
      reportedStatus: "completed",
      updateDate: "2026-02-08T00:00:00.000Z",
    });
    const outcomes = (await eventsOf(deposit.id)).map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(RACERS + 1);
    expect(outcomes.filter((outcome) => outcome === "overruled")).toHaveLength(1);
    expect(outcomes.at(-1)).toBe("created");
    await check();
  });

  test("the same word of eight operators is written once", async () => {
    const deposit = depositBody(merchant.id, newAddress());
    await ingest(at(0), deposit);
    const answers = await all((index) =>
      at(index).operator(`${pathOf(deposit.id)}/state`, { method: "PUT", body: { state: "FAILED", reason: "A test" } }),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(Array(RACERS).fill("failed"));
    expect((await eventsOf(deposit.id)).map(({ outcome }) => outcome)).toEqual(["overruled", "created"]);
    expect(await auditOf("deposit.overrule", deposit.id)).toHaveLength(1);
    await check();
  });

  test("refused, partial and whole batches about one new deposit all leave their events, and none fails", async () => {
    const deposit = depositBody(merchant.id, newAddress());
    const future = { ...deposit, updateDate: "9026-01-01T00:00:00.000Z" };
    const answers = await all((index) =>
      at(index).operator(index % 4 === 1 ? "/deposits?partial=true" : "/deposits", {
        body: { deposits: [[deposit], [future, deposit], [future], [deposit, deposit]][index % 4] },
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200, 200, 400, 200]);
    const outcomes = (await eventsOf(deposit.id)).map(({ outcome }) => outcome).sort();
    const count = (name: string) => outcomes.filter((outcome) => outcome === name).length;
    // Two partial ones and two whole batches were refused; of eight good events one created the deposit.
    expect([outcomes.length, count("created"), count("refused"), count("unchanged")]).toEqual([12, 1, 4, 7]);
    await check();
  });
});
