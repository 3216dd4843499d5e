import { randomUUID, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { compressedPem } from "../harness/hostile-keys.ts";
import { type MailServer, startMailServer } from "../harness/mail-server.ts";
import { applicationBody, asMerchant, generateKeys, type KeyPair, proofOf, signPayload } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let mailServer: MailServer;
let service: Service;
let sandbox: Service;
beforeAll(async () => {
  mailServer = await startMailServer();
  service = await startService({ variables: mailServer.variables });
  sandbox = await startService({ environment: "sandbox", variables: mailServer.variables });
});
afterAll(async () => {
  await Promise.all([service.close(), sandbox.close()]);
  await mailServer.close();
});

const READ = "/v1/merchant-deposits";
const send = (body: unknown, at: Service = service) => at.call("/v1/merchants/applications", { body });
const unproven = (keys: KeyPair, change: object = {}) => applicationBody({ publicKey: keys.publicKeyPem, ...change });
const proven = (keys: KeyPair, change: object = {}) => {
  const body = applicationBody({ publicKey: keys.publicKeyPem, ...change });
  return { ...body, proof: proofOf(body, keys.privateKey) };
};
const read = async (applicationId: string, at: Service = service) =>
  (await at.operator(`/applications/${applicationId}`)).body;
const outboxEmpty = (at: Service) =>
  vi.waitFor(async () => expect(await at.db.query("select id from outbox")).toEqual([]), { timeout: 10_000 });
const mailsTo = (recipient: string) => mailServer.mails.filter(({ to }) => to.includes(recipient));
const DUPLICATE = { status: 409, body: { error: { code: "MERCHANT_APPLICATION_DUPLICATE" } } };

describe("POST /v1/merchants/applications with a proof", () => {
  test("202, and operators see that the key is proven", async () => {
    const [with_, without] = [await send(proven(generateKeys())), await send(unproven(generateKeys()))];
    expect([with_.status, without.status]).toEqual([202, 202]);
    expect(await read(with_.body.applicationId)).toMatchObject({ status: "PENDING", proven: true });
    expect(await read(without.body.applicationId)).toMatchObject({ status: "PENDING", proven: false });
  });

  test("is accepted in both encodings, for any form of the key, over the texts as they were sent", async () => {
    for (const encoding of ["der", "ieee-p1363"] as const) {
      const keys = generateKeys();
      const change = {
        publicKey: compressedPem(keys.publicKeyPem),
        domain: "Bücher.Example",
        email: "A.b@Shop.Example",
      };
      const body = applicationBody(change);
      const answer = await send({ ...body, proof: proofOf(body, keys.privateKey, {}, encoding) });
      expect(answer.status, JSON.stringify(answer.body)).toBe(202);
      expect(await read(answer.body.applicationId)).toMatchObject({ proven: true, domain: "xn--bcher-kva.example" });
    }
  });

  const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
  test.each([
    ["another version", { version: "v2" }, "version"],
    ["another purpose", { purpose: "login" }, "purpose"],
    ["another domain", { domain: "other.example" }, "domain"],
    ["the stored spelling of the domain", { domain: "shop.example " }, "domain"],
    ["another email", { email: "other@shop.example" }, "email"],
    ["no purpose", { purpose: undefined }, "purpose"],
    ["no time", { signatureTimestamp: undefined }, "signatureTimestamp"],
    ["an expiry", { expiresAt: at(60_000) }, "expiresAt"],
    ["a bind", { bind: {} }, "bind"],
    ["a merchant id", { merchantId: randomUUID() }, "merchantId"],
    ["a number for a text", { email: 7 }, "email"],
    ["a time without a zone", { signatureTimestamp: "2026-01-01T00:00:00" }, "signatureTimestamp"],
    ["a time 16 minutes ago", { signatureTimestamp: at(-16 * 60_000) }, "signatureTimestamp"],
    ["a time 2 minutes ahead", { signatureTimestamp: at(120_000) }, "signatureTimestamp"],
  ])("400 that names what is wrong: %s", async (_name, change, named) => {
    const keys = generateKeys();
    const body = unproven(keys);
    const answer = await send({ ...body, proof: proofOf(body, keys.privateKey, change) });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } });
    expect(answer.body.error.message).toContain("proof");
    expect(answer.body.error.message).toContain(named);
    expect((await send(body)).status, "nothing was stored").toBe(202);
  });

  test("400 for a proof of another key, of another kind or shape", async () => {
    const keys = generateKeys();
    const body = unproven(keys);
    const good = proofOf(body, keys.privateKey);
    const sealed = (text: string) => {
      const payload = Buffer.from(text).toString("base64url");
      return { payload, signature: sign("sha256", Buffer.from(payload), keys.privateKey).toString("base64url") };
    };
    const now = new Date().toISOString();
    const json = Buffer.from(good.payload, "base64url").toString();
    for (const [name, proof] of Object.entries({
      "another key": proofOf(body, generateKeys().privateKey),
      "an identity payload": sealed(JSON.stringify({ version: "v1", signatureTimestamp: now })),
      "a payment link": sealed(
        JSON.stringify({
          amount: 1,
          chainId: 1,
          address: "0x0",
          token: "0x0",
          idempotencyKey: randomUUID(),
          callbackScheme: null,
          signatureTimestamp: now,
          version: "v1",
        }),
      ),
      "a repeated key": sealed(json.replace("{", '{"domain":"shop.example",')),
      "a repeated key, escaped": sealed(json.replace("{", '{"\\u0064omain":"shop.example",')),
      "an array": sealed("[]"),
      "no JSON": sealed("{"),
      "broken UTF-8": { ...good, payload: Buffer.from([0xff]).toString("base64url") },
      "standard base64": { ...good, signature: `${good.signature.slice(0, -2)}+/` },
      "a changed payload": { ...good, payload: Buffer.from(json.replace("{", "{ ")).toString("base64url") },
      "the JSON itself": { ...good, payload: json },
      "no signature": { payload: good.payload },
      "an empty signature": { ...good, signature: "" },
      "an extra field": { ...good, version: "v1" },
      "a text": good.payload,
      null: null,
      "a long payload": { ...good, payload: "A".repeat(8_193) },
    })) {
      const answer = await send({ ...body, proof });
      expect(answer.status, name).toBe(400);
      expect(answer.body.error.message, name).toContain("proof");
    }
    expect((await send({ ...body, proof: good })).status).toBe(202);
  });

  test("a proof is no credential", async () => {
    const keys = generateKeys();
    const answer = await send(proven(keys), sandbox);
    const content = JSON.parse(Buffer.from(proven(keys).proof.payload, "base64url").toString());
    const header = signPayload(answer.body.merchantId, keys.privateKey, content);
    const refused = await sandbox.call(READ, { headers: { "x-merchant-authorization": header } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain("proof of an application is not a credential");
  });

  test("takes precedence over a pending application without one, which can no longer be approved; its applicant gets a mail", async () => {
    const keys = generateKeys();
    const email = "squatter@elsewhere.example";
    const squatter = await send(unproven(keys, { email, domain: "elsewhere.example" }));
    const owner = await send(proven(keys));
    expect(owner.status).toBe(202);
    const lost = await read(squatter.body.applicationId);
    expect(lost).toMatchObject({ status: "REJECTED", reason: expect.stringContaining("proved") });
    expect((await service.operator(`/merchants/${squatter.body.merchantId}`)).body.status).toBe("REJECTED");
    expect(await service.operator(`/applications/${squatter.body.applicationId}/approve`, { body: {} })).toMatchObject({
      status: 409,
      body: { error: { code: "APPLICATION_ALREADY_DECIDED" } },
    });
    await outboxEmpty(service);
    expect(mailsTo(email)).toHaveLength(1);
    expect(mailsTo(email)[0]?.text).toContain(lost.reason);
    const { items } = (await service.operator(`/audit-log?merchantId=${squatter.body.merchantId}`)).body;
    expect(items).toMatchObject([
      {
        action: "application.reject",
        subject: squatter.body.applicationId,
        actor: expect.stringContaining("matchbook"),
        detail: { provenApplicationId: owner.body.applicationId },
      },
    ]);
    const approved = await service.operator(`/applications/${owner.body.applicationId}/approve`, { body: {} });
    expect(approved.status).toBe(200);
    expect((await asMerchant(service, owner.body.merchantId, keys).call(READ)).status).toBe(200);
    expect((await service.operator("/audit-log/verification")).body.ok).toBe(true);
  });

  test("409 against a proven one, with proof and without; nothing changes", async () => {
    const keys = generateKeys();
    const first = await send(proven(keys));
    expect(await send(proven(keys, { domain: "other.example" }))).toMatchObject(DUPLICATE);
    expect(await send(unproven(keys))).toMatchObject(DUPLICATE);
    expect(await read(first.body.applicationId)).toMatchObject({ status: "PENDING" });
  });

  test("409 without proof against any pending one", async () => {
    const keys = generateKeys();
    await send(unproven(keys));
    expect(await send(unproven(keys))).toMatchObject(DUPLICATE);
  });

  test("of fifty that race at two services, with and without proof, a proven one is left, and one alone", async () => {
    const other = await startService({ database: service.database });
    try {
      const keys = generateKeys();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          send(index % 5 === 3 ? proven(keys) : unproven(keys), index % 2 === 0 ? service : other),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 409]));
      const left = await service.db.query<{ status: string; proven: boolean }>(
        "select status, proven from applications where public_key = $1",
        [keys.publicKeyPem],
      );
      expect(left.filter(({ status }) => status === "PENDING")).toEqual([{ status: "PENDING", proven: true }]);
      expect(left.filter(({ proven: isProven }) => isProven)).toHaveLength(1);
      expect(left).toHaveLength(answers.filter(({ status }) => status === 202).length);
    } finally {
      await other.close();
    }
  });
});

