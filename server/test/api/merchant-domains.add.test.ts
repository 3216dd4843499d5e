import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationBody, asMerchant, generateKeys, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const add = (merchant: Merchant, domain: unknown) => merchant.call("/v1/merchant-domains", { body: { domain } });

async function addAll(merchant: Merchant, domains: readonly string[]): Promise<void> {
  for (const domain of domains) expect((await add(merchant, domain)).status).toBe(201);
}

const ten = Array.from({ length: 10 }, (_, index) => `shop${index}.example`);

async function slotsOf(merchant: Merchant): Promise<number> {
  const { body } = await service.operator(`/merchants/${merchant.id}/domains`);
  return body.items.filter((item: { isPrimary: boolean }) => !item.isPrimary).length;
}

describe("POST /v1/merchant-domains", () => {
  test("201 with the merchant, the stored domain and the origins that were added", async () => {
    const merchant = await registerMerchant(service);
    const answer = await add(merchant, "pay.other.example");
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      merchantId: merchant.id,
      domain: "pay.other.example",
      added: ["https://pay.other.example"],
    });
  });

  test.each([
    ["an apex registers its www variant too", "other.com", "other.com", ["https://other.com", "https://www.other.com"]],
    [
      "a www host registers the apex too",
      "www.other.net",
      "www.other.net",
      ["https://www.other.net", "https://other.net"],
    ],
    ["a deeper subdomain is registered exactly as given", "a.b.other.org", "a.b.other.org", ["https://a.b.other.org"]],
    [
      "an apex below a public suffix of two labels",
      "other.co.uk",
      "other.co.uk",
      ["https://other.co.uk", "https://www.other.co.uk"],
    ],
    [
      "a scheme is stripped and the rest stored in lower case",
      "HTTP://Pay.Shop.IO",
      "pay.shop.io",
      ["https://pay.shop.io"],
    ],
    [
      "a port is part of the origins",
      "other.com:8443",
      "other.com:8443",
      ["https://other.com:8443", "https://www.other.com:8443"],
    ],
    ["the default port is dropped", "pay.other.com:443", "pay.other.com", ["https://pay.other.com"]],
    ["localhost is registered on http", "localhost:8080", "localhost:8080", ["http://localhost:8080"]],
    ["localhost without a port", "localhost", "localhost", ["http://localhost"]],
    [
      "an internationalized name becomes punycode",
      "münchen.de",
      "xn--mnchen-3ya.de",
      ["https://xn--mnchen-3ya.de", "https://www.xn--mnchen-3ya.de"],
    ],
  ])("%s", async (_rule, sent, domain, added) => {
    const merchant = await registerMerchant(service);
    const answer = await add(merchant, sent);
    expect([answer.status, answer.body]).toEqual([201, { merchantId: merchant.id, domain, added }]);
  });

  test("a domain that is whitelisted already adds nothing and takes no slot", async () => {
    const merchant = await registerMerchant(service);
    await add(merchant, "other.com");
    for (const again of ["other.com", "OTHER.com", "https://other.com", "other.com:443"]) {
      const answer = await add(merchant, again);
      expect([answer.status, answer.body]).toEqual([201, { merchantId: merchant.id, domain: "other.com", added: [] }]);
    }
    expect(await slotsOf(merchant)).toBe(1);
  });

  test("either of an apex and its www variant stands for both, whichever came first", async () => {
    const merchant = await registerMerchant(service);
    expect((await add(merchant, "www.first.com")).body.added).toHaveLength(2);
    expect((await add(merchant, "first.com")).body).toMatchObject({ domain: "first.com", added: [] });
    expect((await add(merchant, "shop.com:8443")).body.added).toHaveLength(2);
    expect((await add(merchant, "www.shop.com:8443")).body).toMatchObject({ domain: "www.shop.com:8443", added: [] });
    expect(await slotsOf(merchant)).toBe(2);
  });

  test("the primary domain is whitelisted with its www variant, but not on other ports", async () => {
    const merchant = await registerMerchant(service, { domain: "primary.com" });
    expect((await add(merchant, "primary.com")).body.added).toEqual([]);
    expect((await add(merchant, "www.primary.com")).body.added).toEqual([]);
    expect(await slotsOf(merchant)).toBe(0);
    expect((await add(merchant, "primary.com:8443")).body.added).toHaveLength(2);
    expect((await add(merchant, "pay.primary.com")).body.added).toEqual(["https://pay.primary.com"]);
    expect(await slotsOf(merchant)).toBe(2);
  });

  test("a www primary domain is whitelisted with its apex", async () => {
    const merchant = await registerMerchant(service, { domain: "www.primary.net" });
    expect((await add(merchant, "primary.net")).body.added).toEqual([]);
  });

  test.each([3000, 5173, 5175])(
    "localhost:%d needs no registration, so it adds nothing and takes no slot",
    async (port) => {
      const merchant = await registerMerchant(service);
      const answer = await add(merchant, `localhost:${port}`);
      expect([answer.status, answer.body]).toEqual([
        201,
        { merchantId: merchant.id, domain: `localhost:${port}`, added: [] },
      ]);
      expect(await slotsOf(merchant)).toBe(0);
    },
  );

  test("a port of a host with a free localhost port is not free", async () => {
    const merchant = await registerMerchant(service);
    expect((await add(merchant, "pay.other.com:3000")).body.added).toEqual(["https://pay.other.com:3000"]);
  });

  test("422 MERCHANT_DOMAIN_LIMIT_REACHED for the eleventh additional domain, and nothing is stored", async () => {
    const merchant = await registerMerchant(service);
    await addAll(merchant, ten);
    const answer = await add(merchant, "eleventh.example");
    expect([answer.status, answer.body.error.code]).toEqual([422, "MERCHANT_DOMAIN_LIMIT_REACHED"]);
    expect(await slotsOf(merchant)).toBe(10);
    const check = await service.operator(`/merchants/${merchant.id}/origins/check?origin=https://eleventh.example`);
    expect(check.body.allowed).toBe(false);
  });

  test("a call that adds two origins takes one slot", async () => {
    const merchant = await registerMerchant(service);
    await addAll(merchant, ten);
    const [{ count }] = (await service.db.query<{ count: number }>(
      "select count(*) as count from merchant_origins where merchant_id = $1",
      [merchant.id],
    )) as [{ count: number }];
    expect(count).toBe(22);
  });

  test("with all slots taken, what is whitelisted or free still answers 201", async () => {
    const merchant = await registerMerchant(service, { domain: "primary.org" });
    await addAll(merchant, ten);
    for (const domain of ["shop3.example", "www.shop3.example", "primary.org", "localhost:3000"]) {
      const answer = await add(merchant, domain);
      expect([answer.status, answer.body.added], domain).toEqual([201, []]);
    }
  });

  test("two merchants may whitelist the same domain, each with its own slots", async () => {
    const [one, two] = [await registerMerchant(service), await registerMerchant(service)];
    expect((await add(one, "both.com")).body.added).toHaveLength(2);
    expect((await add(two, "both.com")).body.added).toHaveLength(2);
    expect([await slotsOf(one), await slotsOf(two)]).toEqual([1, 1]);
  });

  test("a domain of which one origin is missing gains it without a second slot", async () => {
    const merchant = await registerMerchant(service);
    await addAll(merchant, ten);
    // As when the Public Suffix List did not yet call it an apex.
    await service.db.query("delete from merchant_origins where merchant_id = $1 and origin = $2", [
      merchant.id,
      "https://www.shop3.example",
    ]);
    expect((await add(merchant, "shop3.example")).body.added).toEqual(["https://www.shop3.example"]);
    expect(await slotsOf(merchant)).toBe(10);
  });

  describe("400 VALIDATION_ERROR that names the rule", () => {
    let merchant: Merchant;
    beforeAll(async () => {
      merchant = await registerMerchant(service);
    });

    test.each<[body: unknown, rule: RegExp]>([
      [{}, /domain is required/],
      [{ domain: null }, /domain must be a string/],
      [{ domain: 7 }, /domain must be a string/],
      [{ domain: ["other.com"] }, /domain must be a string/],
      [{ domain: "" }, /domain must be 1 to 255 characters long/],
      [{ domain: `${"a".repeat(252)}.com` }, /domain must be 1 to 255 characters long/],
      [{ domain: "other.com/checkout" }, /path/],
      [{ domain: "https://other.com/" }, /path/],
      [{ domain: "other.com?a=b" }, /query/],
      [{ domain: "ftp://other.com" }, /scheme/],
      [{ domain: "user@other.com" }, /user info/],
      [{ domain: "127.0.0.1:3000" }, /not an IP address/],
      [{ domain: "[::1]" }, /not an IP address/],
      [{ domain: "other" }, /two labels/],
      [{ domain: "co.uk" }, /public suffix/],
      [{ domain: "other.com:" }, /port/],
      [{ domain: "other.com:65536" }, /port/],
      [{ domain: "other.com." }, /dot/],
      [{ domain: "*.other.com" }, /wildcards/],
      [{ domain: "other.com", port: 1 }, /port is not a known field/],
      [[], /body must be an object/],
    ])("%j", async (body, rule) => {
      const answer = await merchant.call("/v1/merchant-domains", { body });
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(answer.body.error.message).toMatch(rule);
    });

    test("no body at all", async () => {
      const answer = await merchant.call("/v1/merchant-domains", { method: "POST" });
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    });

    test("an unknown query parameter", async () => {
      const answer = await merchant.call("/v1/merchant-domains?force=true", { body: { domain: "other.com" } });
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    });
  });

  test("401 without a signature, before the body is looked at", async () => {
    const answer = await service.call("/v1/merchant-domains", { body: { domain: "co.uk" } });
    expect([answer.status, answer.body.error.code]).toEqual([401, "MERCHANT_AUTHORIZATION_MISSING"]);
  });

  test("403 MERCHANT_NOT_ACTIVE before approval", async () => {
    const keys = generateKeys();
    const applied = await service.call("/v1/merchants/applications", {
      body: applicationBody({ publicKey: keys.publicKeyPem }),
    });
    const answer = await add(asMerchant(service, applied.body.merchantId, keys), "other.com");
    expect([answer.status, answer.body.error.code]).toEqual([403, "MERCHANT_NOT_ACTIVE"]);
  });

  test("405 for reading or deleting: the endpoint is add-only", async () => {
    const merchant = await registerMerchant(service);
    for (const method of ["GET", "DELETE"]) {
      const answer = await merchant.call("/v1/merchant-domains", { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  test("nothing is left to do afterwards: no job and nothing unsettled", async () => {
    const merchant = await registerMerchant(service);
    await add(merchant, "tidy.example");
    await expect
      .poll(() => service.db.query("select origin from unsettled_origins where merchant_id = $1", [merchant.id]))
      .toEqual([]);
    await expect.poll(() => service.db.query("select id from outbox where kind = 'registry'")).toEqual([]);
  });
});
