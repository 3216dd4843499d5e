import { createHash, sign as signBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createSigner, explainHeader, generateKeyPair, type KeyPair, signHeader } from "../src/index.ts";

const merchantId = "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f60";
const now = new Date("2026-01-15T12:00:00.000Z");

let keys: KeyPair;
let otherKeys: KeyPair;
let header: string;
beforeAll(async () => {
  keys = await generateKeyPair();
  otherKeys = await generateKeyPair();
  header = await signHeader({ merchantId, privateKey: keys.privateKey, now });
});

const encode = (text: string | Uint8Array) => Buffer.from(text).toString("base64");
const encodeUrl = (text: string | Uint8Array) => Buffer.from(text).toString("base64url");
const explain = (value: string | string[] | undefined, change: object = {}) =>
  explainHeader(value, { merchantId, publicKey: keys.publicKey, now, ...change });

const identity = (change: object = {}) =>
  JSON.stringify({ version: "v1", signatureTimestamp: now.toISOString(), ...change });

interface Making {
  json?: string;
  /** What is signed, made of the payload. */
  data?: (payload: string, json: string) => Uint8Array | string;
  /** The text in the envelope, made of the DER and the P1363 bytes. */
  signature?: (der: Buffer, p1363: Buffer) => string;
  envelope?: object;
}

/** A header made by hand, with one thing done differently. */
function make({ json = identity(), data = (payload) => payload, signature = encodeUrl, envelope = {} }: Making = {}) {
  const payload = encodeUrl(json);
  const bytes = Buffer.from(data(payload, json));
  const der = signBytes("sha256", bytes, keys.privateKey);
  const p1363 = signBytes("sha256", bytes, { key: keys.privateKey, dsaEncoding: "ieee-p1363" });
  return encode(JSON.stringify({ merchantId, payload, signature: signature(der, p1363), ...envelope }));
}

describe("a header that is right", () => {
  test("is accepted, in both encodings", async () => {
    const fine = { ok: true, code: null, problem: null, fix: null, signatureChecked: true };
    for (const value of [header, make(), make({ signature: (_der, p1363) => encodeUrl(p1363) })]) {
      expect(await explain(value)).toEqual(fine);
    }
  });

  test("is accepted as unchecked when the key is not known", async () => {
    expect(await explainHeader(header, { now })).toMatchObject({ ok: true, signatureChecked: false });
  });
});

describe("what cannot be read", () => {
  test.each<[string, () => string | string[] | undefined, RegExp]>([
    ["a missing header", () => undefined, /missing/],
    ["an empty header", () => "", /missing/],
    ["a header sent twice", () => [header, header], /more than once/],
    ["the name before the value", () => `X-Merchant-Authorization: ${header}`, /name/],
    ["a scheme before the value", () => `Bearer ${header}`, /scheme/],
    ["quotes", () => `"${header}"`, /quotes/],
    ["line breaks", () => header.replace(/.{76}/g, "$&\n"), /line breaks/],
    ["percent signs", () => encodeURIComponent(`${header}==`), /percent-encoded/],
    ["a key", () => keys.publicKey, /This is a key/],
    ["JSON that was not encoded", () => Buffer.from(header, "base64").toString(), /was not encoded/],
    ["base64 twice", () => encode(header), /encoded twice/],
    ["a token of another kind", () => "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", /JSON Web Token/],
    ["another text", () => encode("hello"), /not a JSON object/],
    ["a foreign character", () => `${header}!`, /not base64/],
    ["the payload alone", () => encode(identity()), /without its envelope/],
    ["a payload that was not encoded", () => make({ envelope: { payload: identity() } }), /JSON was not encoded/],
    ["a payload as an object", () => make({ envelope: { payload: { version: "v1" } } }), /JSON inside JSON/],
    [
      "a payload encoded twice",
      () => make({ envelope: { payload: encodeUrl(encodeUrl(identity())) } }),
      /payload was .* twice/,
    ],
    ["a time as a number", () => make({ json: identity({ signatureTimestamp: 1768478400 }) }), /is a number/],
    ["a key too many", () => make({ envelope: { alg: "ES256" } }), /"alg"/],
    ["another version", () => make({ json: identity({ version: "v2" }) }), /version/],
    [
      "a signature in standard base64",
      () => make({ signature: () => `${encode("x".repeat(71))}+/==` }),
      /standard base64/,
    ],
  ])("%s is named", async (_name, value, problem) => {
    const explanation = await explain(value());
    expect(explanation).toMatchObject({
      ok: false,
      problem: expect.stringMatching(problem),
      fix: expect.stringMatching(/\w/),
    });
    expect(["VALIDATION_ERROR", "MERCHANT_AUTHORIZATION_MISSING"]).toContain(explanation.code);
  });

  test("a payment link is recognized, with and without its preview", async () => {
    const signer = createSigner({
      merchantId,
      privateKey: keys.privateKey,
      chains: [8453],
      tokens: ["USDC"],
      confirmDestination: () => true,
      clock: () => now,
    });
    const body = JSON.stringify({ amount: 1, chainId: 8453, address: "0x1", token: "USDC" });
    const headers = { "content-type": "application/json" };
    const answer = await signer(new Request("https://shop.example/sign", { method: "POST", headers, body }));
    const { preview, ...link } = (await answer.json()) as { preview: object };
    for (const envelope of [link, { ...link, preview }]) {
      expect(await explain(encode(JSON.stringify(envelope)))).toMatchObject({
        ok: false,
        code: "VALIDATION_ERROR",
        problem: expect.stringContaining("payment link"),
      });
    }
  });
});

