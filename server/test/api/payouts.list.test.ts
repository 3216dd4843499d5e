import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listPayouts, type PayoutFilters } from "../../src/campaigns/payouts/list-queries.ts";
import { PAYOUT_STATUSES } from "../../src/campaigns/payouts/record.ts";
import type { Queryable } from "../../src/db/pool.ts";
import { createActive, newAddress, qualify, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { pagesOf, scansOf } from "../harness/plans.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

const HASH = `0x${"ab".repeat(32)}`;

let service: Service;
let merchants: Merchant[];
let campaigns: { id: string }[];
let runId: string;
// The ids of the payouts in the order in which they were made.
const made: Record<"single" | "failed" | "run" | "other", string[]> = { single: [], failed: [], run: [], other: [] };

async function owe(merchant: Merchant, campaignId: string, count: number): Promise<string[]> {
  const wallets = Array.from({ length: count }, newAddress);
  await qualify(service, merchant.id, wallets);
  const ids = [];
  for (const [index, wallet] of wallets.entries()) {
    ids.push((await submit(merchant, campaignId, submission(`u${index}`, [wallet], 500))).body.id);
  }
  return ids;
}

async function pay(participantId: string, amount = 10): Promise<string> {
  const headers = { "idempotency-key": randomUUID() };
  const answer = await service.operator(`/participants/${participantId}/payouts`, {
    body: { amount: usdc(amount) },
    headers,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

beforeAll(async () => {
  service = await startService();
  merchants = [await registerMerchant(service), await registerMerchant(service)];
  const [first, second] = merchants as [Merchant, Merchant];
  campaigns = [
    await createActive(service, first.id),
    await createActive(service, first.id),
    await createActive(service, second.id),
  ];
  const [one, , other] = campaigns as [{ id: string }, { id: string }, { id: string }];
  const people = await owe(first, one.id, 3);
  made.single.push(await pay(people[0] ?? ""));
  made.failed.push(await pay(people[1] ?? ""));
  await service.operator(`/payouts/${made.failed[0]}/status`, { body: { status: "FAILED", reason: "no" } });
  made.other.push(await pay((await owe(second, other.id, 1))[0] ?? ""));
  const run = await service.operator("/payout-runs", {
    body: { campaignId: one.id },
    headers: { "idempotency-key": "run" },
  });
  runId = run.body.id;
  for (const [verb, body] of [
    ["approve", {}],
    ["export", { format: "csv" }],
    ["submit", { transactionHashes: [HASH] }],
  ] as const) {
    expect((await service.operator(`/payout-runs/${runId}/${verb}`, { body })).status).toBe(200);
  }
  const rows = await service.operator(`/payout-runs/${runId}/payouts?limit=100`);
  made.run.push(...rows.body.items.map(({ id }: { id: string }) => id).sort());
  await service.db.query("update payouts set proof_status = 'MISMATCH' where id = any($1::uuid[])", [
    [...made.failed, ...made.run.slice(0, 2)],
  ]);
  await service.db.query("update payouts set proof_status = 'PROVEN' where id = $1", [made.run[2] ?? ""]);
});
afterAll(() => service.close());

const pathOf = (limit: number, query: string) => `/payouts?limit=${limit}${query === "" ? "" : `&${query}`}`;
const list = async (query: string) => (await service.operator(pathOf(100, query))).body.items;
const idsOf = async (query: string) => (await list(query)).map(({ id }: { id: string }) => id);

describe("GET /operator/v1/payouts", () => {
  test("lists payouts of all merchants, newest first, with whose they are", async () => {
    const all = await idsOf("");
    expect(all.slice(0, 3).sort()).toEqual(made.run);
    expect(all.slice(3)).toEqual([made.other[0], made.failed[0], made.single[0]]);
    const [item] = await list(`runId=${runId}`);
    expect(item).toMatchObject({
      merchantId: merchants[0]?.id,
      campaignId: campaigns[0]?.id,
      participantId: expect.any(String),
      merchantUserId: expect.stringMatching(/^u\d$/),
      runId,
      status: "SUBMITTED",
      transactionHash: HASH,
      flags: [],
      statusHistory: [{ status: "PENDING" }, { status: "SUBMITTED" }],
    });
    expect(item.amount).toMatchObject({ currency: "USDC", decimalPlaces: 6 });
    expect((await list("status=PENDING"))[0].proof).toBeNull();
  });

  test("each filter, and filters together", async () => {
    const [first, second] = merchants as [Merchant, Merchant];
    const sorted = async (query: string) => (await idsOf(query)).sort();
    expect(await idsOf("status=PENDING")).toEqual([made.other[0], made.single[0]]);
    expect(await idsOf(`merchantId=${second.id.toUpperCase()}`)).toEqual(made.other);
    expect(await sorted(`merchantId=${first.id}&status=SUBMITTED`)).toEqual(made.run);
    expect(await sorted(`campaignId=${campaigns[0]?.id}`)).toEqual(
      [...made.run, ...made.single, ...made.failed].sort(),
    );
    expect(await idsOf(`campaignId=${campaigns[0]?.id}&status=FAILED`)).toEqual(made.failed);
    expect(await idsOf(`campaignId=${campaigns[1]?.id}`)).toEqual([]);
    expect(await sorted(`runId=${runId}`)).toEqual(made.run);
    expect(await idsOf(`runId=${runId}&status=FAILED`)).toEqual([]);
    expect(await sorted(`transactionHash=${HASH.toUpperCase().replace("X", "x")}`)).toEqual(made.run);
    expect(await sorted(`transactionHash=${HASH}&merchantId=${first.id}&status=SUBMITTED`)).toEqual(made.run);
    expect(await idsOf(`transactionHash=${HASH}&merchantId=${second.id}`)).toEqual([]);
  });

  test("the discrepancies, of everyone and with each other filter", async () => {
    const mismatched = made.run.slice(0, 2);
    const sorted = async (query: string) => (await idsOf(query)).sort();
    expect(await sorted("proof=MISMATCH")).toEqual([...mismatched, ...made.failed].sort());
    expect((await list("proof=MISMATCH"))[0].proof).toMatchObject({ status: "MISMATCH", found: null });
    expect(await sorted("proof=MISMATCH&status=SUBMITTED")).toEqual(mismatched);
    expect(await sorted(`proof=MISMATCH&campaignId=${campaigns[0]?.id}&status=FAILED`)).toEqual(made.failed);
    expect(await sorted(`proof=MISMATCH&runId=${runId}`)).toEqual(mismatched);
    expect(await sorted(`proof=MISMATCH&transactionHash=${HASH}`)).toEqual(mismatched);
    for (const query of [
      "proof=PENDING",
      "proof=REVERTED",
      "proof=MISMATCH&status=CONFIRMED",
      `proof=MISMATCH&merchantId=${merchants[1]?.id}`,
      `proof=MISMATCH&campaignId=${campaigns[1]?.id}`,
    ]) {
      expect(await idsOf(query), query).toEqual([]);
    }
  });

  test("what contradicts itself or does not exist finds nothing", async () => {
    const second = merchants[1]?.id;
    for (const query of [
      `runId=${runId}&merchantId=${second}`,
      `campaignId=${campaigns[0]?.id}&merchantId=${second}`,
      `runId=${runId}&campaignId=${campaigns[2]?.id}`,
      `runId=${runId}&campaignId=${campaigns[1]?.id}`,
      `runId=${randomUUID()}`,
      `campaignId=${randomUUID()}`,
      `merchantId=${randomUUID()}`,
      `transactionHash=0x${"00".repeat(32)}`,
    ]) {
      expect(await list(query), query).toEqual([]);
    }
  });

  test("pages yield every payout once, with and without filters", async () => {
    for (const query of [
      "",
      `merchantId=${merchants[0]?.id}`,
      `runId=${runId}`,
      `transactionHash=${HASH}`,
      "proof=MISMATCH",
    ]) {
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const next = cursor === "" ? "" : `&cursor=${cursor}`;
        const { status, body } = await service.operator(`${pathOf(2, query)}${next}`);
        expect(status).toBe(200);
        seen.push(...body.items.map(({ id }: { id: string }) => id));
        cursor = body.nextCursor;
      }
      expect(seen).toEqual(await idsOf(query));
    }
  });

  test.each([
    "status=PAID",
    "runId=1",
    "transactionHash=",
    "transactionHash=a%20b",
    "proof=x",
    "proof=PROVEN",
    "merchantId=shop",
  ])("400 for %s", async (query) => {
    expect((await service.operator(`/payouts?${query}`)).status).toBe(400);
  });

  test("viewers may read it, the hosted flow's token may not", async () => {
    expect(await statusByRole(service, "/payouts")).toEqual(READERS);
    expect(await statusByRole(service, "/owed")).toEqual(READERS);
  });

  test("the audit log of a payout and of its run says who did what", async () => {
    const actions = async (subject: string) =>
      (await service.operator(`/audit-log?subject=${subject}`)).body.items.map(
        ({ action }: { action: string }) => action,
      );
    expect(await actions(made.failed[0] ?? "")).toEqual(["payout.status", "payout.create"]);
    expect(await actions(runId)).toEqual([
      "payout-run.submit",
      "payout-run.export",
      "payout-run.approve",
      "payout-run.create",
    ]);
    expect((await service.operator("/audit-log?subject=")).status).toBe(400);
  });
});

describe("a page of payouts costs the same among many", () => {
  const NONE = {
    statuses: PAYOUT_STATUSES,
    merchantId: null,
    campaignId: null,
    runId: null,
    transactionHash: null,
    proof: null,
  };
  const lists: [string, Partial<PayoutFilters>, index: string][] = [
    ["all", {}, "payouts_of_everyone"],
    ["a status", { statuses: ["FAILED"] }, "payouts_of_everyone"],
    ["a merchant", { merchantId: "m" }, "payouts_of_merchant"],
    ["a campaign", { merchantId: "m", campaignId: "c" }, "payouts_of_campaign"],
    ["a run", { merchantId: "m", runId: "r" }, "payouts_by_run"],
    ["a hash", { transactionHash: "h" }, "payouts_by_hash"],
    ["a hash of a campaign", { transactionHash: "h", merchantId: "m", campaignId: "c" }, "payouts_by_hash"],
    ["a proof", { proof: "MISMATCH" }, "payouts_by_proof"],
    ["a proof and a status", { proof: "MISMATCH", statuses: ["CONFIRMED"] }, "payouts_by_proof"],
    ["a proof of a merchant", { proof: "MISMATCH", merchantId: "m" }, "payouts_by_proof"],
    ["a proof of a campaign", { proof: "MISMATCH", merchantId: "m", campaignId: "c" }, "payouts_by_proof"],
    ["a proof in a run", { proof: "MISMATCH", merchantId: "m", runId: "r" }, "payouts_by_run"],
  ];
  const real = (): PayoutFilters => ({
    ...NONE,
    merchantId: merchants[0]?.id ?? "",
    campaignId: campaigns[0]?.id ?? "",
    runId,
    transactionHash: HASH,
    proof: "MISMATCH",
  });
  const filtersOf = (names: Partial<PayoutFilters>): PayoutFilters => ({
    ...NONE,
    ...Object.fromEntries(Object.keys(names).map((name) => [name, real()[name as keyof PayoutFilters]])),
    ...(names.statuses && { statuses: names.statuses }),
  });
  const few = new Map<string, number>();

  beforeAll(async () => {
    for (const [name, names] of lists) {
      few.set(name, await pagesOf(service.database, (db) => listPayouts(db, filtersOf(names), null, 26)));
    }
    // Many more of everyone: of the merchant and campaign that are asked for, and of others.
    await service.db.query(
      `with made as (
         insert into payouts
         (merchant_id, id, campaign_id, participant_id, ordinal, status, amount, chain_id, token_address, recipient_address,
          transaction_hash, proof_status, create_date, update_date)
       select o.merchant_id, gen_random_uuid(), o.campaign_id, o.participant_id, 100 + n, 'CONFIRMED', 1, 8453, o.token_address,
              o.recipient_address, '0x' || md5(n::text) || md5(o.id::text),
              case n % 2 when 0 then 'MISMATCH' else 'PROVEN' end, '2026-06-01Z'::timestamptz + n * interval '1 ms', '2026-06-01Z'
       from generate_series(1, 5000) n
       cross join payouts o
       where o.id = any($1::uuid[])
         returning merchant_id, id, status, create_date
       )
       insert into payout_events (merchant_id, payout_id, ordinal, status, reason, date)
       select merchant_id, id, 1, status, null, create_date from made`,
      [[...made.single, ...made.other]],
    );
  });

  test.each(lists)("%s", async (name, names, index) => {
    const read = (db: Queryable) => listPayouts(db, filtersOf(names), null, 26);
    for (const moment of ["before", "after"]) {
      if (moment === "after") await service.db.query("analyze payouts");
      const scans = await scansOf(service.database, read, /^payouts(_|$)/);
      expect([
        [`Index Scan using ${index} on payouts`],
        ["Bitmap Heap Scan on payouts", `Bitmap Index Scan on ${index}`],
      ]).toContainEqual(scans);
      // Up to 26 payouts are shown, each with its trail, participant and campaign.
      expect(await pagesOf(service.database, read), moment).toBeLessThanOrEqual((few.get(name) ?? 0) + 26 * 14);
    }
  });
});
