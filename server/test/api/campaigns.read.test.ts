import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, createDraft, qualify, submission, submit } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let stranger: Merchant;
beforeAll(async () => {
  service = await startService();
  [merchant, stranger] = await Promise.all([registerMerchant(service), registerMerchant(service)]);
});
afterAll(() => service.close());

const PATH = "/v1/marketings/campaigns";

describe("GET /v1/marketings/campaigns", () => {
  test("the merchant's own campaigns in every status, newest first, page by page, without the merchant's id", async () => {
    const created = [];
    for (let index = 0; index < 5; index++) created.push(await createDraft(service, merchant.id));
    await createDraft(service, stranger.id);
    const seen = [];
    let cursor = "";
    for (let pages = 0; pages < 3; pages++) {
      const { status, body } = await merchant.call(`${PATH}?limit=2${cursor}`);
      expect(status).toBe(200);
      seen.push(...body.items);
      cursor = `&cursor=${body.nextCursor}`;
      if (body.nextCursor === null) break;
    }
    expect(seen.map((item) => item.id).sort()).toEqual(created.map((item) => item.id).sort());
    expect(seen.map((item) => item.createDate)).toEqual(
      seen
        .map((item) => item.createDate)
        .sort()
        .reverse(),
    );
    const { merchantId: _merchantId, ...shown } = created[0];
    expect(seen).toContainEqual(shown);
  });

  test("one campaign by its id, with the amount committed so far", async () => {
    const campaign = await createActive(service, merchant.id);
    const wallet = await qualify(service, merchant.id);
    await submit(merchant, campaign.id, submission("user-1", [wallet], 21));
    const { status, body } = await merchant.call(`${PATH}/${campaign.id}`);
    expect(status).toBe(200);
    expect(body.perTradeProfitMatch.currentAmountTotal.amount).toBe("42");
    expect(Object.keys(body)).not.toContain("merchantId");
  });

  test("404 for an unknown campaign and for another merchant's, byte for byte alike, on every route", async () => {
    const campaign = await createActive(service, merchant.id);
    for (const rest of ["", "/qualifiedWallets", "/participants"]) {
      const others = await stranger.call(`${PATH}/${campaign.id}${rest}`);
      const unknown = await stranger.call(`${PATH}/00000000-0000-4000-8000-000000000000${rest}`);
      expect([others.status, others.body.error.code]).toEqual([404, "CAMPAIGN_NOT_FOUND"]);
      expect(unknown.body).toEqual(others.body);
    }
  });

  test("401 without the header, before anything else is looked at", async () => {
    for (const path of [PATH, `${PATH}/nonsense`, `${PATH}/nonsense/participants?limit=x`]) {
      const answer = await service.call(path);
      expect([answer.status, answer.body.error.code]).toEqual([401, "MERCHANT_AUTHORIZATION_MISSING"]);
    }
  });

  test.each(["limit=0", "limit=101", "limit=x", "cursor=x", "cursor=", "status=DRAFT", "limit=1&limit=2"])(
    "400 VALIDATION_ERROR for ?%s",
    async (query) => {
      const answer = await merchant.call(`${PATH}?${query}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    },
  );

  test("400 for the cursor of another merchant", async () => {
    const first = await merchant.call(`${PATH}?limit=1`);
    await createDraft(service, stranger.id);
    await createDraft(service, stranger.id);
    const answer = await stranger.call(`${PATH}?limit=1&cursor=${first.body.nextCursor}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });
});

describe("GET /operator/v1/campaigns", () => {
  test("all merchants' campaigns with their merchantId, filtered by merchant and status, page by page", async () => {
    const owner = await registerMerchant(service);
    const draft = await createDraft(service, owner.id);
    const active = await createActive(service, owner.id);
    const ids = async (query: string) => {
      const found: string[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await service.operator(`/campaigns?${["limit=1", query, cursor].filter(Boolean).join("&")}`);
        found.push(...body.items.map((item: { id: string }) => item.id));
        if (body.nextCursor === null) return found;
        cursor = `cursor=${body.nextCursor}`;
      }
    };
    expect(await ids(`merchantId=${owner.id.toUpperCase()}`)).toEqual([active.id, draft.id]);
    expect(await ids(`merchantId=${owner.id}&status=DRAFT`)).toEqual([draft.id]);
    expect(await ids("status=ACTIVE")).toContain(active.id);
    const everything = await ids("");
    expect(everything.slice(0, 2)).toEqual([active.id, draft.id]);
    expect(new Set(everything).size).toBe(everything.length);
    expect((await service.operator(`/campaigns/${draft.id}`)).body).toEqual(draft);
  });
});
