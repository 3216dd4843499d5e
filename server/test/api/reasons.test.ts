// Why an operator did something: optional, one line, and kept in the audit log with the change.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createActive } from "../harness/campaigns.ts";
import { applicationBody, generateKeys, type Merchant, registerMerchant } from "../harness/merchant.ts";
import { type Answer, type Service, startService } from "../harness/service.ts";

const REASON = "Asked for by Ada, ticket 4711 – “urgent”";

let service: Service;
let merchant: Merchant;
let campaign: { id: string };
beforeAll(async () => {
  service = await startService();
  merchant = await registerMerchant(service);
  campaign = await createActive(service, merchant.id);
});
afterAll(() => service.close());

const newest = async () => (await service.operator("/audit-log?limit=1")).body.items[0];
const query = (reason: string | undefined) =>
  reason === undefined ? "" : `?${new URLSearchParams({ reason }).toString()}`;

/** Each of these changes something when it is called in this order. */
const changes: [action: string, detail: object, change: (reason: string | undefined) => Promise<Answer>][] = [
  [
    "merchant.suspend",
    { from: "ACTIVE", to: "SUSPENDED" },
    (reason) => service.operator(`/merchants/${merchant.id}/suspend`, { body: { reason } }),
  ],
  [
    "merchant.reinstate",
    { from: "SUSPENDED", to: "ACTIVE" },
    (reason) => service.operator(`/merchants/${merchant.id}/reinstate`, { body: { reason } }),
  ],
  [
    "merchant.rotate-key",
    { from: expect.any(String), to: expect.any(String) },
    (reason) =>
      service.operator(`/merchants/${merchant.id}/public-key`, {
        method: "PUT",
        body: { publicKey: generateKeys().publicKeyPem, reason },
      }),
  ],
  [
    "campaign.pause",
    { from: "ACTIVE", to: "PAUSED" },
    (reason) => service.operator(`/campaigns/${campaign.id}/pause`, { body: { reason } }),
  ],
  [
    "campaign.end",
    { from: "PAUSED", to: "ENDED" },
    (reason) => service.operator(`/campaigns/${campaign.id}/end`, { body: { reason } }),
  ],
  [
    "domain.remove",
    { origins: expect.any(Array) },
    async (reason) => {
      await merchant.call("/v1/merchant-domains", { body: { domain: "pay.reasons.example" } });
      return service.operator(`/merchants/${merchant.id}/domains/pay.reasons.example${query(reason)}`, {
        method: "DELETE",
      });
    },
  ],
  [
    "token.revoke",
    { name: "short-lived" },
    async (reason) => {
      const { id } = (await service.operator("/tokens", { body: { name: "short-lived", role: "viewer" } })).body;
      return service.operator(`/tokens/${id}${query(reason)}`, { method: "DELETE" });
    },
  ],
];

describe("an operator's reason", () => {
  test.each(changes)("of %s is in the audit log, beside what was changed", async (action, detail, change) => {
    // Adding a domain needs the key that the rotation replaced, so the merchant signs with the present one.
    if (action === "domain.remove") merchant = await registerMerchant(service, { domain: "reasons.example" });
    const answer = await change(REASON);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    expect(await newest()).toMatchObject({ action, detail: { ...detail, reason: REASON } });
  });

  test("may be left out, and then the log has none", async () => {
    const { id } = await registerMerchant(service);
    expect((await service.operator(`/merchants/${id}/suspend`, { method: "POST" })).status).toBe(200);
    expect(await newest()).toMatchObject({ action: "merchant.suspend", subject: id });
    expect((await newest()).detail).not.toHaveProperty("reason");
  });

  test("400 for one that is empty, blank, too long, of two lines or with a control character; nothing happens", async () => {
    const { id } = await registerMerchant(service);
    const { id: tokenId } = (await service.operator("/tokens", { body: { name: "kept", role: "viewer" } })).body;
    const { id: campaignId } = await createActive(service, id);
    const before = await newest();
    for (const reason of ["", "   ", "r".repeat(1_001), "two\nlines", "a\u0007b", "a\u0085b", "\u001b[31m", 7, null]) {
      for (const [path, method] of [
        [`/merchants/${id}/suspend`, "POST"],
        [`/merchants/${id}/reinstate`, "POST"],
        [`/campaigns/${campaignId}/end`, "POST"],
      ] as const) {
        const answer = await service.operator(path, { method, body: { reason } });
        expect([answer.status, answer.body.error?.code], `${path} ${JSON.stringify(reason)}`).toEqual([
          400,
          "VALIDATION_ERROR",
        ]);
        expect(answer.body.error.message).toMatch(/^reason must be/);
      }
      if (typeof reason === "string") {
        expect((await service.operator(`/tokens/${tokenId}${query(reason)}`, { method: "DELETE" })).status).toBe(400);
      }
    }
    expect(await newest()).toEqual(before);
  });

  test("of 1000 characters of any script is kept whole, in a body and in a query", async () => {
    const long = `${"汉".repeat(999)}!`;
    const { id } = await registerMerchant(service);
    expect((await service.operator(`/merchants/${id}/suspend`, { body: { reason: long } })).status).toBe(200);
    expect((await newest()).detail.reason).toBe(long);
    const { id: tokenId } = (await service.operator("/tokens", { body: { name: "t", role: "viewer" } })).body;
    expect((await service.operator(`/tokens/${tokenId}${query(long)}`, { method: "DELETE" })).status).toBe(204);
    expect((await newest()).detail.reason).toBe(long);
  });

  test("of a rejection may have line breaks, but no other control characters", async () => {
    const rejected = async (reason: string) => {
      const { body } = await service.call("/v1/merchants/applications", {
        body: applicationBody(),
      });
      return service.operator(`/applications/${body.applicationId}/reject`, { body: { reason } });
    };
    expect((await rejected("First.\nSecond.")).status).toBe(200);
    expect((await newest()).detail.reason).toBe("First.\nSecond.");
    expect((await rejected("bell\u0007")).status).toBe(400);
  });
});
