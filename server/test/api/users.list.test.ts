import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { depositEvent, reported } from "../harness/deposits.ts";
import { type Merchant, registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
let other: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  other = await registerMerchant(service, { domain: "other.example" });
  await reported(service, [
    ...Array.from({ length: 7 }, (_, index) =>
      depositEvent(merchant.id, { payerId: `payer-${index}`, embeddedWalletAddress: `0xWallet${index}` }),
    ),
    depositEvent(other.id, { payerId: "payer-1", embeddedWalletAddress: "0xWallet1" }),
  ]);
});
afterAll(() => service.close());

const list = (query = "", id = merchant.id) => service.operator(`/merchants/${id}/users${query}`);

describe("GET /operator/v1/merchants/{merchantId}/users", () => {
  test("is what the merchant itself reads, and nothing that identifies a payer", async () => {
    const own = await merchant.call("/v1/merchant-users");
    const answer = await list();
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toEqual(own.body);
    expect(answer.body.items).toHaveLength(7);
    expect(JSON.stringify(answer.body)).not.toContain("payer");
  });

  test("every user once, with any page size", async () => {
    const ids = (await list()).body.items.map((item: { userId: string }) => item.userId);
    for (const limit of [1, 3, 7, 100]) {
      const pages = await readPages(service, `/merchants/${merchant.id}/users`, limit);
      expect(pages.flat().map(({ userId }) => userId)).toEqual(ids);
    }
  });

  test("the filters of the merchant's own list", async () => {
    const answer = await list("?embeddedWalletAddress=0xwallet1&chainId=8453");
    expect(answer.body.items).toHaveLength(1);
    expect(answer.body).toEqual((await merchant.call("/v1/merchant-users?embeddedWalletAddress=0xwallet1")).body);
    expect((await list("?embeddedWalletAddress=0xwallet1&chainId=1")).body.items).toEqual([]);
    expect((await list("?embeddedWalletAddress=0xWallet2", other.id)).body.items).toEqual([]);
    expect((await list("?chainId=8453")).status).toBe(400);
    expect((await list("?userId=1")).status).toBe(400);
  });

  test("an empty page for a merchant without deposits, 404 for an unknown one", async () => {
    const quiet = await registerMerchant(service, { domain: "quiet.example" });
    expect((await list("", quiet.id)).body).toEqual({ items: [], nextCursor: null });
    for (const unknown of ["0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01", "none"]) {
      const answer = await list("", unknown);
      expect([answer.status, answer.body.error.code]).toEqual([404, "MERCHANT_NOT_FOUND"]);
    }
  });

  test("a cursor is good neither for another merchant nor for the merchant's own list", async () => {
    const { nextCursor } = (await list("?limit=1")).body;
    expect((await list(`?limit=1&cursor=${nextCursor}`)).status).toBe(200);
    expect((await list(`?limit=1&cursor=${nextCursor}`, other.id)).status).toBe(400);
    expect((await merchant.call(`/v1/merchant-users?limit=1&cursor=${nextCursor}`)).status).toBe(400);
    const theirs = (await merchant.call("/v1/merchant-users?limit=1")).body.nextCursor;
    expect((await list(`?limit=1&cursor=${theirs}`)).status).toBe(400);
  });

  test("viewers may look", async () => {
    expect(await statusByRole(service, `/merchants/${merchant.id}/users`)).toEqual(READERS);
  });
});