describe("the wrong time", () => {
  test.each([
    ["a stale clock", 1_000, "MERCHANT_AUTHORIZATION_EXPIRED", /1000 s behind this clock/],
    ["a clock that is ahead", -200, "MERCHANT_SIGNATURE_TIMESTAMP_INVALID", /200 s ahead of this clock/],
    ["local time written as UTC", -7_190, "MERCHANT_SIGNATURE_TIMESTAMP_INVALID", /time zone/],
    ["local time of a western zone", 5 * 3_600 + 3, "MERCHANT_AUTHORIZATION_EXPIRED", /time zone/],
  ])("%s is named", async (_name, secondsLater, code, problem) => {
    const later = new Date(now.getTime() + secondsLater * 1_000);
    expect(await explain(header, { now: later })).toMatchObject({ code, problem: expect.stringMatching(problem) });
  });

  test("a time without a zone, and one that cannot be read", async () => {
    expect(await explain(make({ json: identity({ signatureTimestamp: "2026-01-15T12:00:00" }) }))).toMatchObject({
      code: "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
      problem: "The time has no zone.",
    });
    expect(await explain(make({ json: identity({ signatureTimestamp: "today" }) }))).toMatchObject({
      code: "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
      problem: expect.stringContaining("cannot be read"),
    });
  });
});

describe("the wrong merchant or key", () => {
  test("a wrong key", async () => {
    expect(await explain(header, { publicKey: otherKeys.publicKey })).toMatchObject({
      code: "MERCHANT_SIGNATURE_INVALID",
      problem: expect.stringContaining("another private key"),
    });
  });

  test("the key, and the id, of the other environment", async () => {
    const otherEnvironment = { merchantId: crypto.randomUUID(), publicKey: keys.publicKey };
    expect(await explain(header, { publicKey: otherKeys.publicKey, otherEnvironment })).toMatchObject({
      code: "MERCHANT_SIGNATURE_INVALID",
      problem: expect.stringContaining("other environment"),
    });
    const theirs = await signHeader({ merchantId: otherEnvironment.merchantId, privateKey: keys.privateKey, now });
    expect(await explain(theirs, { otherEnvironment })).toMatchObject({
      code: "MERCHANT_NOT_REGISTERED",
      problem: expect.stringContaining("other environment"),
    });
    expect(await explain(theirs)).toMatchObject({
      code: "MERCHANT_NOT_REGISTERED",
      fix: expect.stringContaining("sandbox and production"),
    });
  });

  test.each<[string, () => string, RegExp]>([
    ["a cut PEM", () => keys.publicKey.slice(0, 100), /cut off/],
    ["a private key in its place", () => keys.privateKey, /private key/],
    ["a PEM with damaged text", () => keys.publicKey.replace(/M/, "*"), /damaged/],
  ])("a broken key is reported as that: %s", async (_name, publicKey, problem) => {
    expect(await explain(header, { publicKey: publicKey() })).toMatchObject({
      ok: false,
      code: "KEY_INVALID",
      problem: expect.stringMatching(problem),
    });
  });
});

