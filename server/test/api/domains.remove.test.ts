import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applicationBody, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  merchant = await registerMerchant(service, { domain: "primary.example" });
});
afterAll(() => service.close());

const add = (domain: string) => merchant.call("/v1/merchant-domains", { body: { domain } });
const remove = (domain: string, id: string = merchant.id) =>
  service.operator(`/merchants/${id}/domains/${domain}`, { method: "DELETE" });
const isAllowed = async (origin: string) =>
  (await service.operator(`/merchants/${merchant.id}/origins/check?origin=${origin}`)).body.allowed;
const domains = async () =>
  (await service.operator(`/merchants/${merchant.id}/domains`)).body.items.map(
    (item: { domain: string }) => item.domain,
  );

describe("DELETE /operator/v1/merchants/{merchantId}/domains/{domain}", () => {
  test("204: all its origins are closed and its slot is free immediately", async () => {
    for (let index = 0; index < 10; index++) await add(`shop${index}.com`);
    expect((await add("eleventh.com")).status).toBe(422);
    const answer = await remove("shop4.com");
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(await isAllowed("https://shop4.com")).toBe(false);
    expect(await isAllowed("https://www.shop4.com")).toBe(false);
    expect((await add("eleventh.com")).status).toBe(201);
    expect((await add("twelfth.com")).status).toBe(422);
  });

  test("a removed domain can be added again, and adds its origins again", async () => {
    await add("shop.com");
    await remove("shop.com");
    expect((await add("shop.com")).body.added).toEqual(["https://shop.com", "https://www.shop.com"]);
    expect(await isAllowed("https://shop.com")).toBe(true);
  });

  test.each([
    ["localhost:8080", "localhost:8080"],
    ["pay.shop.com:8443", "pay.shop.com%3A8443"],
    ["shop.com", "SHOP.com"],
    ["shop.com", "https%3A%2F%2Fshop.com"],
    ["xn--mnchen-3ya.de", "m%C3%BCnchen.de"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
  ])("%s is found as %s", async (stored, sent) => {
    await add(stored);
    expect((await remove(sent)).status).toBe(204);
    expect(await domains()).toEqual(["primary.example"]);
  });

  test("404 DOMAIN_NOT_FOUND for the other one of a pair, with the name to use, and nothing is removed", async () => {
    await add("shop.com");
    const answer = await remove("www.shop.com");
    expect([answer.status, answer.body.error.code]).toEqual([404, "DOMAIN_NOT_FOUND"]);
    expect(answer.body.error.message).toContain("shop.com stands for the same origins");
    expect(await isAllowed("https://www.shop.com")).toBe(true);
  });

  test.each([
    "other.com",
    "shop.com:8443",
    "nonsense",
    "co.uk",
    "%00",
    "a%20b",
    "%F0%9F%92%A9",
    `${"a".repeat(300)}.com`,
  ])("404 DOMAIN_NOT_FOUND for %s", async (domain) => {
    await add("shop.com");
    const answer = await remove(domain);
    expect([answer.status, answer.body.error.code]).toEqual([404, "DOMAIN_NOT_FOUND"]);
    expect(await domains()).toEqual(["primary.example", "shop.com"]);
  });

  test("404 DOMAIN_NOT_FOUND the second time", async () => {
    await add("shop.com");
    await remove("shop.com");
    expect((await remove("shop.com")).body.error.code).toBe("DOMAIN_NOT_FOUND");
  });

  test("404 DOMAIN_NOT_FOUND for another merchant's domain, which stays", async () => {
    await add("shop.com");
    const other = await registerMerchant(service);
    expect((await remove("shop.com", other.id)).body.error.code).toBe("DOMAIN_NOT_FOUND");
    expect(await isAllowed("https://shop.com")).toBe(true);
  });

  test("removing one merchant's domain leaves another merchant's same domain alone", async () => {
    await add("shop.com");
    const other = await registerMerchant(service);
    await other.call("/v1/merchant-domains", { body: { domain: "shop.com" } });
    await remove("shop.com", other.id);
    expect(await isAllowed("https://shop.com")).toBe(true);
  });

  test("404 for a merchant that is unknown, or not approved yet", async () => {
    expect((await remove("shop.com", randomUUID())).body.error.code).toBe("MERCHANT_NOT_FOUND");
    expect((await remove("shop.com", "nobody")).body.error.code).toBe("MERCHANT_NOT_FOUND");
    const applied = await service.call("/v1/merchants/applications", { body: applicationBody() });
    expect((await remove("shop.com", applied.body.merchantId)).body.error.code).toBe("DOMAIN_NOT_FOUND");
  });

  test("409 DOMAIN_IS_PRIMARY for the primary domain, which stays", async () => {
    const answer = await remove("primary.example");
    expect([answer.status, answer.body.error.code]).toEqual([409, "DOMAIN_IS_PRIMARY"]);
    expect(await isAllowed("https://primary.example")).toBe(true);
  });

  test("an origin that another domain stands for too stays whitelisted", async () => {
    await add("shop.com");
    // As when the Public Suffix List did not yet know that the two go together.
    await service.db.query("delete from merchant_origins where merchant_id = $1 and origin = 'https://www.shop.com'", [
      merchant.id,
    ]);
    expect((await add("www.shop.com")).body.added).toEqual(["https://www.shop.com"]);
    expect((await remove("shop.com")).status).toBe(204);
    expect(await isAllowed("https://shop.com")).toBe(true);
    expect((await remove("www.shop.com")).status).toBe(204);
    expect(await isAllowed("https://shop.com")).toBe(false);
    expect((await add("shop.com")).body.added).toHaveLength(2);
  });

  test("a domain of an older Public Suffix List, which is none today, can be removed", async () => {
    const [domain, origin] = ["co.uk", "https://co.uk"];
    await service.db.query(
      "insert into merchant_domains (merchant_id, domain, slot, create_date) values ($1, $2, 1, $3)",
      [merchant.id, domain, new Date()],
    );
    await service.db.query(
      "insert into merchant_origins (merchant_id, origin, domain, create_date) values ($1, $2, $3, $4)",
      [merchant.id, origin, domain, new Date()],
    );
    expect(await isAllowed(origin)).toBe(true);
    expect((await remove(domain)).status).toBe(204);
    expect(await isAllowed(origin)).toBe(false);
  });

  test("the audit log names who removed what", async () => {
    await add("shop.com");
    const answer = await remove("shop.com");
    const { body } = await service.operator("/audit-log?limit=1");
    expect(body.items[0]).toMatchObject({
      actor: "bootstrap token",
      action: "domain.remove",
      subject: "shop.com",
      merchantId: merchant.id,
      detail: { origins: ["https://shop.com", "https://www.shop.com"] },
      requestId: answer.headers.get("x-request-id"),
    });
  });

  test("a refused removal is not in the audit log", async () => {
    const before = (await service.operator("/audit-log?limit=1")).body.items[0].position;
    await remove("primary.example");
    await remove("other.com");
    expect((await service.operator("/audit-log?limit=1")).body.items[0].position).toBe(before);
  });
});
