// The console shows the start of an id: 2d8b9104…c3f1. What is shown can be searched.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listCampaigns } from "../../src/campaigns/queries.ts";
import { listMerchants } from "../../src/merchants/queries.ts";
import { findById } from "../../src/oversight/search-queries.ts";
import { createActive, depositBody, ingest, newAddress, submission, submit, usdc } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { scansOf } from "../harness/plans.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let campaign: { id: string };
let participant: { id: string };
let payout: { id: string };
let token: { id: string };
let application: { applicationId: string };
let userId: string;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  const wallet = newAddress();
  await ingest(service, depositBody(merchant.id, wallet));
  campaign = await createActive(service, merchant.id);
  participant = (await submit(merchant, campaign.id, submission("user-1", [wallet], 500))).body;
  const recorded = await service.operator(`/participants/${participant.id}/payouts`, {
    body: { amount: usdc(100), recipientAddress: wallet },
    headers: { "idempotency-key": "one" },
  });
  payout = recorded.body;
  token = (await service.operator("/tokens", { body: { name: "Ada", role: "viewer" } })).body;
  application = (await service.operator("/applications?limit=1")).body.items[0];
  userId = (await service.operator(`/merchants/${merchant.id}/users`)).body.items[0].userId;
});
afterAll(() => service.close());

/** As the console shows an id, and as people copy it. */
const shown = (id: string) => [
  id,
  id.toUpperCase(),
  id.slice(0, 8),
  `${id.slice(0, 8)}…`,
  `${id.slice(0, 8)}...`,
  `${id.slice(0, 8)}…${id.slice(-4)}`,
  id.slice(0, 9),
  id.slice(0, 13),
  id.slice(0, 30),
];
const encoded = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;
const items = async (path: string, query: Record<string, string>) => {
  const answer = await service.operator(encoded(path, query));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items;
};

/** Another id with the same first eight digits. */
const neighbour = (id: string) => id.slice(0, 8) + randomUUID().slice(8);