describe("a signature that does not verify", () => {
  const sha256 = (text: string) => createHash("sha256").update(text);

  test.each<[string, Making, RegExp]>([
    ["the raw JSON signed", { data: (_payload, json) => json }, /JSON was signed/],
    ["a line end signed", { data: (payload) => `${payload}\n` }, /line end/],
    ["hashed twice", { data: (payload) => sha256(payload).digest() }, /hashed twice/],
    ["the hash's text signed", { data: (payload) => sha256(payload).digest("hex") }, /hashed twice/],
    ["the standard base64 signed", { data: (_payload, json) => encode(json) }, /encoded again/],
    ["DER in hexadecimal, encoded", { signature: (der) => encodeUrl(der.toString("hex")) }, /hexadecimal text/],
    ["P1363 in hexadecimal, encoded", { signature: (_der, raw) => encodeUrl(raw.toString("hex")) }, /hexadecimal text/],
    ["DER in base64, encoded", { signature: (der) => encodeUrl(encode(der)) }, /twice/],
    ["DER in hexadecimal", { signature: (der) => der.toString("hex") }, /in hexadecimal/],
    ["P1363 in hexadecimal", { signature: (_der, raw) => raw.toString("hex") }, /in hexadecimal/],
    [
      "P1363 framed as DER",
      { signature: (_der, raw) => encodeUrl(Buffer.concat([Buffer.from([0x30, 0x40]), raw])) },
      /put into a DER frame/,
    ],
    ["DER cut to 64 bytes", { signature: (der) => encodeUrl(der.subarray(0, 64)) }, /cut to 64 bytes/],
    [
      "DER with a byte too many",
      { signature: (der) => encodeUrl(Buffer.concat([der, Buffer.from([1])])) },
      /begins like DER/,
    ],
    [
      "a recovery byte",
      { signature: (_der, raw) => encodeUrl(Buffer.concat([raw, Buffer.from([27])])) },
      /recovery byte/,
    ],
    ["an HMAC", { signature: () => encodeUrl(new Uint8Array(32)) }, /HMAC/],
    ["an RSA signature", { signature: () => encodeUrl(new Uint8Array(256)) }, /RSA/],
    ["an empty signature", { signature: () => "" }, /neither DER nor/],
  ])("%s is named", async (_name, making, problem) => {
    const explanation = await explain(make(making));
    expect(explanation).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
    // A hexadecimal text may, or may not, be canonical base64url by chance.
    expect(["MERCHANT_SIGNATURE_INVALID", "VALIDATION_ERROR"]).toContain(explanation.code);
  });
});

