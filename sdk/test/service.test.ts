import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "../../server/test/harness/service.ts";
import {
  createSigner,
  explainHeader,
  generateKeyPair,
  type KeyPair,
  Matchbook,
  type SignedPaymentLink,
  verifyPaymentLink,
} from "../src/index.ts";

// What the SDK promises about the service, asked of the service itself.

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

  test("a repeated application is told apart", async () => {
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

  test("a suspended merchant's links are no longer good", async () => {
    expect((await service.operator(`/merchants/${merchantId}/suspend`, { body: {} })).status).toBe(200);
    expect(await verify()).toMatchObject({ ok: false, code: "MERCHANT_NOT_REGISTERED" });
  });
});