describe("in the sandbox, which approves immediately, an application with proof", () => {
  test("wins over a merchant that registered the key without one: the owner can use the key, the other is suspended", async () => {
    const keys = generateKeys();
    const email = "squatter@sandbox.example";
    const squatter = await send(unproven(keys, { email }), sandbox);
    const owner = await send(proven(keys), sandbox);
    expect(owner).toMatchObject({ status: 202, body: { status: "ACTIVE" } });
    expect((await asMerchant(sandbox, owner.body.merchantId, keys).call(READ)).status).toBe(200);
    expect((await sandbox.operator(`/merchants/${squatter.body.merchantId}`)).body.status).toBe("SUSPENDED");
    expect(
      await sandbox.operator(`/merchants/${squatter.body.merchantId}/reinstate`, { method: "POST" }),
    ).toMatchObject({ status: 409, body: { error: { code: "PUBLIC_KEY_IN_USE" } } });
    const { items } = (await sandbox.operator(`/audit-log?merchantId=${squatter.body.merchantId}`)).body;
    expect(items).toMatchObject([{ action: "merchant.suspend", detail: { reason: expect.any(String) } }]);
    await outboxEmpty(sandbox);
    expect(mailsTo(email)).toEqual([]);
  });

  test("409 against a merchant that proved it, and against one that an operator gave the key to", async () => {
    const keys = generateKeys();
    await send(proven(keys), sandbox);
    expect(await send(proven(keys), sandbox)).toMatchObject(DUPLICATE);
    expect(await send(unproven(keys), sandbox)).toMatchObject(DUPLICATE);

    const given = generateKeys();
    const merchant = await send(unproven(generateKeys()), sandbox);
    const swapped = await sandbox.operator(`/merchants/${merchant.body.merchantId}/public-key`, {
      method: "PUT",
      body: { publicKey: given.publicKeyPem },
    });
    expect(swapped.status).toBe(200);
    expect(await send(proven(given), sandbox)).toMatchObject(DUPLICATE);
  });

  test("of fifty that race, with and without proof, a proven one is active, and one alone", async () => {
    const keys = generateKeys();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(index % 5 === 3 ? proven(keys) : unproven(keys), sandbox)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 409]));
    const active = await sandbox.db.query<{ proven: boolean }>(
      `select a.proven from merchants m join applications a on a.merchant_id = m.id
       where m.public_key = $1 and m.status = 'ACTIVE'`,
      [keys.publicKeyPem],
    );
    expect(active).toEqual([{ proven: true }]);
  });
});