describe("a header that is bound to a request", () => {
  const request = {
    environment: "sandbox",
    method: "POST",
    path: "/v1/merchant-domains?a=1&b=%2F",
    body: '{"domain":"shop.example"}',
  } as const;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const bind = {
    environment: request.environment,
    merchantId,
    method: request.method,
    path: request.path,
    bodySha256: encodeUrl(digest(request.body)),
  };
  const bound = (change: object = {}) => make({ json: identity({ bind: { ...bind, ...change } }) });

  test("is accepted, and the answer says what it is for", async () => {
    const signed = await signHeader({ merchantId, privateKey: keys.privateKey, now, request });
    for (const value of [signed, bound()]) {
      const fine = { ok: true, code: null, problem: null, fix: null, signatureChecked: true, bind };
      expect(await explain(value)).toEqual({ ...fine, requestChecked: false });
      expect(await explain(value, { request })).toEqual({ ...fine, requestChecked: true });
      expect(await explain(value, { request: { environment: "sandbox" } })).toEqual({ ...fine, requestChecked: false });
    }
  });

  test.each<[string, object, RegExp, RegExp]>([
    [
      "the other environment",
      { environment: "production" },
      /^bind\.environment is "production".*"sandbox"/,
      /sandbox/,
    ],
    ["another merchant", { merchantId: "m-2" }, /^bind\.merchantId is "m-2"/, /same merchantId/],
    ["another method", { method: "GET" }, /^bind\.method is "GET".*"POST"/, /Sign/],
    ["a method in lower case", { method: "post" }, /^bind\.method/, /capitals/],
    ["another path", { path: "/v1/other" }, /^bind\.path is "\/v1\/other"/, /exactly/],
    ["a path without its query", { path: "/v1/merchant-domains" }, /^bind\.path/, /query/],
    ["a path with the host", { path: `https://api.example${request.path}` }, /^bind\.path/, /without scheme and host/],
    ["a path that was decoded", { path: "/v1/merchant-domains?a=1&b=/" }, /^bind\.path/, /percent-encoded/],
    ["a query in another order", { path: "/v1/merchant-domains?b=%2F&a=1" }, /^bind\.path/, /order/],
    ["no body", { bodySha256: encodeUrl(digest("")) }, /^bind\.bodySha256 is the digest of no body/, /bytes/],
    ["a padded digest", { bodySha256: `${encodeUrl(digest(request.body))}=` }, /^bind\.bodySha256/, /without padding/],
    [
      "a digest in hexadecimal",
      { bodySha256: digest(request.body).toString("hex") },
      /^bind\.bodySha256/,
      /hexadecimal/,
    ],
    ["the body itself", { bodySha256: request.body }, /^bind\.bodySha256/, /digest/],
    ["the body with a line end", { bodySha256: encodeUrl(digest(`${request.body}\n`)) }, /line end/, /printf/],
    ["another body", { bodySha256: encodeUrl(digest("{}")) }, /^bind\.bodySha256/, /bytes/],
  ])("%s is named", async (_name, change, problem, fix) => {
    expect(await explain(bound(change), { request })).toMatchObject({
      ok: false,
      code: "MERCHANT_SIGNATURE_INVALID",
      problem: expect.stringMatching(problem),
      fix: expect.stringMatching(fix),
    });
  });

  test("another merchantId than the envelope's is seen without the request", async () => {
    expect(await explain(bound({ merchantId: "m-2" }))).toMatchObject({
      problem: expect.stringMatching(/bind\.merchantId/),
    });
  });

  test("the time and the signature come first", async () => {
    const stale = make({
      json: identity({ signatureTimestamp: "2026-01-15T11:00:00Z", bind: { ...bind, method: "GET" } }),
    });
    expect(await explain(stale, { request })).toMatchObject({ code: "MERCHANT_AUTHORIZATION_EXPIRED" });
    expect(await explain(bound({ method: "GET" }), { request, publicKey: otherKeys.publicKey })).toMatchObject({
      problem: expect.stringContaining("another private key"),
    });
  });

  test.each<[string, object, RegExp]>([
    ["a part is missing", { bind: { ...bind, path: undefined } }, /path is missing/],
    ["a part is no string", { bind: { ...bind, method: 1 } }, /method is missing or not a string/],
    ["a key is too many", { bind: { ...bind, host: "x" } }, /bind may not hold the key "host"/],
    ["bind is a text", { bind: "GET /" }, /bind is not an object/],
    ["bind stands around a payment link", { bind, amount: 1 }, /payment link/],
  ])("400 when %s", async (_name, fields, problem) => {
    expect(await explain(make({ json: identity(fields) }))).toMatchObject({
      code: "VALIDATION_ERROR",
      problem: expect.stringMatching(problem),
    });
  });

  test("an unbound header is refused when the merchant requires bound ones", async () => {
    expect(await explain(header, { requireBoundSignatures: true })).toMatchObject({
      code: "MERCHANT_SIGNATURE_INVALID",
      problem: expect.stringContaining("not bound"),
      fix: expect.stringContaining("request"),
    });
    expect(await explain(bound(), { requireBoundSignatures: true, request })).toMatchObject({ ok: true });
  });
});
