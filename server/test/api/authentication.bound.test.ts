import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createActive, qualify, submission } from "../harness/campaigns.ts";
import {
  type BoundRequest,
  bindTo,
  generateKeys,
  type Merchant,
  registerMerchant,
  signBound,
  signPayload,
} from "../harness/merchant.ts";
import { exchange, requestText } from "../harness/raw.ts";
import { type Service, startService } from "../harness/service.ts";

const READ = "/v1/merchant-deposits?limit=5&status=completed";
const DOMAINS = "/v1/merchant-domains";

let service: Service;
let merchant: Merchant;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  merchant = await registerMerchant(service);
});
afterAll(() => service.close());

const bound = (request: BoundRequest) => signBound(merchant.id, merchant.keys.privateKey, request);
const now = () => new Date().toISOString();

/** Sends exactly these bytes. */
async function send(method: string, target: string, header: string, body = "", headers: Record<string, string> = {}) {
  const text = requestText(method, target, { "x-merchant-authorization": header, ...headers }, body);
  const answer = await exchange(service.publicUrl, text);
  const error = answer === null || answer.body === "" ? undefined : JSON.parse(answer.body).error;
  return { status: answer?.status, code: error?.code, message: error?.message };
}

const domainsOf = async () =>
  (await service.operator(`/merchants/${merchant.id}/domains`)).body.items.filter(
    ({ isPrimary }: { isPrimary: boolean }) => !isPrimary,
  );

