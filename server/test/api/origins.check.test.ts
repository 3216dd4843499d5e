import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationBody, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service, { domain: "primary.example" });
  for (const domain of ["shop.com", "pay.other.com:8443", "localhost:8080"]) {
    await merchant.call("/v1/merchant-domains", { body: { domain } });
  }
});
afterAll(() => service.close());

const check = (origin: string, id: string = merchant.id) =>
  service.operator(`/merchants/${id}/origins/check?origin=${encodeURIComponent(origin)}`);

async function tokenOf(role: string): Promise<string> {
  return (await service.operator("/tokens", { body: { name: role, role } })).body.token;
}

describe("GET /operator/v1/merchants/{merchantId}/origins/check", () => {
  test.each([
    ["https://primary.example", true, "Whitelisted by primary.example."],
    ["https://www.primary.example", true, "Whitelisted by primary.example."],
    ["https://www.shop.com", true, "Whitelisted by shop.com."],
    ["https://pay.other.com:8443", true, "Whitelisted by pay.other.com:8443."],
    ["http://localhost:8080", true, "Whitelisted by localhost:8080."],
    ["http://localhost:3000", true, "Localhost on this port is allowed without registration."],
    ["http://shop.com", false, "Https required: shop.com is whitelisted on https:// only."],
  ])("200 for %s", async (origin, allowed, reason) => {
    const answer = await check(origin);
    expect([answer.status, answer.body]).toEqual([200, { allowed, reason }]);
  });

  test.each([
    ["https://shop.com:9000", /^Port not registered/],
    ["http://localhost:4000", /^Port not registered/],
    ["https://pay.shop.com", /^Not this merchant's/],
    ["https://shop.com/", /^Malformed origin/],
    ["null", /^Malformed origin/],
    ["☃ & friends", /^Malformed origin/],
    ["'; drop table merchants; --", /^Malformed origin/],
    ["x".repeat(8_000), /^Malformed origin/],
  ])("200 with allowed false and a reason for %s", async (origin, reason) => {
    const answer = await check(origin);
    expect([answer.status, answer.body.allowed]).toEqual([200, false]);
    expect(answer.body.reason).toMatch(reason);
  });

  test("another merchant's origin is not this merchant's", async () => {
    const other = await registerMerchant(service, { domain: "other.example" });
    expect((await check("https://shop.com", other.id)).body).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/^Not this merchant's/),
    });
    expect((await check("https://other.example")).body.allowed).toBe(false);
  });

  test("nothing is allowed before approval", async () => {
    const applied = await service.call("/v1/merchants/applications", { body: applicationBody() });
    const answer = await check("https://shop.example", applied.body.merchantId);
    expect(answer.body).toEqual({ allowed: false, reason: "Merchant not active: its status is PENDING." });
  });

  test("nothing is allowed while the merchant is suspended, and everything again afterwards", async () => {
    const other = await registerMerchant(service, { domain: "other.example" });
    await service.operator(`/merchants/${other.id}/suspend`, { method: "POST" });
    for (const origin of ["https://other.example", "http://localhost:3000"]) {
      expect((await check(origin, other.id)).body).toEqual({
        allowed: false,
        reason: "Merchant not active: its status is SUSPENDED.",
      });
    }
    await service.operator(`/merchants/${other.id}/reinstate`, { method: "POST" });
    expect((await check("https://other.example", other.id)).body.allowed).toBe(true);
  });

  test.each([randomUUID(), "nobody"])("404 MERCHANT_NOT_FOUND for %s", async (id) => {
    const answer = await check("https://shop.com", id);
    expect([answer.status, answer.body.error.code]).toEqual([404, "MERCHANT_NOT_FOUND"]);
  });

  test.each(["", "?origin=", "?origin=https://a.com&origin=https://b.com", "?origin=https://a.com&page=/"])(
    "400 VALIDATION_ERROR for the query %j",
    async (query) => {
      const answer = await service.operator(`/merchants/${merchant.id}/origins/check${query}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(answer.body.error.message).toMatch(/^(origin|page) /);
    },
  );

  test.each(["operator", "viewer", "ingest"])("a token of the role %s may ask", async (role) => {
    const headers = { authorization: `Bearer ${await tokenOf(role)}` };
    const answer = await service.operator(`/merchants/${merchant.id}/origins/check?origin=https://shop.com`, {
      headers,
    });
    expect([answer.status, answer.body.allowed]).toEqual([200, true]);
  });

  test("an ingest token may neither list nor remove domains, a viewer may list", async () => {
    const as = async (role: string, path: string, method: string) => {
      const headers = { authorization: `Bearer ${await tokenOf(role)}` };
      return (await service.operator(`/merchants/${merchant.id}/domains${path}`, { method, headers })).status;
    };
    expect(await as("ingest", "", "GET")).toBe(403);
    expect(await as("ingest", "/shop.com", "DELETE")).toBe(403);
    expect(await as("viewer", "", "GET")).toBe(200);
    expect(await as("viewer", "/shop.com", "DELETE")).toBe(403);
  });

  test("401 without a token", async () => {
    const headers = { authorization: "" };
    const answer = await service.operator(`/merchants/${merchant.id}/origins/check?origin=https://shop.com`, {
      headers,
    });
    expect(answer.status).toBe(401);
  });

  test("its statement reads nothing but the merchant's own rows, by index", async () => {
    const plan = await service.db.transaction(async (transaction) => {
      // With a handful of rows PostgreSQL would rather read the whole table.
      await transaction.query("select set_config('enable_seqscan', 'off', true)");
      return transaction.query<{ "QUERY PLAN": string }>(
        `explain select m.status, o.origin, o.domain
         from merchants m left join merchant_origins o on o.merchant_id = m.id
         where m.id = $1`,
        [merchant.id],
      );
    });
    const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(text).toContain("merchant_origins_pkey");
    expect(text).not.toContain("Seq Scan");
  });
});
