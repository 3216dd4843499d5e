import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateKeyPair, importPrivateKey, readPaymentLink, signHeader, verifyHeader } from "../src/index.ts";

const link = {
  amount: 25.5,
  chainId: 8453,
  address: "0x52908400098527886E0F7030069857D2E4169EE7",
  token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  idempotencyKey: "6f1c1d0e-7a37-4b8a-9c43-0d7f5b1f2a11",
  callbackScheme: null,
  signatureTimestamp: "2026-01-15T12:00:00.000Z",
  version: "v1",
};
const encode = (content: unknown) =>
  Buffer.from(typeof content === "string" ? content : JSON.stringify(content)).toString("base64url");
const problem = (payload: string) => {
  const reading = readPaymentLink(payload);
  return reading.ok ? null : reading.problem;
};

const { privateKey, publicKey } = await generateKeyPair();

describe("one key signs both, and neither passes for the other", () => {
  test("a signed payment link is refused as a credential", async () => {
    const key = await importPrivateKey(privateKey);
    for (const content of [link, { ...link, url: "https://shop.example/pay" }, { ...link, callbackScheme: "shop" }]) {
      const payload = encode(content);
      expect(readPaymentLink(payload).ok).toBe(true);
      const signature = await crypto.subtle.sign(
        { name: "ECDSA", hash: "SHA-256" },
        key,
        new TextEncoder().encode(payload),
      );
      const envelope = { merchantId: "m", payload, signature: Buffer.from(signature).toString("base64url") };
      const header = Buffer.from(JSON.stringify(envelope)).toString("base64");
      const verdict = await verifyHeader(header, {
        merchantId: "m",
        publicKey,
        now: new Date(link.signatureTimestamp),
      });
      expect(verdict).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
    }
  });

  test("a signed identity is refused as a payment link", async () => {
    for (const expiresAt of [undefined, Date.now() + 60_000]) {
      const header = await signHeader({ merchantId: "m", privateKey, expiresAt });
      expect(await verifyHeader(header, { merchantId: "m", publicKey })).toMatchObject({ status: 200 });
      const { payload } = JSON.parse(Buffer.from(header, "base64").toString());
      expect(problem(payload)).toMatch(/needs the key amount|may not hold the key "expiresAt"/);
    }
  });
});

describe("readPaymentLink", () => {
  test("reads a link, in any order and spacing", () => {
    const reversed = Object.fromEntries(Object.entries(link).reverse());
    expect(readPaymentLink(encode(link))).toEqual({ ok: true, payment: link });
    expect(readPaymentLink(encode(JSON.stringify(reversed, null, 2)))).toEqual({ ok: true, payment: link });
    expect(
      readPaymentLink(
        `${encode(`${JSON.stringify(link)}${" ".repeat((4 - (JSON.stringify(link).length % 3)) % 3)}`)}==`,
      ),
    ).toEqual({ ok: true, payment: link });
  });

  test.each(Object.keys(link))("needs %s", (key) => {
    expect(problem(encode({ ...link, [key]: undefined }))).toBe(`A payment link needs the key ${key}.`);
  });

  test.each([
    ["amount", [0, -1, "25.5", null, true]],
    ["chainId", [0, -1, 1.5, "1", 2 ** 53]],
    ["address", ["", 1, "a".repeat(129), "a\0"]],
    ["token", ["", null, "a".repeat(129), "\ud800"]],
    ["idempotencyKey", ["", "6f1c1d0e-7a37-1b8a-9c43-0d7f5b1f2a11", "6f1c1d0e7a374b8a9c430d7f5b1f2a11", 4]],
    ["callbackScheme", ["", "1shop", "shop:", "shop//", 1, false]],
    ["signatureTimestamp", ["", "2026-01-15", "2026-01-15T12:00:00", "2026-02-30T12:00:00Z", 1]],
    ["version", ["v2", "", 1, null]],
    ["url", ["", null, 1, "a".repeat(2_049)]],
  ])("refuses every other %s", (key, values) => {
    for (const value of values) {
      expect(problem(encode({ ...link, [key]: value })), JSON.stringify(value)).toContain(
        `payment link's ${key} must be`,
      );
    }
  });

  test("refuses an amount beyond every number", () => {
    expect(problem(encode(JSON.stringify(link).replace("25.5", "1e999")))).toContain("finite");
  });

  test.each([
    ["another key", encode({ ...link, memo: "x" }), 'may not hold the key "memo"'],
    ["__proto__", encode(JSON.stringify(link).replace("{", '{"__proto__":null,')), "may not hold the key"],
    ["a repeated key", encode(JSON.stringify(link).replace("{", '{"amount":1,')), "appears twice"],
    ["a nested value", encode({ ...link, token: { symbol: "USDC" } }), "an object or a list"],
    ["a list", encode([link]), "not a JSON object"],
    ["no JSON", encode("amount=1"), "not JSON"],
    ["an empty object", encode({}), "needs the key amount"],
    ["broken UTF-8", Buffer.from([0x22, 0xff, 0x22]).toString("base64url"), "not UTF-8"],
    ["standard base64", "+/+/", "not base64url"],
    ["plain JSON", JSON.stringify(link), "not base64url"],
  ])("refuses %s", (_, payload, expected) => {
    expect(problem(payload)).toContain(expected);
  });

  test("never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.base64String(), fc.jsonValue().map(encode)),
        (payload) => readPaymentLink(payload).ok === false,
      ),
    );
  });
});
