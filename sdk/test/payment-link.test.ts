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

/** Texts that look like another, or like none: spaces, line ends, direction marks, zero widths, other scripts. */
const UNSEEN = [
  "0x1 ",
  " 0x1",
  "0x 1",
  "0x1\n",
  "0x1\t",
  "0x\u202e1",
  "0x\u20661",
  "0x\u200b1",
  "0x\u00a01",
  "0х1",
  "0x1\ufeff",
];
/** Schemes that a browser or a system handles itself. */
const NO_APP_SCHEMES = [
  ...["javascript", "JavaScript", "data", "vbscript", "blob", "file", "filesystem", "about", "view-source"],
  ...["http", "https", "ws", "wss", "ftp", "intent", "content", "chrome-extension", "mailto", "tel"],
];
/** What no parser reads as an http(s) address, or reads only after repairing it. */
const NO_WEB_ADDRESSES = [
  ...[
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
  ],
  ...[
    "blob:https://shop.example/1",
    "about:blank",
    "shopapp://pay",
    "ftp://shop.example/",
    "//shop.example/",
    "/pay",
    "shop.example",
  ],
  ...[
    "https:shop.example",
    "https:/shop.example/",
    "https:///shop.example/",
    "https:\\\\shop.example\\",
    "https://shop.example\\@evil.example/",
  ],
  ...["https://shop.example@evil.example/", "https://user:password@shop.example/", "https://@shop.example/"],
  ...[
    " https://shop.example/",
    "https://shop.example/ ",
    "https://shop.example/\n",
    "https://shop\t.example/",
    "ht\ntps://shop.example/",
  ],
  ...[
    "HTTPS://shop.example/",
    "https://Shop.example/",
    "https://shop.example:443/",
    "https://shop.example:/",
    "https://shop.example?a",
  ],
  ...[
    "https://shop.example/a/../b",
    "https://shop.example/%2e%2e/b",
    "https://shop.example/a b",
    "https://shop.example/ä",
    "https://händler.example/",
  ],
  ...[
    "https://127.1/",
    "https://0x7f000001/",
    "https://shop.example/<script>",
    "https://shop.example/?q=\\",
    'https://shop.example/?q="',
  ],
  ...["https://shop.example/\u202e", "https://%73hop.example/", "https://shop\u3002example/", "https://", "http://"],
];

const { privateKey, publicKey } = await generateKeyPair();

describe("payment links and identities are signed by one key, and neither is accepted as the other", () => {
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
    ["amount", [0, -1, "25.5", null, true, 1e308, 1e21, 1e9 + 1, 1e-7, 5e-324, 0.1 + 0.2, 123456789.1234567]],
    ["chainId", [0, -1, 1.5, "1", 2 ** 53]],
    ["address", ["", 1, "a".repeat(129), "a\0", ...UNSEEN]],
    ["token", ["", null, "a".repeat(129), "\ud800", ...UNSEEN]],
    ["idempotencyKey", ["", "6f1c1d0e-7a37-1b8a-9c43-0d7f5b1f2a11", "6f1c1d0e7a374b8a9c430d7f5b1f2a11", 4]],
    ["callbackScheme", ["", "1shop", "shop:", "shop//", 1, false, "Shop", "shop\n", "shöp", ...NO_APP_SCHEMES]],
    ["signatureTimestamp", ["", "2026-01-15", "2026-01-15T12:00:00", "2026-02-30T12:00:00Z", 1]],
    ["version", ["v2", "", 1, null]],
    ["url", ["", null, 1, `https://shop.example/${"a".repeat(2_049)}`, ...NO_WEB_ADDRESSES]],
  ])("refuses every other %s", (key, values) => {
    for (const value of values) {
      expect(problem(encode({ ...link, [key]: value })), JSON.stringify(value)).toContain(
        `payment link's ${key} must be`,
      );
    }
  });

  test("accepts every amount that a JSON number holds exactly", () => {
    for (const amount of [0.000001, 0.01, 1, 25.5, 10.12345678, 99_999_999.999999, 1_000_000_000]) {
      expect(problem(encode({ ...link, amount })), String(amount)).toBe(null);
    }
  });

  test.each([
    "https://shop.example",
    "https://shop.example/",
    "https://shop.example:8443/pay?order=1&to=%C3%A4#top",
    "http://127.0.0.1:3000/pay",
    "http://[::1]:3000/",
    "https://xn--hndler-bua.example/~a/(b)",
  ])("takes the url %s", (url) => {
    expect(problem(encode({ ...link, url }))).toBe(null);
  });

  test.each(["shopapp", "com.shop.app", "shop+app-2"])("takes the callbackScheme %s", (callbackScheme) => {
    expect(problem(encode({ ...link, callbackScheme }))).toBe(null);
  });

  test.each(["0x1", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "EQDk2VTvn04SUKJrW7rXahzdF8_Qi6utb0wj43InCu9vdjrR"])(
    "takes the address %s",
    (address) => {
      expect(problem(encode({ ...link, address }))).toBe(null);
    },
  );

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