describe("a bound X-Merchant-Authorization", () => {
  test("is accepted for the request it names, with and without a body", async () => {
    expect(await send("GET", READ, bound({ path: READ }))).toMatchObject({ status: 200 });
    const body = '{ "domain": "bound.example" }';
    expect(await send("POST", DOMAINS, bound({ path: DOMAINS, body }), body)).toMatchObject({ status: 201 });
    expect(await send("HEAD", READ, bound({ path: READ, method: "HEAD" }))).toMatchObject({ status: 200 });
  });

  test("may expire earlier, as an unbound one", async () => {
    const content = { version: "v1", signatureTimestamp: now(), bind: bindTo(merchant.id, { path: READ }) };
    const sign = (expiresAt: string) => signPayload(merchant.id, merchant.keys.privateKey, { ...content, expiresAt });
    expect(await send("GET", READ, sign("2099-01-01T00:00:00Z"))).toMatchObject({ status: 200 });
    expect(await send("GET", READ, sign("2020-01-01T00:00:00Z"))).toMatchObject({
      status: 422,
      code: "MERCHANT_AUTHORIZATION_EXPIRED",
    });
  });

  test.each([
    ["environment", { environment: "sandbox" }, /bind\.environment is "sandbox".*"production"/],
    ["merchantId", { merchantId: randomUUID() }, /bind\.merchantId is .* but the envelope's merchantId is /],
    ["method", { method: "POST" }, /bind\.method is "POST" but the request is GET/],
    ["method in lower case", { method: "get" }, /bind\.method is "get" but the request is GET/],
    ["path", { path: "/v1/merchant-users" }, /bind\.path is "\/v1\/merchant-users" but the request target is /],
    ["query", { path: "/v1/merchant-deposits?status=completed&limit=5" }, /bind\.path/],
    ["spelling of the query", { path: "/v1/merchant-deposits?limit=%35&status=completed" }, /bind\.path/],
    ["path without its query", { path: "/v1/merchant-deposits" }, /bind\.path/],
    ["absolute address", { path: `http://test${READ}` }, /bind\.path/],
    ["body", { body: "{}", method: "GET" }, /bind\.bodySha256/],
  ])("422 MERCHANT_SIGNATURE_INVALID that names an untrue %s", async (_name, change, message) => {
    const answer = await send("GET", READ, bound({ path: READ, ...change }));
    expect(answer).toMatchObject({ status: 422, code: "MERCHANT_SIGNATURE_INVALID" });
    expect(answer.message).toMatch(message);
  });

  test("names the first untrue part, in the fixed order", async () => {
    const untrue = { environment: "test", merchantId: "x", method: "PUT", path: "/", body: "x" };
    for (const [part, repaired] of [
      ["environment", { environment: "production" }],
      ["merchantId", { merchantId: merchant.id }],
      ["method", { method: "GET" }],
      ["path", { path: READ }],
    ] as const) {
      expect((await send("GET", READ, bound(untrue))).message).toContain(`bind.${part} `);
      Object.assign(untrue, repaired);
    }
    expect((await send("GET", READ, bound(untrue))).message).toContain("bind.bodySha256 ");
  });

  test("time and signature are checked before what is bound", async () => {
    const content = { version: "v1", bind: bindTo(merchant.id, { path: "/" }) };
    const old = signPayload(merchant.id, merchant.keys.privateKey, {
      ...content,
      signatureTimestamp: "2020-01-01T00:00:00Z",
    });
    expect((await send("GET", READ, old)).code).toBe("MERCHANT_AUTHORIZATION_EXPIRED");
    const forged = signPayload(merchant.id, generateKeys().privateKey, { ...content, signatureTimestamp: now() });
    expect((await send("GET", READ, forged)).message).toContain("does not match the payload");
  });

  test("a stolen header of a read whitelists nothing", async () => {
    const stolen = bound({ path: READ });
    const body = '{"domain":"evil.example"}';
    expect(await send("POST", DOMAINS, stolen, body)).toMatchObject({ status: 422 });
    expect(await domainsOf()).toEqual([]);
  });

  test("a changed body is refused before anything reads it, and changes nothing", async () => {
    const header = bound({ path: DOMAINS, body: '{"domain":"good.example"}' });
    for (const body of ['{"domain":"evil.example"}', '{"domain":"good.example"} ', "{", '{"unknown":1}', "\xff"]) {
      const answer = await send("POST", DOMAINS, header, body);
      expect(answer, body).toMatchObject({ status: 422, code: "MERCHANT_SIGNATURE_INVALID" });
      expect(answer.message).toContain("bind.bodySha256");
    }
    expect(await domainsOf()).toEqual([]);
  });

  test("a missing body is refused, no matter which header says that there is none", async () => {
    const header = bound({ path: DOMAINS, body: '{"domain":"good.example"}' });
    for (const headers of [
      {},
      { "content-length": "0" },
      { "content-type": "application/json", "content-length": "0" },
      { "content-type": "application/json" },
    ]) {
      expect(await send("POST", DOMAINS, header, "", headers), JSON.stringify(headers)).toMatchObject({
        status: 422,
        message: expect.stringContaining("bind.bodySha256"),
      });
    }
    const chunked = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const text = requestText("POST", DOMAINS, { "x-merchant-authorization": header, ...chunked });
    expect((await exchange(service.publicUrl, `${text}0\r\n\r\n`))?.status).toBe(422);
  });

  test("a read that is sent with a body is refused, because the body is not read", async () => {
    for (const [headers, body] of [
      [{}, "hello"],
      [{ "transfer-encoding": "chunked", "content-length": undefined }, "5\r\nhello\r\n0\r\n\r\n"],
    ] as const) {
      const answer = await send("GET", READ, bound({ path: READ }), body, headers as Record<string, string>);
      expect(answer, JSON.stringify(headers)).toMatchObject({ status: 422, code: "MERCHANT_SIGNATURE_INVALID" });
      expect(answer.message).toContain("bind.bodySha256");
    }
  });

  test("a body where none was signed is refused", async () => {
    const header = bound({ path: DOMAINS, method: "POST" });
    expect(await send("POST", DOMAINS, header, '{"domain":"evil.example"}')).toMatchObject({ status: 422 });
    expect(await domainsOf()).toEqual([]);
  });

  test("a submission goes through bound, and is good for one campaign and one body", async () => {
    const wallet = await qualify(service, merchant.id);
    const [campaign, other] = [await createActive(service, merchant.id), await createActive(service, merchant.id)];
    const pathOf = (id: string) => `/v1/marketings/campaigns/${id}/participants`;
    const body = JSON.stringify(submission("user-1", [wallet], 100));
    const header = bound({ path: pathOf(campaign.id), body });
    expect(await send("POST", pathOf(other.id), header, body)).toMatchObject({ status: 422 });
    expect(await send("POST", `${pathOf(campaign.id)}?dryRun=true`, header, body)).toMatchObject({ status: 422 });
    expect(await send("POST", pathOf(campaign.id), header, body.replace("100", "900"))).toMatchObject({ status: 422 });
    expect(await send("POST", pathOf(campaign.id), header, body)).toMatchObject({ status: 201 });
    expect(await send("POST", pathOf(campaign.id), header, body)).toMatchObject({ status: 200 });
  });

  test("400 for a bind of any other structure, before the merchant is looked up", async () => {
    const whole = bindTo(merchant.id, { path: READ });
    const { method: _left, ...without } = whole;
    const text = (bind: string) => `{"version":"v1","signatureTimestamp":"${now()}","bind":${bind}}`;
    const stranger = randomUUID();
    for (const [name, bind] of Object.entries({
      "a missing part": JSON.stringify(without),
      "an extra part": JSON.stringify({ ...whole, host: "x" }),
      "a __proto__": JSON.stringify(whole).replace("{", '{"__proto__":"x",'),
      "a number": JSON.stringify({ ...whole, method: 1 }),
      "a null": JSON.stringify({ ...whole, bodySha256: null }),
      "a list of one": JSON.stringify({ ...whole, path: [READ] }),
      "a repeated part": JSON.stringify(whole).replace("{", '{"method":"GET",'),
      "a repeated part, escaped": JSON.stringify(whole).replace("{", '{"\\u006dethod":"GET",'),
      null: "null",
      "a list": "[]",
      "a string": '"GET /"',
      nothing: "{}",
    })) {
      const answer = await send("GET", READ, signPayload(stranger, merchant.keys.privateKey, text(bind)));
      expect(answer, name).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
      expect(answer.message, name).toMatch(/bind|a key appears twice|payload JSON/);
    }
    const twice = text(JSON.stringify(whole)).replace("{", `{"bind":${JSON.stringify(whole)},`);
    expect((await send("GET", READ, signPayload(stranger, merchant.keys.privateKey, twice))).status).toBe(400);
  });

  test("a payment link stays refused, with a bind too", async () => {
    const link = {
      amount: 10,
      chainId: 8453,
      address: "0x52908400098527886E0F7030069857D2E4169EE7",
      token: "USDC",
      callbackScheme: null,
      idempotencyKey: randomUUID(),
      signatureTimestamp: now(),
      version: "v1",
      bind: bindTo(merchant.id, { path: READ }),
    };
    const answer = await send("GET", READ, signPayload(merchant.id, merchant.keys.privateKey, link));
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining("payment link") });
  });

  test("the digest is base64url without padding, and no other spelling", async () => {
    const bind = bindTo(merchant.id, { path: READ });
    const empty = createHash("sha256").update("").digest();
    for (const bodySha256 of [
      `${bind.bodySha256}=`,
      empty.toString("base64"),
      empty.toString("hex"),
      "",
      bind.bodySha256.toLowerCase(),
    ]) {
      const content = { version: "v1", signatureTimestamp: now(), bind: { ...bind, bodySha256 } };
      const answer = await send("GET", READ, signPayload(merchant.id, merchant.keys.privateKey, content));
      expect(answer, bodySha256).toMatchObject({ status: 422 });
    }
  });
});

