import { sign as signBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Service, startService } from "../../server/test/harness/service.ts";
import {
  AUTHORIZATION_HEADER,
  createSigner,
  explainHeader,
  generateKeyPair,
  type KeyPair,
  Matchbook,
  type MatchbookOptions,
  type SignedPaymentLink,
  signApplicationProof,
  verifyPaymentLink,
} from "../src/index.ts";

// Tests the SDK against the real service.

let service: Service;
let keys: KeyPair;
let merchantId: string;
let applicationId: string;
let link: SignedPaymentLink;

beforeAll(async () => {
  service = await startService();
  keys = await generateKeyPair();
  const application = {
    email: "payments@shop.example",
    domain: "shop.example",
    publicKey: keys.publicKey,
    description: "A shop that takes stablecoin deposits.",
  };
  const { privateKey } = keys;
  const connection = { baseUrl: service.publicUrl, privateKey };
  ({ merchantId, applicationId } = await Matchbook.applications.create(application, connection));
  const signer = createSigner({
    merchantId,
    privateKey: keys.privateKey,
    chains: [8453],
    tokens: ["USDC"],
    confirmDestination: () => true,
  });
  const body = JSON.stringify({ amount: 20, chainId: 8453, address: "0x1", token: "USDC" });
  const headers = { "content-type": "application/json" };
  const answer = await signer(new Request("https://shop.example/sign", { method: "POST", headers, body }));
  link = (await answer.json()) as SignedPaymentLink;
});
afterAll(() => service.close());

const verify = () => verifyPaymentLink({ link, baseUrl: service.publicUrl });
const clientOf = (options: object = {}) =>
  new Matchbook({ baseUrl: service.publicUrl, merchantId, privateKey: keys.privateKey, ...options });

describe("before the approval", () => {
  test("a link of the reserved id is MERCHANT_NOT_REGISTERED", async () => {
    expect(await verify()).toMatchObject({ ok: false, code: "MERCHANT_NOT_REGISTERED" });
  });

  test("a signed call is MERCHANT_NOT_ACTIVE", async () => {
    await expect(clientOf().deposits.list().page()).rejects.toMatchObject({ code: "MERCHANT_NOT_ACTIVE", status: 403 });
  });

  test("a repeated application is MERCHANT_APPLICATION_DUPLICATE", async () => {
    const again = Matchbook.applications.create(
      {
        email: "payments@shop.example",
        domain: "shop.example",
        publicKey: keys.publicKey,
        description: "The same shop, which applies once more.",
      },
      { baseUrl: service.publicUrl, privateKey: keys.privateKey },
    );
    await expect(again).rejects.toMatchObject({ code: "MERCHANT_APPLICATION_DUPLICATE", status: 409 });
  });
});

