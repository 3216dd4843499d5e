import { createPublicKey } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { applicationBody, generateKeys, registerMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const read = (id: string, headers: Record<string, string> = {}) =>
  service.call(`/v1/merchants/${id}/public-key`, { headers });

describe("GET /v1/merchants/{id}/public-key", () => {
  test("200 with the key of an active merchant, open to every origin and never from a cache unasked", async () => {
    const merchant = await registerMerchant(service);
    const answer = await read(merchant.id, { origin: "https://pay.example" });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      merchantId: merchant.id,
      algorithm: "ECDSA_P256_SHA256",
      publicKey: merchant.keys.publicKeyPem,
    });
    expect(createPublicKey(answer.body.publicKey).asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect(answer.headers.get("etag")).toMatch(/^(W\/)?"[^"]+"$/);
    expect(answer.headers.get("x-request-id")).toBeTruthy();
  });

  test("the id is read in either case, and shown as it was given out", async () => {
    const merchant = await registerMerchant(service);
    const answer = await read(merchant.id.toUpperCase());
    expect(answer.status).toBe(200);
    expect(answer.body.merchantId).toBe(merchant.id);
  });

  test("304 without a body while the key is the one the caller has", async () => {
    const merchant = await registerMerchant(service);
    const etag = (await read(merchant.id)).headers.get("etag") ?? "";
    for (const value of [etag, `"other", ${etag}`, `W/${etag.replace(/^W\//, "")}`, "*"]) {
      const answer = await read(merchant.id, { "if-none-match": value });
      expect(answer.status, value).toBe(304);
      expect(answer.body).toBe("");
      expect(answer.headers.get("etag")).toBe(etag);
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect((await read(merchant.id, { "if-none-match": '"other"' })).status).toBe(200);
    expect((await read(merchant.id, { "if-none-match": "garbage" })).status).toBe(200);
  });

  test("HEAD answers like GET, without the body", async () => {
    const merchant = await registerMerchant(service);
    const answer = await service.call(`/v1/merchants/${merchant.id}/public-key`, { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("etag")).toBe((await read(merchant.id)).headers.get("etag"));
  });

  test("404 MERCHANT_NOT_REGISTERED, byte for byte alike, for everyone who is not active", async () => {
    const apply = async () => (await service.call("/v1/merchants/applications", { body: applicationBody() })).body;
    const pending = await apply();
    const rejected = await apply();
    await service.operator(`/applications/${rejected.applicationId}/reject`, { body: { reason: "No." } });
    const suspended = await registerMerchant(service);
    expect((await service.operator(`/merchants/${suspended.id}/suspend`, { method: "POST" })).status).toBe(200);

    const answers = new Map<string, unknown>();
    for (const [name, id] of Object.entries({
      unknown: "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
      pending: pending.merchantId,
      rejected: rejected.merchantId,
      suspended: suspended.id,
      "the nil UUID": "00000000-0000-0000-0000-000000000000",
      malformed: "not-a-uuid",
      "with braces": "{5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11}",
      "without hyphens": "5f0c9a1e6f2d4f0f9d0a2f1f3b6a7c11",
      "with a NUL": "%00",
      "with a quote": "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c1'",
    })) {
      const response = await fetch(`${service.publicUrl}/v1/merchants/${id}/public-key`);
      const headers = [...response.headers].filter(([header]) => header !== "x-request-id" && header !== "date");
      answers.set(name, { status: response.status, headers, body: await response.text() });
    }
    const [first] = answers.values();
    expect(first).toMatchObject({ status: 404, body: expect.stringContaining('"MERCHANT_NOT_REGISTERED"') });
    expect((first as { headers: unknown[] }).headers).toContainEqual(["access-control-allow-origin", "*"]);
    for (const [name, answer] of answers) expect(answer, name).toEqual(first);
  });

  test("after a rotation the new key is shown immediately, and the old ETag no longer matches", async () => {
    const merchant = await registerMerchant(service);
    const before = await read(merchant.id);
    const { publicKeyPem } = generateKeys();
    const rotated = await service.operator(`/merchants/${merchant.id}/public-key`, {
      method: "PUT",
      body: { publicKey: publicKeyPem },
    });
    expect(rotated.status).toBe(200);
    const after = await read(merchant.id, { "if-none-match": before.headers.get("etag") ?? "" });
    expect(after.status).toBe(200);
    expect(after.body.publicKey).toBe(publicKeyPem);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  test("a suspension hides the key immediately, and reinstating shows it again", async () => {
    const merchant = await registerMerchant(service);
    const etag = (await read(merchant.id)).headers.get("etag") ?? "";
    await service.operator(`/merchants/${merchant.id}/suspend`, { method: "POST" });
    expect((await read(merchant.id, { "if-none-match": etag })).status).toBe(404);
    await service.operator(`/merchants/${merchant.id}/reinstate`, { method: "POST" });
    expect((await read(merchant.id)).body.publicKey).toBe(merchant.keys.publicKeyPem);
  });
});
