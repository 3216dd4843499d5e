import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationBody, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service, { domain: "primary.example" });
  for (const domain of ["www.shop.com", "localhost:8080", "pay.shop.com:8443"]) {
    await merchant.call("/v1/merchant-domains", { body: { domain } });
  }
});
afterAll(() => service.close());

const list = (query = "") => service.operator(`/merchants/${merchant.id}/domains${query}`);

describe("GET /operator/v1/merchants/{merchantId}/domains", () => {
  test("200 with the primary domain first, then the others as they were added", async () => {
    await expect.poll(async () => (await list()).body.items[0].registryStatus, { timeout: 10_000 }).toBe("REGISTERED");
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(answer.body.nextCursor).toBeNull();
    const common = {
      merchantId: merchant.id,
      registryStatus: "REGISTERED",
      registryError: null,
      createDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    };
    expect(answer.body.items).toEqual([
      {
        ...common,
        domain: "primary.example",
        isPrimary: true,
        origins: ["https://primary.example", "https://www.primary.example"],
      },
      { ...common, domain: "www.shop.com", isPrimary: false, origins: ["https://shop.com", "https://www.shop.com"] },
      { ...common, domain: "localhost:8080", isPrimary: false, origins: ["http://localhost:8080"] },
      { ...common, domain: "pay.shop.com:8443", isPrimary: false, origins: ["https://pay.shop.com:8443"] },
    ]);
  });

  test("pages hold every domain exactly once", async () => {
    const seen: string[] = [];
    let query = "?limit=1";
    for (;;) {
      const { body } = await list(query);
      expect(body.items).toHaveLength(1);
      seen.push(body.items[0].domain);
      if (body.nextCursor === null) break;
      query = `?limit=1&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(["primary.example", "www.shop.com", "localhost:8080", "pay.shop.com:8443"]);
  });

  test("400 for another merchant's cursor, a bad limit and an unknown parameter", async () => {
    const other = await registerMerchant(service);
    const { body } = await list("?limit=1");
    const foreign = await service.operator(`/merchants/${other.id}/domains?limit=1&cursor=${body.nextCursor}`);
    expect(foreign.status).toBe(400);
    expect((await list("?limit=0")).status).toBe(400);
    expect((await list("?domain=shop.com")).status).toBe(400);
  });

  test("200 with no items before approval", async () => {
    const applied = await service.call("/v1/merchants/applications", { body: applicationBody() });
    const answer = await service.operator(`/merchants/${applied.body.merchantId}/domains`);
    expect([answer.status, answer.body]).toEqual([200, { items: [], nextCursor: null }]);
  });

  test.each([randomUUID(), "nobody"])("404 MERCHANT_NOT_FOUND for %s", async (id) => {
    const answer = await service.operator(`/merchants/${id}/domains`);
    expect([answer.status, answer.body.error.code]).toEqual([404, "MERCHANT_NOT_FOUND"]);
  });

  test("what waits to be sent is counted for operators", async () => {
    const metrics = async () => (await service.operator("/../../metrics")).body as string;
    expect(await metrics()).toMatch(/^matchbook_outbox_given_up\{lane="mail"\} 0$/m);
    await expect.poll(metrics, { timeout: 10_000 }).toMatch(/^matchbook_outbox_waiting\{lane="mail"\} 0$/m);
    await service.db.query(
      "insert into outbox (id, kind, payload, attempts, next_attempt_date, create_date) values ($1, 'mail', '{}', 60, null, $2)",
      [randomUUID(), new Date()],
    );
    expect(await metrics()).toMatch(/^matchbook_outbox_given_up\{lane="mail"\} 1$/m);
  });
});