describe("PATCH /operator/v1/merchants/{merchantId} requireBoundSignatures", () => {
  const edit = (body: unknown) => service.operator(`/merchants/${merchant.id}`, { method: "PATCH", body });

  test("unbound headers get 422 that says so, in every process once answered; bound ones go on", async () => {
    const second = await startService({ database: service.database });
    try {
      const unbound = () => merchant.call(READ);
      const elsewhere = () =>
        fetch(second.publicUrl + READ, {
          headers: {
            "x-merchant-authorization": signPayload(merchant.id, merchant.keys.privateKey, {
              version: "v1",
              signatureTimestamp: now(),
            }),
          },
        });
      expect((await unbound()).status).toBe(200);
      expect((await elsewhere()).status).toBe(200);
      const edited = await edit({ requireBoundSignatures: true });
      expect(edited.body).toMatchObject({ merchantId: merchant.id, requireBoundSignatures: true });
      const [here, there] = await Promise.all([unbound(), elsewhere()]);
      expect(there.status).toBe(422);
      expect(here).toMatchObject({ status: 422, body: { error: { code: "MERCHANT_SIGNATURE_INVALID" } } });
      expect(here.body.error.message).toMatch(/requires bound signatures.*bind/);
      expect(await send("GET", READ, bound({ path: READ }))).toMatchObject({ status: 200 });
    } finally {
      await second.close();
    }
  });

  test("is off at first, is switched on and off, and leaves one audit row for each change", async () => {
    expect((await service.operator(`/merchants/${merchant.id}`)).body.requireBoundSignatures).toBe(false);
    for (const value of [true, true, false, false]) {
      expect((await edit({ requireBoundSignatures: value })).body.requireBoundSignatures).toBe(value);
    }
    expect((await merchant.call(READ)).status).toBe(200);
    const { items } = (await service.operator(`/audit-log?merchantId=${merchant.id}`)).body;
    const rows = items.filter(({ action }: { action: string }) => action === "merchant.require-bound");
    expect(rows.map(({ detail }: { detail: object }) => detail)).toEqual([
      { from: true, to: false },
      { from: false, to: true },
    ]);
  });

  test("goes with a new name in one call, and alone leaves the name", async () => {
    const both = await edit({ displayName: "Careful Shop", requireBoundSignatures: true });
    expect(both.body).toMatchObject({ displayName: "Careful Shop", requireBoundSignatures: true });
    expect((await edit({ requireBoundSignatures: false })).body.displayName).toBe("Careful Shop");
    for (const body of [{}, { requireBoundSignatures: null }, { requireBoundSignatures: "true" }]) {
      expect((await edit(body)).status, JSON.stringify(body)).toBe(400);
    }
  });

  test("a forged unbound header learns nothing of the switch", async () => {
    await edit({ requireBoundSignatures: true });
    const forged = signPayload(merchant.id, generateKeys().privateKey, { version: "v1", signatureTimestamp: now() });
    expect((await send("GET", READ, forged)).message).toContain("does not match the payload");
  });
});
