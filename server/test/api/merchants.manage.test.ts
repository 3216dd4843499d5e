import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compressedPem, hostileKeys } from "../harness/hostile-keys.ts";
import { applicationBody, generateKeys, registerMerchant } from "../harness/merchant.ts";
import { readPages } from "../harness/pages.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let second: Service;
beforeAll(async () => {
  service = await startService();
  second = await startService({ database: service.database });
});
afterAll(async () => {
  await second.close();
  await service.close();
});

const apply = async (change: Record<string, unknown> = {}) =>
  (await service.call("/v1/merchants/applications", { body: applicationBody(change) })).body;
const read = async (id: string) => (await service.operator(`/merchants/${id}`)).body;
const act = (id: string, action: "suspend" | "reinstate", body?: unknown) =>
  service.operator(`/merchants/${id}/${action}`, { method: "POST", body });
const rename = (id: string, body: unknown) => service.operator(`/merchants/${id}`, { method: "PATCH", body });
const rotate = (id: string, publicKey: unknown, at: Service = service) =>
  at.operator(`/merchants/${id}/public-key`, { method: "PUT", body: { publicKey } });
const auditRows = async (subject: string) =>
  (await service.db.query("select 1 from audit_log where subject = $1", [subject])).length;

const UNKNOWN = "0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01";

describe("GET /operator/v1/merchants", () => {
  test("every merchant once, newest first, with any page size; each can be read by its id", async () => {
    const listed = await startService();
    try {
      const ids: string[] = [];
      for (let turn = 0; turn < 5; turn++) {
        const { body } = await listed.call("/v1/merchants/applications", { body: applicationBody() });
        ids.unshift(body.merchantId);
      }
      for (const limit of [1, 2, 4, 5, 6, 100]) {
        const pages = await readPages(listed, "/merchants", limit);
        expect(
          pages.flat().map(({ merchantId }) => merchantId),
          `limit ${limit}`,
        ).toEqual(ids);
      }
      const [[newest]] = (await readPages(listed, "/merchants", 1)) as [[unknown]];
      expect((await listed.operator(`/merchants/${ids[0]}`)).body).toEqual(newest);
      expect(newest).toEqual({
        merchantId: ids[0],
        displayName: "shop.example",
        algorithm: "ECDSA_P256_SHA256",
        status: "PENDING",
        publicKey: expect.stringContaining("BEGIN PUBLIC KEY"),
        keyFingerprint: expect.any(String),
        requireBoundSignatures: false,
        rateLimit: null,
        email: "payments@shop.example",
        domain: "shop.example",
        createDate: expect.stringMatching(/Z$/),
        updateDate: expect.stringMatching(/Z$/),
      });
    } finally {
      await listed.close();
    }
  });

  test("404 MERCHANT_NOT_FOUND for unknown and malformed ids, in every call", async () => {
    const body = { publicKey: generateKeys().publicKeyPem };
    for (const id of [UNKNOWN, "not-a-uuid", "%00", `${UNKNOWN}0`, "a".repeat(300)]) {
      const answers = [
        await service.operator(`/merchants/${id}`),
        await rename(id, { displayName: "Shop" }),
        await act(id, "suspend"),
        await act(id, "reinstate"),
        await service.operator(`/merchants/${id}/public-key`, { method: "PUT", body }),
      ];
      for (const answer of answers) {
        expect(answer.status, id).toBe(404);
        expect(answer.body.error.code, id).toBe("MERCHANT_NOT_FOUND");
      }
    }
  });
});

describe("PATCH /operator/v1/merchants/{merchantId}", () => {
  test("200 with the new name, in every status", async () => {
    const { merchantId } = await apply();
    const before = await read(merchantId);
    const answer = await rename(merchantId, { displayName: "The Shop" });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...before, displayName: "The Shop", updateDate: answer.body.updateDate });
    expect(await read(merchantId)).toEqual(answer.body);
  });

  test("255 characters fit; the rest is 400 and changes nothing", async () => {
    const { merchantId } = await apply();
    expect((await rename(merchantId, { displayName: "🧨".repeat(255) })).status).toBe(200);
    const before = await read(merchantId);
    for (const body of [
      {},
      { displayName: "" },
      { displayName: "  " },
      { displayName: "n".repeat(256) },
      { displayName: null },
      { displayName: ["n"] },
      { displayName: "Shop", status: "ACTIVE" },
      [],
      "",
    ]) {
      expect((await rename(merchantId, body)).status, JSON.stringify(body)).toBe(400);
    }
    expect(await read(merchantId)).toEqual(before);
  });
});

