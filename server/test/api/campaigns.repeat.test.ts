import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { campaignBody, depositBody, ingest, newAddress } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let second: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  second = await startService({ database: service.database });
  merchant = await registerMerchant(service);
  await ingest(service, depositBody(merchant.id, newAddress()));
});
afterAll(async () => {
  await second.close();
  await service.close();
});

const create = (key: string, body: unknown = campaignBody(merchant.id), at = service) =>
  at.operator("/campaigns", { body, headers: { "idempotency-key": key } });
const auditOf = async (campaignId: string) =>
  (await service.operator(`/audit-log?limit=100&merchantId=${merchant.id}`)).body.items.filter(
    ({ subject }: { subject: string }) => subject === campaignId,
  );
const countCampaigns = async () =>
  (await service.db.query("select 1 from campaigns where merchant_id = $1", [merchant.id])).length;

describe("POST /operator/v1/campaigns with an Idempotency-Key", () => {
  test("201, then 200 with the same campaign; nothing is made or audited a second time", async () => {
    const key = randomUUID();
    const first = await create(key);
    const count = await countCampaigns();
    const again = await create(key);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
    expect(await countCampaigns()).toBe(count);
    expect(await auditOf(first.body.id)).toHaveLength(1);
  });

  test("ten concurrent calls, in two processes, make one campaign", async () => {
    const key = randomUUID();
    const count = await countCampaigns();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => create(key, campaignBody(merchant.id), n % 2 === 0 ? service : second)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await countCampaigns()).toBe(count + 1);
    expect(await auditOf(answers[0]?.body.id)).toHaveLength(1);
  });

  test("409 IDEMPOTENCY_KEY_REUSED for another request under the same key, also when the two race", async () => {
    const key = randomUUID();
    const bodies = [campaignBody(merchant.id), campaignBody(merchant.id, { displayName: "Another" })];
    const raced = await Promise.all(bodies.map((body) => create(key, body)));
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 409]);
    const refused = await create(key, campaignBody(merchant.id, {}, { matchMultiplier: 3 }));
    expect([refused.status, refused.body.error.code]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("another spelling of the same request is the same request", async () => {
    const key = randomUUID();
    const first = await create(key);
    const spelled = campaignBody(merchant.id.toUpperCase(), { startDate: "2026-01-01T01:00:00+01:00" });
    expect(await create(key, spelled)).toMatchObject({ status: 200, body: { id: first.body.id } });
  });

  test("a campaign that was edited and activated meanwhile is answered as it is now", async () => {
    const key = randomUUID();
    const { body: first } = await create(key);
    await service.operator(`/campaigns/${first.id}`, { method: "PATCH", body: { displayName: "Edited" } });
    await service.operator(`/campaigns/${first.id}/activate`, { method: "POST" });
    const again = await create(key);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ id: first.id, displayName: "Edited", status: "ACTIVE" });
    const asEdited = await create(key, campaignBody(merchant.id, { displayName: "Edited" }));
    expect(asEdited.body.error.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test("a key belongs to its merchant, and without one each call makes a campaign", async () => {
    const key = randomUUID();
    const other = await registerMerchant(service);
    const [mine, theirs] = [await create(key), await create(key, campaignBody(other.id))];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(mine.body.id).not.toBe(theirs.body.id);
    const body = campaignBody(merchant.id);
    const [one, two] = [await service.operator("/campaigns", { body }), await service.operator("/campaigns", { body })];
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(one.body.id).not.toBe(two.body.id);
  });

  test("a refused request leaves its key unused", async () => {
    const key = randomUUID();
    expect((await create(key, campaignBody(randomUUID()))).body.error.code).toBe("MERCHANT_NOT_FOUND");
    const backwards = campaignBody(merchant.id, { endDate: "2025-01-01T00:00:00Z" });
    expect((await create(key, backwards)).body.error.code).toBe("VALIDATION_ERROR");
    expect((await create(key)).status).toBe(201);
  });

  test.each(["", "k k", "k".repeat(256)])("400 for the key %j", async (key) => {
    const answer = await create(key);
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain("idempotency-key must be");
  });
});
