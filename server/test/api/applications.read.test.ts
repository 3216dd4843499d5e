import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findApplication } from "../../src/registration/queries.ts";
import { compressedPem } from "../harness/hostile-keys.ts";
import { applicationBody, generateKeys, registerMerchant } from "../harness/merchant.ts";
import { scansOf } from "../harness/plans.ts";
import { READERS, statusByRole } from "../harness/roles.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const apply = async (change: Record<string, unknown>) => {
  const answer = await service.call("/v1/merchants/applications", { body: applicationBody(change) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body as { applicationId: string; merchantId: string };
};
const read = async (applicationId: string) => {
  const answer = await service.operator(`/applications/${applicationId}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const inList = async (applicationId: string) =>
  (await service.operator("/applications?limit=100")).body.items.find(
    (item: { applicationId: string }) => item.applicationId === applicationId,
  );
const reject = (id: string) => service.operator(`/applications/${id}/reject`, { body: { reason: "No." } });

describe("GET /operator/v1/applications/{applicationId}", () => {
  test("is the application as the list shows it, warnings included", async () => {
    const { applicationId, merchantId } = await apply({ domain: "alone.example", telegram: "@alone" });
    const application = await read(applicationId);
    expect(application).toMatchObject({ applicationId, merchantId, status: "PENDING", telegram: "alone" });
    expect(application).toMatchObject({ sameKey: [], sameDomain: [] });
    expect(await inList(applicationId)).toEqual(application);
    expect((await service.operator(`/applications/${applicationId.toUpperCase()}`)).body).toEqual(application);
  });

  test("404 for an unknown one, 400 for a parameter, and viewers may look", async () => {
    const { applicationId } = await apply({ domain: "roles.example" });
    for (const unknown of ["0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01", "none"]) {
      const answer = await service.operator(`/applications/${unknown}`);
      expect([answer.status, answer.body.error.code]).toEqual([404, "APPLICATION_NOT_FOUND"]);
    }
    expect((await service.operator(`/applications/${applicationId}?key=1`)).status).toBe(400);
    expect(await statusByRole(service, `/applications/${applicationId}`)).toEqual(READERS);
  });
});

describe("the warnings of an application", () => {
  test("name every merchant with the same key, in any spelling and any status", async () => {
    const { publicKeyPem } = generateKeys();
    const active = await registerMerchant(service, { publicKey: publicKeyPem, domain: "first.example" });
    const refused = await apply({ publicKey: compressedPem(publicKeyPem), domain: "second.example" });
    expect((await read(refused.applicationId)).sameKey).toEqual([
      { merchantId: active.id, displayName: "first.example", status: "ACTIVE" },
    ]);
    expect((await reject(refused.applicationId)).body.sameKey).toHaveLength(1);
    const third = await apply({ publicKey: publicKeyPem, domain: "third.example" });
    const application = await read(third.applicationId);
    expect(application.sameKey).toEqual([
      { merchantId: active.id, displayName: "first.example", status: "ACTIVE" },
      { merchantId: refused.merchantId, displayName: "second.example", status: "REJECTED" },
    ]);
    expect(application.sameDomain).toEqual([]);
    expect(await inList(third.applicationId)).toEqual(application);
  });

  test("name a key that a merchant changed to, and no longer the one it changed from", async () => {
    const [before, after] = [generateKeys(), generateKeys()];
    const merchant = await registerMerchant(service, { publicKey: before.publicKeyPem, domain: "rotated.example" });
    const body = { publicKey: compressedPem(after.publicKeyPem) };
    const old = await apply({ publicKey: before.publicKeyPem, domain: "old.example" });
    expect((await read(old.applicationId)).sameKey).toMatchObject([{ merchantId: merchant.id, status: "ACTIVE" }]);
    await service.operator(`/merchants/${merchant.id}/public-key`, { method: "PUT", body });
    const fresh = await apply({ publicKey: after.publicKeyPem, domain: "fresh.example" });
    expect((await read(old.applicationId)).sameKey).toEqual([]);
    expect((await read(fresh.applicationId)).sameKey).toMatchObject([{ merchantId: merchant.id, status: "ACTIVE" }]);
  });

  test("name every merchant with the same domain as its own or an additional one, with www. or without", async () => {
    const primary = await registerMerchant(service, { domain: "www.wanted.example" });
    const additional = await registerMerchant(service, { domain: "elsewhere.example" });
    const added = await additional.call("/v1/merchant-domains", { body: { domain: "https://wanted.example" } });
    expect(added.status, JSON.stringify(added.body)).toBeLessThan(300);
    await registerMerchant(service, { domain: "not-wanted.example" });
    const pending = await apply({ domain: "WANTED.example" });
    const late = await apply({ domain: "wanted.example" });
    const application = await read(late.applicationId);
    expect(application.sameDomain).toEqual([
      { merchantId: additional.id, displayName: "elsewhere.example", status: "ACTIVE" },
      { merchantId: primary.id, displayName: "www.wanted.example", status: "ACTIVE" },
      { merchantId: pending.merchantId, displayName: "wanted.example", status: "PENDING" },
    ]);
    expect(application.sameKey).toEqual([]);
    expect(await inList(late.applicationId)).toEqual(application);
    const approved = await service.operator(`/applications/${late.applicationId}/approve`, { body: {} });
    expect(approved.body.sameDomain).toEqual(application.sameDomain);
  });

  test("are ten at most, and a flood of refused applications does not hide the active merchant", async () => {
    const merchant = await registerMerchant(service, { domain: "flooded.example" });
    await service.db.query(
      `insert into merchants
         (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
       select gen_random_uuid(), 'flooded.example', 'REJECTED', algorithm, public_key, public_key_point, email, domain,
              create_date + n * interval '1 ms', update_date
       from merchants, generate_series(1, 40) n where id = $1`,
      [merchant.id],
    );
    const { applicationId } = await apply({ domain: "flooded.example", publicKey: merchant.keys.publicKeyPem });
    const { sameKey, sameDomain } = await read(applicationId);
    for (const found of [sameKey, sameDomain]) {
      expect(found).toHaveLength(10);
      expect(found[0]).toMatchObject({ merchantId: merchant.id, status: "ACTIVE" });
    }
  });

  test("are looked up by index, however many merchants there are", async () => {
    await service.db.query(
      `insert into merchants
         (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
       select gen_random_uuid(), 'crowd', 'REJECTED', 'ECDSA_P256_SHA256', 'none', sha256(n::text::bytea) || '\\x00',
              'crowd@shop.example', 'crowd-' || n || '.example', '2026-01-01Z', '2026-01-01Z'
       from generate_series(1, 20000) n`,
    );
    await service.db.query(
      `insert into merchant_domains (merchant_id, domain, slot, create_date)
       select id, 'more-' || domain, 1, create_date from merchants where display_name = 'crowd'`,
    );
    await service.db.query("analyze merchants, merchant_domains, applications");
    const scans = await scansOf(service.database, (db) => findApplication(db, randomUUID()), /^merchant/);
    expect(scans).toHaveLength(4);
    expect(scans.filter((scan) => !/^Index (Only )?Scan/.test(scan))).toEqual([]);
  });
});