// Suspending and swapping wait until they apply everywhere, so these tests wait side by side.
describe.concurrent("POST /operator/v1/merchants/{merchantId}/suspend and /reinstate", () => {
  test("a merchant is suspended and reinstated, and calling again changes nothing", async () => {
    const { id } = await registerMerchant(service);
    for (const [action, status] of [
      ["suspend", "SUSPENDED"],
      ["reinstate", "ACTIVE"],
    ] as const) {
      const answer = await act(id, action);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ merchantId: id, status });
      const rows = await auditRows(id);
      const again = await act(id, action, {});
      expect(again.status).toBe(200);
      expect(await read(id)).toEqual(answer.body);
      expect(await auditRows(id)).toBe(rows);
    }
  });

  test("409 MERCHANT_TRANSITION_INVALID for one that was never active", async () => {
    const pending = await apply();
    const rejected = await apply();
    await service.operator(`/applications/${rejected.applicationId}/reject`, { body: { reason: "No." } });
    for (const { merchantId } of [pending, rejected]) {
      const before = await read(merchantId);
      for (const action of ["suspend", "reinstate"] as const) {
        const answer = await act(merchantId, action);
        expect(answer.status).toBe(409);
        expect(answer.body.error.code).toBe("MERCHANT_TRANSITION_INVALID");
      }
      expect(await read(merchantId)).toEqual(before);
    }
  });

  test("400 for a body with anything but a reason in it", async () => {
    const { id } = await registerMerchant(service);
    expect((await act(id, "suspend", { why: "x" })).status).toBe(400);
    expect((await act(id, "suspend", [])).status).toBe(400);
    expect((await read(id)).status).toBe("ACTIVE");
  });

  test("409 PUBLIC_KEY_IN_USE when another merchant took the key meanwhile", async () => {
    const merchant = await registerMerchant(service);
    await act(merchant.id, "suspend");
    await registerMerchant(service, { publicKey: merchant.keys.publicKeyPem });
    const answer = await act(merchant.id, "reinstate");
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe("PUBLIC_KEY_IN_USE");
    expect((await read(merchant.id)).status).toBe("SUSPENDED");
  });
});

describe.concurrent("PUT /operator/v1/merchants/{merchantId}/public-key", () => {
  test("200 with the new key in its canonical form, and another fingerprint", async () => {
    const merchant = await registerMerchant(service);
    const before = await read(merchant.id);
    const { publicKeyPem } = generateKeys();
    const answer = await rotate(merchant.id, ` ${publicKeyPem.replaceAll("\n", "\\n")}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ merchantId: merchant.id, status: "ACTIVE", publicKey: publicKeyPem });
    expect(answer.body.keyFingerprint).not.toBe(before.keyFingerprint);
    expect(await read(merchant.id)).toEqual(answer.body);
  });

  test("the same key again, in any form, changes nothing", async () => {
    const merchant = await registerMerchant(service);
    const before = await read(merchant.id);
    const rows = await auditRows(merchant.id);
    const forms = [before.publicKey, compressedPem(before.publicKey)];
    for (const answer of await Promise.all(forms.map((publicKey) => rotate(merchant.id, publicKey)))) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(before);
    }
    expect(await auditRows(merchant.id)).toBe(rows);
  });

  test("409 PUBLIC_KEY_IN_USE for another active merchant's key, in any form", async () => {
    const merchant = await registerMerchant(service);
    const other = await registerMerchant(service);
    const before = await read(merchant.id);
    for (const publicKey of [other.keys.publicKeyPem, compressedPem(other.keys.publicKeyPem)]) {
      const answer = await rotate(merchant.id, publicKey);
      expect(answer.status).toBe(409);
      expect(answer.body.error.code).toBe("PUBLIC_KEY_IN_USE");
    }
    expect(await read(merchant.id)).toEqual(before);
  });

  test("of two merchants that race for one key, one gets it", async () => {
    const merchant = await registerMerchant(service);
    const other = await registerMerchant(service);
    const { publicKeyPem } = generateKeys();
    const answers = await Promise.all([
      rotate(merchant.id, publicKeyPem, service),
      rotate(other.id, publicKeyPem, second),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe("PUBLIC_KEY_IN_USE");
  });

  test("an approval and a rotation that race for one key: one gets it", async () => {
    const merchant = await registerMerchant(service);
    const { publicKeyPem } = generateKeys();
    const { applicationId } = await apply({ publicKey: publicKeyPem });
    const answers = await Promise.all([
      rotate(merchant.id, publicKeyPem, service),
      second.operator(`/applications/${applicationId}/approve`, { body: {} }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("400 for every hostile key, and the key stays", async () => {
    const merchant = await registerMerchant(service);
    const before = await read(merchant.id);
    for (const { name, pem, pieces } of hostileKeys()) {
      const answer = await rotate(merchant.id, pem);
      expect(answer.status, name).toBe(400);
      const shown = JSON.stringify(answer.body) + service.logged();
      for (const piece of pieces) expect(shown.includes(piece), name).toBe(false);
    }
    for (const publicKey of [undefined, null, 7, "", "A".repeat(4097)]) {
      expect((await rotate(merchant.id, publicKey)).status).toBe(400);
    }
    expect(await read(merchant.id)).toEqual(before);
  });

  test("409 MERCHANT_TRANSITION_INVALID for a rejected merchant, which will never use one", async () => {
    const rejected = await apply();
    await service.operator(`/applications/${rejected.applicationId}/reject`, { body: { reason: "No." } });
    const answer = await rotate(rejected.merchantId, generateKeys().publicKeyPem);
    expect(answer.status).toBe(409);
    expect(answer.body.error.code).toBe("MERCHANT_TRANSITION_INVALID");
  });
});
