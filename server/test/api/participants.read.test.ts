import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive, qualify, submission, submit } from "../harness/campaigns.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let path: string;
let campaignId: string;
const users = ["a", "b", "c", "d", "e"];
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  campaignId = (await createActive(service, merchant.id)).id;
  path = `/v1/marketings/campaigns/${campaignId}/participants`;
  const wallet = await qualify(service, merchant.id);
  for (const user of users) await submit(merchant, campaignId, submission(user, [wallet], user === "c" ? 0 : 10));
});
afterAll(() => service.close());

const read = (query: string) => merchant.call(`${path}${query}`);
const usersOf = (body: { items: { merchantUserId: string }[] }) => body.items.map((item) => item.merchantUserId);

describe("GET /v1/marketings/campaigns/{campaignId}/participants", () => {
  test("all participants, oldest first, page by page, each once", async () => {
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await read(`?limit=2${cursor}`);
      seen.push(...usersOf(body));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(users);
  });

  test("status filters the list", async () => {
    expect(usersOf((await read("?status=QUALIFIED")).body)).toEqual(["c"]);
    expect(usersOf((await read("?status=MATCHED")).body)).toEqual(["a", "b", "d", "e"]);
    expect((await read("?status=PAID")).body).toEqual({ items: [], nextCursor: null });
  });

  test("one participant, not a page, by id or merchantUserId or both; status is then ignored", async () => {
    const one = await read("?merchantUserId=b");
    expect(one.status).toBe(200);
    expect(one.body).toMatchObject({ merchantUserId: "b", campaignId });
    for (const query of [
      `?id=${one.body.id}`,
      `?id=${one.body.id.toUpperCase()}`,
      `?id=${one.body.id}&merchantUserId=b`,
      "?merchantUserId=b&status=PAID",
    ]) {
      expect((await read(query)).body).toEqual(one.body);
    }
  });

  test("404 PARTICIPANT_NOT_FOUND when nothing matches, or the two name different ones", async () => {
    const { id } = (await read("?merchantUserId=b")).body;
    for (const query of [
      "?merchantUserId=unknown",
      "?merchantUserId=B",
      "?id=00000000-0000-4000-8000-000000000000",
      `?id=${id}&merchantUserId=a`,
    ]) {
      const answer = await read(query);
      expect([answer.status, answer.body.error.code]).toEqual([404, "PARTICIPANT_NOT_FOUND"]);
    }
  });

  test("a participant of another campaign is not found here", async () => {
    const { id } = (await read("?merchantUserId=b")).body;
    const other = await createActive(service, merchant.id);
    const answer = await merchant.call(`/v1/marketings/campaigns/${other.id}/participants?id=${id}`);
    expect(answer.body.error.code).toBe("PARTICIPANT_NOT_FOUND");
  });

  test("400 for a bad filter, and for a cursor used with another filter", async () => {
    const { nextCursor } = (await read("?limit=2")).body;
    for (const query of [
      "?id=b",
      "?id=",
      "?merchantUserId=",
      "?status=matched",
      "?user=a",
      "?merchantUserId=a&merchantUserId=b",
      `?cursor=${nextCursor}&status=MATCHED`,
      `?cursor=${nextCursor}&merchantUserId=b`,
      `?cursor=${nextCursor}x`,
    ]) {
      const answer = await read(query);
      expect([query, answer.status, answer.body.error?.code]).toEqual([query, 400, "VALIDATION_ERROR"]);
    }
    expect((await read(`?cursor=${nextCursor}&limit=1`)).status).toBe(200);
  });

  test("operators read the same, and where it is paid", async () => {
    const { body } = await service.operator(`/campaigns/${campaignId}/participants?limit=2`);
    const shown = { receiver: expect.anything(), held: false, flags: expect.any(Array) };
    const { items } = (await read("?limit=2")).body;
    expect(body.items).toEqual(items.map((item: object) => ({ ...item, ...shown })));
    const one = await service.operator(`/campaigns/${campaignId}/participants?merchantUserId=d`);
    expect(one.body).toMatchObject((await read("?merchantUserId=d")).body);
  });
});