describe("GET /operator/v1/search?q=", () => {
  test("finds things of every kind by their id, with the ids that lead to them", async () => {
    const expected = [
      { kind: "merchant", id: merchant.id, merchantId: merchant.id },
      { kind: "application", id: application.applicationId, merchantId: merchant.id },
      { kind: "campaign", id: campaign.id, merchantId: merchant.id, campaignId: campaign.id },
      {
        kind: "participant",
        id: participant.id,
        campaignId: campaign.id,
        participantId: participant.id,
        name: "user-1",
      },
      { kind: "payout", id: payout.id, campaignId: campaign.id, participantId: participant.id },
      { kind: "user", id: userId, merchantId: merchant.id },
      { kind: "token", id: token.id, name: "Ada", merchantId: null },
    ];
    for (const item of expected) {
      for (const q of shown(item.id)) expect(await items("/search", { q }), `${item.kind} ${q}`).toMatchObject([item]);
    }
  });

  test("an ambiguous start lists every match", async () => {
    const others = [neighbour(campaign.id), neighbour(campaign.id)];
    for (const id of others) {
      await service.db.query(
        `insert into campaigns select merchant_id, $2, type, status, 'Neighbour', start_date, end_date, match_multiplier,
           currency, decimal_places, max_amount_per_user, max_amount_total, 0, payout_chain_id, payout_token_address, 0,
           create_date, update_date
         from campaigns where id = $1`,
        [campaign.id, id],
      );
    }
    const found = await items("/search", { q: `${campaign.id.slice(0, 8)}…` });
    expect(new Set(found.map(({ id }: { id: string }) => id))).toEqual(new Set([campaign.id, ...others]));
    expect(await items("/search", { q: `${campaign.id.slice(0, 8)}…${campaign.id.slice(-4)}` })).toHaveLength(1);
  });

  test("a UUID without dashes is the UUID", async () => {
    const q = campaign.id.replaceAll("-", "");
    for (const text of [q, q.toUpperCase()]) {
      expect(await items("/search", { q: text }), text).toMatchObject([{ kind: "campaign", id: campaign.id }]);
    }
  });

  test("finds deposits by the whole id, its start, or start and end, of every merchant that has them", async () => {
    const other = await registerMerchant(service);
    const id = "dep_7e22aa10bb20bab8";
    const of = (merchantId: string, depositId: string) => depositBody(merchantId, newAddress(), { id: depositId });
    await ingest(service, of(merchant.id, id), of(merchant.id, "dep_7e22ffffffff0000"), of(merchant.id, "n-7"));
    await ingest(service, of(other.id, id));
    await service.operator(`/merchants/${other.id}/suspend`, { body: {} });
    const expected = [merchant.id, other.id].sort().map((merchantId) => ({ kind: "deposit", id, merchantId }));
    for (const q of [id, "dep_7e22…bab8", "dep_7e22...bab8", "dep_7e22aa10", "dep_7e22a…"]) {
      expect(await items("/search", { q }), q).toMatchObject(expected);
    }
    expect(await items("/search", { q: "dep_7e22" })).toHaveLength(3);
    const { body } = await service.operator(`/deposits?merchantId=${merchant.id}`);
    const { userId: payer } = body.items.find((deposit: { id: string }) => deposit.id === "n-7");
    expect(await items("/search", { q: "n-7" })).toMatchObject([
      { kind: "deposit", id: "n-7", merchantId: merchant.id, userId: payer },
    ]);
    // Of less than eight characters only the id that is exactly this, in the case it was written.
    for (const q of ["n-", "dep_7e2", "DEP_7E22"]) expect(await items("/search", { q }), q).toEqual([]);
  });

  test("% and _ stand for themselves in a deposit's id", async () => {
    const ids = ["100%_sure_1", "100xxsure_1", "100%_sureX1"];
    await ingest(service, ...ids.map((id) => depositBody(merchant.id, newAddress(), { id })));
    expect(await items("/search", { q: "100%_sur" })).toMatchObject([{ id: ids[2] }, { id: ids[0] }]);
    expect(await items("/search", { q: "100%_sure…re_1" })).toMatchObject([{ id: ids[0] }]);
    expect(await items("/search", { q: "100%_sure…%%%%" })).toEqual([]);
    expect(await items("/search", { q: "%%%%%%%%" })).toEqual([]);
  });

  test("lists no more than twenty deposits", async () => {
    const deposits = Array.from({ length: 25 }, (_, n) =>
      depositBody(merchant.id, newAddress(), { id: `many-deposits-${n}` }),
    );
    await ingest(service, ...deposits);
    expect(await items("/search", { q: "many-dep" })).toHaveLength(20);
  });

  test.each([
    "",
    "2d8b910…",
    "2d8b 9104",
    "zzzzzzzé",
    "zzzzzzz\u0000",
    "2d8b9104…'",
    "x".repeat(129),
    "x".repeat(256),
    "2d8b9104…c3f10",
  ])("400 for %j, which is no start of an id", async (q) => {
    const answer = await service.operator(encoded("/search", { q }));
    expect([answer.status, answer.body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("the refusal of a text says what an id looks like, in words for people", async () => {
    const answer = await service.operator(encoded("/search", { q: "2d8b 9104" }));
    expect(answer.body.error.message).toMatch(/^Type an id/);
  });

  test("viewers may look", async () => {
    expect(await statusByRole(service, "/search?q=2d8b9104")).toEqual(READERS);
  });
});

describe("the lists", () => {
  test("merchants by the start of the id, among all and of one status, page by page", async () => {
    for (const search of shown(merchant.id)) {
      expect(await items("/merchants", { search }), search).toMatchObject([{ merchantId: merchant.id }]);
    }
    expect(await items("/merchants", { search: merchant.id.slice(0, 8), status: "PENDING" })).toEqual([]);
    const others = [neighbour(merchant.id), neighbour(merchant.id)];
    for (const id of others) {
      await service.db.query(
        `insert into merchants select $2, 'neighbour', 'PENDING', algorithm, public_key, sha256($3)|| '\\x01', email, domain,
           create_date, update_date from merchants where id = $1`,
        [merchant.id, id, Buffer.from(id)],
      );
    }
    for (const limit of [1, 2, 100]) {
      const pages = await readPages(service, `/merchants?search=${merchant.id.slice(0, 8)}`, limit);
      expect(new Set(pages.flat().map(({ merchantId }) => merchantId))).toEqual(new Set([merchant.id, ...others]));
      expect(pages.flat()).toHaveLength(3);
    }
  });

  test("a name that looks like the start of an id is still found", async () => {
    const named = await registerMerchant(service, { domain: "deadbeef.example" });
    expect(await items("/merchants", { search: "deadbeef" })).toMatchObject([{ merchantId: named.id }]);
  });

  test("campaigns by a part of the name or the start of the id", async () => {
    const other = await createActive(service, merchant.id, { displayName: "Spring (100%) Sale" });
    for (const search of ["spring", "(100%)", ...shown(other.id)]) {
      expect(await items("/campaigns", { search }), search).toMatchObject([{ id: other.id }]);
    }
    expect(await items("/campaigns", { search: "spring", status: "ENDED" })).toEqual([]);
    expect(await items("/campaigns", { search: "spring", merchantId: merchant.id })).toHaveLength(1);
    expect(await items("/campaigns", { search: "spring", merchantId: randomUUID() })).toEqual([]);
    expect(await items("/campaigns", { search: ".*" })).toEqual([]);
  });

  test("participants of a campaign by the user id, exactly, or by the start of the participant's id", async () => {
    const path = `/campaigns/${campaign.id}/participants`;
    for (const search of ["user-1", ...shown(participant.id)]) {
      expect(await items(path, { search }), search).toMatchObject([{ id: participant.id }]);
    }
    expect(await items(path, { search: "user-" })).toEqual([]);
    expect(await items(path, { search: "USER-1" })).toEqual([]);
    expect(await items(path, { search: "user-1", status: "FAILED" })).toEqual([]);
    const other = await createActive(service, merchant.id);
    expect(await items(`/campaigns/${other.id}/participants`, { search: participant.id })).toEqual([]);
    expect((await service.operator(`${path}?search=user-1&id=${participant.id}`)).status).toBe(400);
  });

  test("deposits by the start of the user's id; of several such users all, one after the other", async () => {
    for (const user of shown(userId)) expect(await items("/deposits", { userId: user }), user).toHaveLength(1);
    const other = neighbour(userId);
    await service.db.query(
      `insert into deposit_users select merchant_id, $2, pending_count, pending_micros, completed_count, completed_micros,
         failed_count, failed_micros, first_deposit_date, last_deposit_date, wallet_count from deposit_users where user_id = $1`,
      [userId, other],
    );
    for (const n of [1, 2, 3]) {
      await service.db.query(
        `insert into deposits select merchant_id, 'n-' || $3::integer, $2, status, amount_micros, chain_id, token_symbol,
           token_address, wallet_address, wallet_key, create_date + ($3::integer - 2) * interval '1 hour', update_date
         from deposits where user_id = $1 limit 1`,
        [userId, other, n],
      );
    }
    for (const query of [`userId=${userId.slice(0, 8)}`, `userId=${userId.slice(0, 8)}&merchantId=${merchant.id}`]) {
      for (const limit of [1, 2, 100]) {
        const found = (await readPages(service, `/deposits?${query}`, limit)).flat();
        expect(found).toHaveLength(4);
        const users = found.map(({ userId: id }) => id);
        expect(users).toEqual([...users].sort());
        expect(found.filter(({ userId: id }) => id === other).map(({ id }) => id)).toEqual(["n-3", "n-2", "n-1"]);
      }
    }
    expect(await items("/deposits", { userId: `${userId.slice(0, 8)}…`, merchantId: randomUUID() })).toEqual([]);
    expect((await service.operator("/deposits?userId=abc")).status).toBe(400);
  });

  test("a start of an id is looked up in the index of ids", async () => {
    await service.db.query(
      `insert into merchants
         select gen_random_uuid(), 'flood.example', 'PENDING', m.algorithm, m.public_key, decode(repeat(md5(n::text), 2) || '02', 'hex'),
                'flood@flood.example', 'flood.example', now(), now()
         from merchants m, generate_series(1, 20000) n
         where m.id = $1`,
      [merchant.id],
    );
    const ids = { first: merchant.id, last: merchant.id, end: "" };
    for (const status of [null, "ACTIVE" as const]) {
      const scans = await scansOf(
        service.database,
        (db) => listMerchants(db, { pattern: null, ids, oneOf: null, status }, null, 26),
        /^merchants/,
      );
      expect(scans.join()).toMatch(/merchants_pkey/);
    }
    const scans = await scansOf(
      service.database,
      (db) => listCampaigns(db, { merchantId: null, status: null, pattern: null, ids }, null, 26),
      /^campaigns/,
    );
    expect(scans.join()).toMatch(/campaigns_by_id/);
    const found = await scansOf(
      service.database,
      (db) => findById(db, ids, ids, 20),
      /^(participants|payouts|deposits|deposit_users)/,
    );
    expect(found.join()).not.toContain("Seq Scan");
    for (const index of ["participants_by_id", "payouts_by_id", "deposit_users_by_id", "deposits_pkey"]) {
      expect(found.join()).toContain(index);
    }
  });
});

describe("GET /operator/v1/merchants?id=", () => {
  test("the named merchants in one answer, unknown ones left out", async () => {
    const others = await Promise.all([1, 2, 3].map(() => registerMerchant(service)));
    const ids = others.map(({ id }) => id);
    const query = [...ids, randomUUID(), (ids[0] ?? "").toUpperCase()].map((id) => `id=${id}`).join("&");
    const answer = await service.operator(`/merchants?${query}`);
    expect(answer.body.nextCursor).toBeNull();
    expect(new Set(answer.body.items.map(({ merchantId }: { merchantId: string }) => merchantId))).toEqual(
      new Set(ids),
    );
  });

  test("a hundred are one page, more are 400, and so is what is no id", async () => {
    const rows = await service.db.query<{ id: string }>("select id from merchants limit 101");
    const query = (count: number) =>
      rows
        .slice(0, count)
        .map(({ id }) => `id=${id}`)
        .join("&");
    const whole = await service.operator(`/merchants?${query(100)}`);
    expect([whole.body.items.length, whole.body.nextCursor]).toEqual([100, null]);
    expect((await service.operator(`/merchants?${query(101)}`)).status).toBe(400);
    expect((await service.operator("/merchants?id=2d8b9104")).status).toBe(400);
    expect((await readPages(service, `/merchants?${query(100)}`, 30)).map((page) => page.length)).toEqual([
      30, 30, 30, 10,
    ]);
  });

  test("by the index of ids, however many merchants there are", async () => {
    const list = (status: "ACTIVE" | null) =>
      scansOf(
        service.database,
        (db) => listMerchants(db, { pattern: null, ids: null, oneOf: [merchant.id], status }, null, 101),
        /^merchants/,
      );
    for (const status of [null, "ACTIVE" as const]) expect((await list(status)).join()).toMatch(/merchants_pkey/);
    await service.db.query("analyze merchants");
    for (const status of [null, "ACTIVE" as const]) expect((await list(status)).join()).toMatch(/merchants_pkey/);
  });
});