describe("after the approval", () => {
  beforeAll(async () => {
    const approved = await service.operator(`/applications/${applicationId}/approve`, { body: {} });
    expect(approved.status).toBe(200);
  });

  test("the same link verifies with the key that the service answers", async () => {
    expect(await verify()).toMatchObject({ ok: true, merchantId, payment: { amount: 20 } });
  });

  test("the link is refused as a header, and the doctor says why", async () => {
    const { preview: _preview, ...envelope } = link;
    const header = Buffer.from(JSON.stringify(envelope)).toString("base64");
    const answer = await service.call("/v1/merchant-deposits", { headers: { "x-merchant-authorization": header } });
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    const { publicKey } = await clientOf().publicKey.get();
    expect(await explainHeader(header, { merchantId, publicKey })).toMatchObject({
      code: "VALIDATION_ERROR",
      problem: expect.stringContaining("payment link"),
    });
  });

  test("a clock an hour behind is named as the cause", async () => {
    const late = clientOf({ clock: () => Date.now() - 3_600_000 });
    await expect(late.deposits.list().page()).rejects.toMatchObject({
      code: "MERCHANT_AUTHORIZATION_EXPIRED",
      message: expect.stringMatching(/clock of this machine is 3\d{3} s behind the server's/),
    });
  });

  test("production has no test helpers", async () => {
    await expect(clientOf().sandbox.createCampaign()).rejects.toMatchObject({ code: "ROUTE_NOT_FOUND", status: 404 });
  });

  test("a suspended merchant's links are refused", async () => {
    expect((await service.operator(`/merchants/${merchantId}/suspend`, { body: {} })).status).toBe(200);
    expect(await verify()).toMatchObject({ ok: false, code: "MERCHANT_NOT_REGISTERED" });
  });
});

describe("bound signatures", () => {
  let boundKeys: KeyPair;
  let boundId: string;
  beforeAll(async () => {
    boundKeys = await generateKeyPair();
    boundId = await registerWith(boundKeys, "bound.example");
  });

  async function registerWith({ privateKey, publicKey }: KeyPair, domain: string): Promise<string> {
    const receipt = await Matchbook.applications.create(
      { email: "payments@shop.example", domain, publicKey, description: "A shop that binds its requests." },
      { baseUrl: service.publicUrl, privateKey },
    );
    expect((await service.operator(`/applications/${receipt.applicationId}/approve`, { body: {} })).status).toBe(200);
    return receipt.merchantId;
  }

  const boundClient = (options: Partial<Omit<MatchbookOptions, "privateKey" | "sign">> = {}) =>
    new Matchbook({ baseUrl: service.publicUrl, merchantId: boundId, privateKey: boundKeys.privateKey, ...options });

  /** What one call of the client sends. */
  async function capture(make: (client: Matchbook) => Promise<unknown>) {
    const sent: { header: string; body: string }[] = [];
    const observe: typeof fetch = async (url, init) => {
      const header = new Headers(init?.headers).get(AUTHORIZATION_HEADER) ?? "";
      sent.push({ header, body: String(init?.body ?? "") });
      return fetch(url, init);
    };
    await make(boundClient({ fetch: observe }));
    return sent[0] ?? { header: "", body: "" };
  }

  const replay = (path: string, header: string, options: { method?: string; body?: string } = {}) =>
    service.call(path, { ...options, headers: { "x-merchant-authorization": header } });

  test.each(["der", "ieee-p1363"] as const)("the service accepts a sign callback's %s", async (dsaEncoding) => {
    const sign = async (bytes: Uint8Array) => signBytes("sha256", bytes, { key: boundKeys.privateKey, dsaEncoding });
    const client = new Matchbook({ baseUrl: service.publicUrl, merchantId: boundId, sign });
    expect((await client.deposits.list().page()).items).toEqual([]);
  });

  test("a captured header repeats its own call, and makes no other", async () => {
    const { header, body } = await capture((client) => client.domains.add("pay.bound.example"));
    const again = await replay("/v1/merchant-domains", header, { body });
    expect([again.status, again.body.added]).toEqual([201, []]);

    const others: [string, { method?: string; body?: string }, string][] = [
      ["/v1/merchant-domains", { body: '{"domain":"evil.example"}' }, "bind.bodySha256"],
      ["/v1/merchant-domains", { body: `${body} ` }, "bind.bodySha256"],
      ["/v1/merchant-domains?a=1", { body }, "bind.path"],
      ["/v1/marketings/campaigns/c/participants", { body }, "bind.path"],
      ["/v1/merchant-deposits", {}, "bind.method"],
    ];
    for (const [path, options, part] of others) {
      const { status, body: answer } = await replay(path, header, options);
      expect([status, answer.error.code], path).toEqual([422, "MERCHANT_SIGNATURE_INVALID"]);
      expect(answer.error.message).toContain(part);
    }
  });

  test("a captured read works for its own path and query only", async () => {
    const { header } = await capture((client) => client.deposits.list({ limit: 5 }).page());
    expect((await replay("/v1/merchant-deposits?limit=5", header)).status).toBe(200);
    for (const path of ["/v1/merchant-deposits?limit=6", "/v1/merchant-deposits", "/v1/merchant-users?limit=5"]) {
      const { status, body } = await replay(path, header);
      expect([status, body.error.code], path).toEqual([422, "MERCHANT_SIGNATURE_INVALID"]);
      expect(body.error.message).toContain("bind.path");
    }
  });

  test("every kind of call is accepted: queries that need escapes, dry runs, bodies beyond ASCII, long lists of wallets", async () => {
    const client = boundClient({ environment: "production", retries: 0 });
    expect((await client.deposits.list({ createdAfter: "2026-01-01T00:00:00+02:00" }).page()).items).toEqual([]);
    const addresses = Array.from({ length: 120 }, (_, index) => `0x${String(index).padStart(40, "0")}`);
    const missing = { code: "CAMPAIGN_NOT_FOUND" };
    await expect(client.campaigns.qualifiedWallets.check(crypto.randomUUID(), addresses)).rejects.toMatchObject(
      missing,
    );
    const submission = {
      merchantUserId: "händler ☂ \ud83d\ude00",
      wallets: [{ address: "0x1", chain: { id: 1 } }],
      amount: { amount: "1", currency: "USDC", decimalPlaces: 6 },
    } as const;
    const id = crypto.randomUUID();
    await expect(client.participants.submit(id, submission as never)).rejects.toMatchObject(missing);
    await expect(client.participants.dryRun(id, submission as never)).rejects.toMatchObject(missing);
    const user = { merchantUserId: "a b&c=d/?#'é☂" };
    await expect(client.participants.get(id, user)).rejects.toMatchObject(missing);
    expect((await client.domains.add("händler.example")).added).toHaveLength(2);
  });

  test("the environment is learned in the sandbox; a wrong one is explained", async () => {
    const sandbox = await startService({ environment: "sandbox" });
    onTestFinished(() => sandbox.close());
    const { privateKey, publicKey } = await generateKeyPair();
    const { merchantId: id } = await Matchbook.applications.create(
      { email: "payments@shop.example", domain: "shop.example", publicKey, description: "A shop in the sandbox." },
      { baseUrl: sandbox.publicUrl, privateKey },
    );
    const open = (options: Partial<Omit<MatchbookOptions, "privateKey" | "sign">>) =>
      new Matchbook({ baseUrl: sandbox.publicUrl, merchantId: id, privateKey, retries: 0, ...options });
    for (const options of [{}, { environment: "sandbox" }, { bind: false }] as const) {
      expect(await open(options).sandbox.createCampaign(), JSON.stringify(options)).toMatchObject({ status: "ACTIVE" });
    }
    await expect(open({ environment: "production" }).campaigns.list().page()).rejects.toMatchObject({
      status: 422,
      code: "MERCHANT_SIGNATURE_INVALID",
      message: expect.stringMatching(/bind\.environment.*set environment to "sandbox"/s),
    });
  });

  test("a merchant that requires bound signatures can use the SDK; unbound ones are refused with a hint", async () => {
    const own = await generateKeyPair();
    const id = await registerWith(own, "strict.example");
    const open = (options: Partial<Omit<MatchbookOptions, "privateKey" | "sign">> = {}) =>
      new Matchbook({ baseUrl: service.publicUrl, merchantId: id, privateKey: own.privateKey, retries: 0, ...options });
    expect((await open({ bind: false }).deposits.list().page()).items).toEqual([]);
    const body = { requireBoundSignatures: true };
    expect((await service.operator(`/merchants/${id}`, { method: "PATCH", body })).status).toBe(200);
    expect((await open().deposits.list().page()).items).toEqual([]);
    await expect(open({ bind: false }).deposits.list().page()).rejects.toMatchObject({
      code: "MERCHANT_SIGNATURE_INVALID",
      message: expect.stringContaining("bind"),
    });
  });
});

describe("the proof of an application", () => {
  const description = "A shop whose key somebody else sent.";

  test("wins over a stranger's application with the same key", async () => {
    const { privateKey, publicKey } = await generateKeyPair();
    const stranger = { email: "me@evil.example", domain: "evil.example", publicKey, description };
    const taken = await Matchbook.applications.create(stranger, { baseUrl: service.publicUrl, privateKey: null });
    expect(taken.status).toBe("PENDING");
    const owner = { email: "you@shop.example", domain: "owner.example", publicKey, description };
    const receipt = await Matchbook.applications.create(owner, { baseUrl: service.publicUrl, privateKey });
    expect(receipt.status).toBe("PENDING");
    expect(receipt.merchantId).not.toBe(taken.merchantId);
  });

  test("is refused with another key than the application's, and for another email", async () => {
    const [one, other] = [await generateKeyPair(), await generateKeyPair()];
    const application = { email: "you@shop.example", domain: "shop.example", publicKey: one.publicKey, description };
    const connection = { baseUrl: service.publicUrl, retries: 0 };
    const wrongKey = Matchbook.applications.create(application, { ...connection, privateKey: other.privateKey });
    await expect(wrongKey).rejects.toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
    const proof = await signApplicationProof({ ...application, privateKey: one.privateKey });
    const captured = { ...application, email: "me@evil.example", proof };
    const stolen = Matchbook.applications.create(captured, { ...connection, privateKey: null });
    await expect(stolen).rejects.toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
  });
});
