import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compressedPem } from "../harness/hostile-keys.ts";
import { applicationBody, asMerchant, generateKeys, registerMerchant } from "../harness/merchant.ts";
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

const swap = (id: string, body: object, at: Service = service) =>
  at.operator(`/merchants/${id}/public-key`, { method: "PUT", body });
const apply = (publicKey: string) =>
  service.call("/v1/merchants/applications", { body: applicationBody({ publicKey }) });
const RETIRED = { status: 409, body: { error: { code: "PUBLIC_KEY_RETIRED" } } };

/** A merchant whose first key was swapped out. */
async function swapped() {
  const merchant = await registerMerchant(service);
  const keys = generateKeys();
  expect((await swap(merchant.id, { publicKey: keys.publicKeyPem })).status).toBe(200);
  return { id: merchant.id, old: merchant.keys, keys };
}

// A swap waits until it applies everywhere, so these tests wait side by side.
describe.concurrent("a key that was swapped out", () => {
  test("cannot come back to its merchant, in any form", async () => {
    const { id, old, keys } = await swapped();
    for (const publicKey of [old.publicKeyPem, compressedPem(old.publicKeyPem)]) {
      expect(await swap(id, { publicKey })).toMatchObject(RETIRED);
      expect(await swap(id, { publicKey, allowRetired: false })).toMatchObject(RETIRED);
    }
    expect((await service.operator(`/merchants/${id}`)).body.publicKey).toBe(keys.publicKeyPem);
  });

  test("cannot go to another merchant by a swap", async () => {
    const { old } = await swapped();
    const other = await registerMerchant(service);
    expect(await swap(other.id, { publicKey: old.publicKeyPem })).toMatchObject(RETIRED);
  });

  test("cannot be applied with, and nothing is stored", async () => {
    const { old } = await swapped();
    for (const publicKey of [old.publicKeyPem, compressedPem(old.publicKeyPem)]) {
      expect(await apply(publicKey)).toMatchObject(RETIRED);
    }
    const rows = await service.db.query("select from applications where public_key = $1", [old.publicKeyPem]);
    expect(rows).toHaveLength(1);
  });

  test("cannot be approved by an application that came before the swap", async () => {
    const merchant = await registerMerchant(service);
    const waiting = await apply(merchant.keys.publicKeyPem);
    expect(waiting.status).toBe(202);
    expect((await swap(merchant.id, { publicKey: generateKeys().publicKeyPem })).status).toBe(200);
    const path = `/applications/${waiting.body.applicationId}`;
    expect(await service.operator(`${path}/approve`, { body: {} })).toMatchObject(RETIRED);
    expect((await service.operator(path)).body.status).toBe("PENDING");
    expect((await service.operator(`${path}/reject`, { body: { reason: "Retired." } })).status).toBe(200);
    expect(await service.operator(`${path}/approve`, { body: {} })).toMatchObject({
      body: { error: { code: "APPLICATION_ALREADY_DECIDED" } },
    });
  });

  test("comes back when the operator says so in the call, which the log shows, and is retired again by the next swap", async () => {
    const { id, old, keys } = await swapped();
    const answer = await swap(id, { publicKey: old.publicKeyPem, allowRetired: true });
    expect(answer).toMatchObject({ status: 200, body: { publicKey: old.publicKeyPem } });
    expect((await asMerchant(service, id, old).call("/v1/merchant-deposits")).status).toBe(200);
    const { items } = (await service.operator(`/audit-log?merchantId=${id}`)).body;
    expect(items[0]).toMatchObject({ action: "merchant.rotate-key", detail: { allowRetired: true } });
    expect(items[1].detail).not.toHaveProperty("allowRetired");
    expect(await swap(id, { publicKey: keys.publicKeyPem })).toMatchObject(RETIRED);
    expect((await swap(id, { publicKey: generateKeys().publicKeyPem })).status).toBe(200);
    expect(await swap(id, { publicKey: old.publicKeyPem })).toMatchObject(RETIRED);
  });

  test("allowRetired is of no account for a key that was never retired", async () => {
    const merchant = await registerMerchant(service);
    expect((await swap(merchant.id, { publicKey: generateKeys().publicKeyPem, allowRetired: true })).status).toBe(200);
    const { items } = (await service.operator(`/audit-log?merchantId=${merchant.id}`)).body;
    expect(items[0].detail).not.toHaveProperty("allowRetired");
    for (const allowRetired of [null, "true", 1]) {
      const body = { publicKey: generateKeys().publicKeyPem, allowRetired };
      expect((await swap(merchant.id, body)).status).toBe(400);
    }
  });

  test("the present key again is no swap, and retires nothing", async () => {
    const merchant = await registerMerchant(service);
    const { publicKeyPem } = merchant.keys;
    expect((await swap(merchant.id, { publicKey: publicKeyPem })).status).toBe(200);
    expect((await merchant.call("/v1/merchant-deposits")).status).toBe(200);
    const rows = await service.db.query("select from retired_public_keys where merchant_id = $1", [merchant.id]);
    expect(rows).toEqual([]);
  });

  test("is not had by anybody who races for it while it is swapped out, suspended or not", async () => {
    for (const isSuspended of [false, true]) {
      const [holder, racer] = [await registerMerchant(service), await registerMerchant(second)];
      if (isSuspended) await service.operator(`/merchants/${holder.id}/suspend`, { method: "POST" });
      const [out, into] = await Promise.all([
        swap(holder.id, { publicKey: generateKeys().publicKeyPem }, service),
        swap(racer.id, { publicKey: holder.keys.publicKeyPem }, second),
      ]);
      expect(out.status).toBe(200);
      // Before the swap: in use, or free while its holder is suspended. After it: retired.
      const retired = await service.db.query("select retire_date from retired_public_keys where merchant_id = $1", [
        holder.id,
      ]);
      expect(retired).toHaveLength(1);
      if (into.status === 409) expect(into.body.error.code).toMatch(/PUBLIC_KEY_(IN_USE|RETIRED)/);
      else expect([isSuspended, into.status]).toEqual([true, 200]);
    }
  });
});
