import { sign as signBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type FastifyRequest, fastify } from "fastify";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { decodeBase64Url } from "../src/base64.ts";
import { expressSigner } from "../src/express.ts";
import { fastifySigner } from "../src/fastify.ts";
import {
  createSigner,
  type Destination,
  generateKeyPair,
  type KeyPair,
  type PaymentLinkEnvelope,
  type SignedPaymentLink,
  type SignerOptions,
  signHeader,
  verifyHeader,
  verifyPaymentLink,
} from "../src/index.ts";

const merchantId = "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f60";
const signedAt = new Date("2026-01-15T12:00:00.000Z");
const address = "0x52908400098527886E0F7030069857D2E4169EE7";
const token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const input = { amount: 25.5, chainId: 8453, address, token };

let keys: KeyPair;
beforeAll(async () => {
  keys = await generateKeyPair();
});

function optionsOf(change: Partial<SignerOptions<Request>> = {}): SignerOptions<Request> {
  return {
    merchantId,
    privateKey: keys.privateKey,
    chains: [8453],
    tokens: ["USDC", token],
    confirmDestination: () => true,
    clock: () => signedAt,
    ...change,
  } as SignerOptions<Request>;
}

function request(body: unknown, init: RequestInit = {}): Request {
  return new Request("https://shop.example/sign", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
}

async function sign(body: unknown = input, change: Partial<SignerOptions<Request>> = {}) {
  const response = await createSigner(optionsOf(change))(request(body));
  const text = await response.text();
  return { response, answer: JSON.parse(text) as SignedPaymentLink, refusal: JSON.parse(text).error?.code as unknown };
}

/** Verifies as the hosted flow does; one merchant is active. */
function verify(link: PaymentLinkEnvelope | string, now: Date = signedAt) {
  const fetchPublicKey = async (id: string) => (id === merchantId ? keys.publicKey : null);
  return verifyPaymentLink({ link, fetchPublicKey, now });
}

describe("createSigner", () => {
  test("answers a link that verifies, with Cache-Control: no-store", async () => {
    const { response, answer } = await sign();
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const verdict = await verify(answer);
    expect(verdict).toEqual({
      ok: true,
      merchantId,
      payment: {
        ...input,
        idempotencyKey: expect.stringMatching(/^[0-9a-f-]{14}4[0-9a-f-]{21}$/),
        callbackScheme: null,
        signatureTimestamp: signedAt.toISOString(),
        version: "v1",
      },
    });
    const { idempotencyKey } = answer.preview;
    expect(answer).toEqual({
      merchantId,
      payload: expect.any(String),
      signature: expect.any(String),
      preview: { ...input, idempotencyKey },
    });
    const text = new TextDecoder().decode(decodeBase64Url(answer.payload) ?? new Uint8Array());
    expect(Object.keys(JSON.parse(text))).toEqual([
      "amount",
      "chainId",
      "address",
      "token",
      "idempotencyKey",
      "callbackScheme",
      "signatureTimestamp",
      "version",
    ]);
  });

  test("every link has its own idempotency key", async () => {
    const links = await Promise.all(Array.from({ length: 5 }, () => sign()));
    expect(new Set(links.map(({ answer }) => answer.preview.idempotencyKey)).size).toBe(5);
  });

  test.each([
    ["no confirmDestination", { confirmDestination: undefined }, /confirmDestination is missing/],
    ["no chains", { chains: undefined }, /chains/],
    ["an empty list of chains", { chains: [] }, /chains/],
    ["a chain that is a text", { chains: ["8453"] }, /chains/],
    ["no tokens", { tokens: undefined }, /tokens/],
    ["an empty list of tokens", { tokens: [] }, /tokens/],
    ["no merchantId", { merchantId: "" }, /merchantId/],
    ["no privateKey", { privateKey: undefined }, /privateKey/],
  ])("throws with %s", (_name, change, message) => {
    expect(() => createSigner(optionsOf(change as never))).toThrow(message);
  });

  test("calls confirmDestination with the request and the destination, and answers 403 unless it confirms", async () => {
    const confirmDestination = vi.fn(
      (caller: Request, _destination: Destination) => caller.headers.get("cookie") === "ann",
    );
    const signer = createSigner(optionsOf({ confirmDestination }));
    const headers = { "content-type": "application/json; charset=utf-8", cookie: "ann" };
    expect((await signer(request(input, { headers }))).status).toBe(200);
    expect(confirmDestination.mock.calls[0]?.[1]).toStrictEqual({ address, chainId: 8453, token, amount: 25.5 });
    const stranger = await signer(request(input));
    expect(stranger.status).toBe(403);
    expect(await stranger.json()).toMatchObject({ error: { code: "DESTINATION_NOT_CONFIRMED" } });
  });

  test("passes the amount and the url to confirmDestination", async () => {
    const confirmDestination = vi.fn((_caller: Request, { amount }: Destination) => amount <= 100);
    const options = { confirmDestination, urlOrigins: ["https://shop.example"] };
    const url = "https://shop.example/pay?order=1";
    expect((await sign({ ...input, amount: 100, url }, options)).response.status).toBe(200);
    expect(confirmDestination.mock.calls[0]?.[1]).toStrictEqual({ address, chainId: 8453, token, amount: 100, url });
    expect((await sign({ ...input, amount: 101, url }, options)).response.status).toBe(403);
  });

  test.each([undefined, null, 1, "yes", {}, false])(
    "confirmDestination answering %j does not confirm",
    async (given) => {
      const { response } = await sign(input, { confirmDestination: (() => given) as never });
      expect(response.status).toBe(403);
    },
  );

  test("signs nothing when confirmDestination fails", async () => {
    const confirmDestination = async () => {
      throw new Error("The database is away.");
    };
    await expect(sign(input, { confirmDestination })).rejects.toThrow("The database is away.");
  });

  test.each([
    ["no amount", { ...input, amount: undefined }],
    ["an amount of 0", { ...input, amount: 0 }],
    ["an amount as text", { ...input, amount: "5" }],
    ["an infinite amount", '{"amount":1e999,"chainId":8453,"address":"0x1","token":"USDC"}'],
    ["a chain off the list", { ...input, chainId: 1 }],
    ["a chain as text", { ...input, chainId: "8453" }],
    ["a token off the list", { ...input, token: "usdc" }],
    ["an empty address", { ...input, address: "" }],
    ["an unknown key", { ...input, recipient: "0x2" }],
    ["a timestamp from the caller", { ...input, signatureTimestamp: "2030-01-01T00:00:00Z" }],
    ["an idempotency key from the caller", { ...input, idempotencyKey: crypto.randomUUID() }],
    ["a callback scheme that is not allowed", { ...input, callbackScheme: "evil" }],
    ["a url that is not allowed", { ...input, url: "https://evil.example" }],
    ["an amount of 1e308", { ...input, amount: 1e308 }],
    ["an amount beyond a thousand million", { ...input, amount: 1_000_000_001 }],
    ["an amount that no decimal writes exactly", { ...input, amount: 0.1 + 0.2 }],
    ["an address with a space", { ...input, address: `${address} ` }],
    ["an address with a direction mark", { ...input, address: `0x\u202e${address.slice(2)}` }],
    ["an address with a letter of another script", { ...input, address: address.replace("0x", "0х") }],
    ["no JSON", "amount=5"],
    ["a list", []],
    ["null", null],
    ["an empty body", ""],
    ["a body of 20,000 characters", { ...input, address: "0".repeat(20_000) }],
  ])("400 VALIDATION_ERROR for %s, without calling confirmDestination", async (_name, body) => {
    const confirmDestination = vi.fn(() => true);
    const { response, refusal } = await sign(body, { confirmDestination });
    expect([response.status, refusal]).toEqual([400, "VALIDATION_ERROR"]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(confirmDestination).not.toHaveBeenCalled();
  });

  test.each([
    "blob:https://shop.example/7c1f",
    "https:\\\\shop.example\\pay",
    "https://shop.example\\@evil.example/",
    "https://shop.example@evil.example/",
    "https://sh\top.example/",
    "https://shop.example/\n",
    " https://shop.example/",
    "https://SHOP.example/",
    "https://shop.example:443/",
    "https://shop.example/a/../b",
    "javascript:location='https://shop.example/'",
    "http://shop.example/",
    "https://evil.example/",
  ])("400 for the url %j, although its origin is allowed or looks allowed", async (url) => {
    const { response, refusal } = await sign({ ...input, url }, { urlOrigins: ["https://shop.example"] });
    expect([response.status, refusal]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test.each(["javascript", "data", "https", "JAVASCRIPT"])("400 for the callbackScheme %s", async (callbackScheme) => {
    const { response, refusal } = await sign({ ...input, callbackScheme }, { callbackSchemes: ["shopapp"] });
    expect([response.status, refusal]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test.each([
    ["an origin with a path", { urlOrigins: ["https://shop.example/"] }, /urlOrigins.*https:\/\/shop\.example"/],
    ["an origin in other case", { urlOrigins: ["https://Shop.example"] }, /urlOrigins/],
    ["the origin of a blob", { urlOrigins: ["blob:https://shop.example"] }, /urlOrigins/],
    ["no origin", { urlOrigins: ["shop.example"] }, /urlOrigins/],
    ["a scheme for scripts", { callbackSchemes: ["javascript"] }, /callbackSchemes/],
    ["a scheme with a colon", { callbackSchemes: ["shop:"] }, /callbackSchemes/],
    ["a token with a space", { tokens: ["US DC"] }, /tokens/],
  ])("throws with %s, which it could never sign", (_name, change, message) => {
    expect(() => createSigner(optionsOf(change))).toThrow(message);
  });

  test("takes the version, a reference and metadata, and signs the last two", async () => {
    const reference = "order-1042";
    const metadata = { cart: "7", ["k".repeat(500)]: "ü🎉".repeat(250) };
    const confirmDestination = vi.fn((_caller: Request, destination: Destination) => {
      // What the merchant's code does with its copy does not change what is signed.
      const given = { ...destination.metadata };
      if (destination.metadata !== undefined) destination.metadata.cart = "8";
      return destination.reference === reference && given.cart === "7";
    });
    const { response, answer } = await sign({ ...input, version: "v1", reference, metadata }, { confirmDestination });
    expect(response.status).toBe(200);
    expect(await verify(answer)).toMatchObject({ ok: true, payment: { ...input, version: "v1", reference, metadata } });
    const text = new TextDecoder().decode(decodeBase64Url(answer.payload) ?? new Uint8Array());
    expect(Object.keys(JSON.parse(text)).slice(-3)).toEqual(["version", "reference", "metadata"]);
    expect(Object.keys(answer.preview)).toEqual(["amount", "chainId", "address", "token", "idempotencyKey"]);
  });

  test("signs no key for a reference, metadata or url that is null or left out", async () => {
    const { answer } = await sign({ ...input, version: "v1", reference: null, metadata: null, url: null });
    const verdict = await verify(answer);
    expect(verdict.ok && Object.keys(verdict.payment)).not.toEqual(expect.arrayContaining(["reference"]));
    expect(verdict).toMatchObject({ ok: true });
  });

  test("takes the largest metadata, also when a client escapes every character", async () => {
    const texts = Array.from({ length: 20 }, (_, index) => [
      String.fromCodePoint(0x1f600 + index).repeat(500),
      "🎉".repeat(500),
    ]);
    const metadata = Object.fromEntries(texts);
    const escaped = JSON.stringify({ ...input, metadata }).replace(
      /[\u0080-\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    const { response, answer } = await sign(escaped);
    expect(response.status).toBe(200);
    expect(await verify(answer)).toMatchObject({ ok: true, payment: { metadata } });
    expect((await sign(`${escaped}${" ".repeat(100_000)}`)).response.status).toBe(400);
  });

  test.each([
    ["another version", { version: "v2" }],
    ["a version that is a number", { version: 1 }],
    ["an empty reference", { reference: "" }],
    ["a reference of 129 characters", { reference: "r".repeat(129) }],
    ["a reference with a line end", { reference: "order\n1042" }],
    ["a reference with a direction mark", { reference: "a\u202eb" }],
    ["a reference that is a number", { reference: 1042 }],
    ["21 pairs of metadata", { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`${i}`, "x"])) }],
    ["a metadata key of 501 characters", { metadata: { ["k".repeat(501)]: "v" } }],
    ["a metadata text of 501 characters", { metadata: { k: "v".repeat(501) } }],
    ["metadata with a number", { metadata: { k: 1 } }],
    ["metadata with an object", { metadata: { k: {} } }],
    ["metadata that is a list", { metadata: ["k", "v"] }],
    ["metadata with NUL", { metadata: { k: "a\0b" } }],
    ["metadata with half a surrogate", { metadata: { k: "\ud83c" } }],
  ])("400 for %s, without calling confirmDestination", async (_name, change) => {
    const confirmDestination = vi.fn(() => true);
    const { response, refusal } = await sign({ ...input, ...change }, { confirmDestination });
    expect([response.status, refusal]).toEqual([400, "VALIDATION_ERROR"]);
    expect(confirmDestination).not.toHaveBeenCalled();
  });

  test.each(["ieee-p1363", "der"] as const)("signs with a callback in place of a key, in %s", async (dsaEncoding) => {
    const callback = async (bytes: Uint8Array) => signBytes("sha256", bytes, { key: keys.privateKey, dsaEncoding });
    const { answer } = await sign(input, { privateKey: undefined, sign: callback } as never);
    expect(await verify(answer)).toMatchObject({ ok: true });
  });

  test("answers no link when the callback fails or answers no signature", async () => {
    const signWith = (callback: unknown) => sign(input, { privateKey: undefined, sign: callback } as never);
    await expect(signWith(() => Promise.reject(new Error("KMS is away.")))).rejects.toMatchObject({
      code: "SIGNING_FAILED",
      message: "The sign callback failed: KMS is away.",
    });
    await expect(signWith(async () => new Uint8Array(32))).rejects.toMatchObject({ code: "SIGNING_FAILED" });
  });

  test("gives up on a callback that hangs", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const asked = vi.fn(() => new Promise<Uint8Array>(() => {}));
      const call = sign(input, { privateKey: undefined, sign: asked } as never).catch((error) => error);
      await vi.waitFor(() => expect(asked).toHaveBeenCalled());
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await call).toMatchObject({ code: "TIMEOUT" });
    } finally {
      vi.useRealTimers();
    }
  });

  test("an option that does not exist is refused by name", () => {
    const options = { ...optionsOf(), token: ["USDC"] };
    expect(() => createSigner(options as never)).toThrow('The signer has no option "token". Did you mean tokens?');
    expect(() => expressSigner({ ...optionsOf(), origins: [] } as never)).toThrow(/Did you mean urlOrigins/);
    expect(() => fastifySigner({ ...optionsOf(), timeout: 1 } as never)).toThrow('no option "timeout"');
  });

  test("400 for a form, which a page of any origin could send; 405 for a GET", async () => {
    const signer = createSigner(optionsOf());
    const form = request(JSON.stringify(input), { headers: { "content-type": "text/plain" } });
    expect((await signer(form)).status).toBe(400);
    const read = await signer(new Request("https://shop.example/sign"));
    expect([read.status, read.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("a token's address is compared without case; schemes and origins are signed when listed", async () => {
    const { answer } = await sign(
      { ...input, token: token.toLowerCase(), callbackScheme: "shopapp", url: "https://shop.example/pay?order=1" },
      { callbackSchemes: ["shopapp"], urlOrigins: ["https://shop.example"] },
    );
    expect(await verify(answer)).toMatchObject({
      ok: true,
      payment: { token: token.toLowerCase(), callbackScheme: "shopapp", url: "https://shop.example/pay?order=1" },
    });
  });
});

describe("a signed link", () => {
  test("is refused as a header", async () => {
    const { answer } = await sign();
    const { merchantId: id, payload, signature } = answer;
    for (const envelope of [answer, { merchantId: id, payload, signature }]) {
      const header = Buffer.from(JSON.stringify(envelope)).toString("base64");
      const verdict = await verifyHeader(header, { merchantId, publicKey: keys.publicKey, now: signedAt });
      expect([verdict.status, verdict.code]).toEqual([400, "VALIDATION_ERROR"]);
    }
  });

  test("is accepted for 15 minutes, inclusive, and not earlier than 60 seconds before its time", async () => {
    const { answer } = await sign();
    const at = (seconds: number) => verify(answer, new Date(signedAt.getTime() + seconds * 1_000));
    expect(await at(900)).toMatchObject({ ok: true });
    expect(await at(900.001)).toMatchObject({ ok: false, code: "MERCHANT_AUTHORIZATION_EXPIRED" });
    expect(await at(-60)).toMatchObject({ ok: true });
    expect(await at(-60.001)).toMatchObject({ ok: false, code: "MERCHANT_SIGNATURE_TIMESTAMP_INVALID" });
  });

  test("fails when anything that was signed is altered, even if only its spelling changes", async () => {
    const { answer } = await sign();
    const text = new TextDecoder().decode(decodeBase64Url(answer.payload) ?? new Uint8Array());
    const { preview: _preview, ...bare } = answer;
    for (const altered of [text.replace("25.5", "2555"), text.replace(address, token), text.replace("{", "{ ")]) {
      const link = { ...bare, payload: Buffer.from(altered).toString("base64url") };
      expect(await verify(link)).toMatchObject({ ok: false, code: "MERCHANT_SIGNATURE_INVALID" });
    }
  });

  test("MERCHANT_NOT_REGISTERED for an unknown merchant and for a text that is no id", async () => {
    const { answer } = await sign();
    for (const stranger of [crypto.randomUUID(), "../../secrets", ""]) {
      expect(await verify({ ...answer, merchantId: stranger })).toMatchObject({ code: "MERCHANT_NOT_REGISTERED" });
    }
  });

  test.each([
    ["a key too many", (link: SignedPaymentLink) => ({ ...link, admin: true })],
    ["a preview that says something else", (link: SignedPaymentLink) => ({ ...link, preview: { amount: 1 } })],
    ["a preview with a key that was not signed", (link: SignedPaymentLink) => ({ ...link, preview: { fee: 1 } })],
    ["a preview that is a list", (link: SignedPaymentLink) => ({ ...link, preview: [] })],
    [
      "a repeated key",
      (link: SignedPaymentLink) => JSON.stringify(link).replace("{", `{"merchantId":"${crypto.randomUUID()}",`),
    ],
    [
      "a repeated key that is spelled with an escape",
      (link: SignedPaymentLink) => JSON.stringify(link).replace("{", '{"p\\u0061yload" : "{\\"}",'),
    ],
    [
      "a repeated key in the preview",
      (link: SignedPaymentLink) => JSON.stringify(link).replace('"preview":{', '"preview":{"amount":1,'),
    ],
    ["no signature", ({ signature: _, ...link }: SignedPaymentLink) => link],
    ["a signature in standard base64", (link: SignedPaymentLink) => ({ ...link, signature: `${link.signature}+/` })],
    ["no JSON", () => "{"],
    ["a text that is no address", () => "pay me"],
  ])("VALIDATION_ERROR with %s", async (_name, change) => {
    const { answer } = await sign();
    expect(await verify(change(answer) as SignedPaymentLink)).toMatchObject({ ok: false, code: "VALIDATION_ERROR" });
  });

  test("a preview may repeat the signed metadata, whole and unchanged", async () => {
    const metadata = { cart: "7", note: 'a "b": {c}', ["__proto__"]: "x" };
    const { answer } = await sign({ ...input, metadata });
    const preview = (value: unknown) => ({ ...answer, preview: { ...answer.preview, metadata: value } });
    const turned = Object.fromEntries(Object.entries(metadata).reverse());
    for (const link of [preview(metadata), preview(turned), JSON.stringify(preview(turned))]) {
      expect(await verify(link)).toMatchObject({ ok: true });
    }
    const { cart: _cart, ...less } = metadata;
    for (const other of [{ ...metadata, cart: "8" }, { ...metadata, more: "1" }, less, {}, null, [], "x"]) {
      expect(await verify(preview(other))).toMatchObject({ ok: false, code: "VALIDATION_ERROR" });
    }
    const twice = JSON.stringify(preview(metadata)).replace('{"cart":', '{"cart":"8","cart":');
    expect(await verify(twice)).toMatchObject({ ok: false, problem: 'The link holds the key "cart" twice.' });
  });

  test("an identity payload is refused as a link, although the same key signed it", async () => {
    const header = await signHeader({ merchantId, privateKey: keys.privateKey, now: signedAt });
    const envelope = JSON.parse(Buffer.from(header, "base64").toString());
    expect(await verify(envelope)).toMatchObject({ ok: false, code: "VALIDATION_ERROR" });
  });

  test("may be JSON or an address with its parts as parameters, each once", async () => {
    const { answer } = await sign();
    const { preview: _preview, ...parts } = answer;
    const query = new URLSearchParams({ ...parts });
    expect(await verify(JSON.stringify(answer))).toMatchObject({ ok: true });
    expect(await verify(`https://pay.example/?utm=1&${query}`)).toMatchObject({ ok: true });
    expect(await verify(`https://pay.example/#${query}`)).toMatchObject({ ok: true });
    expect(await verify(`https://pay.example/?${query}#${query}`)).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test.each([
    "javascript:alert(1)//",
    "data:text/html,",
    "blob:https://pay.example/",
    "file:///",
    "shopapp://pay/",
    " https://pay.example/",
    "https:\\\\pay.example/",
  ])("is refused as an address that begins with %s", async (prefix) => {
    const { preview: _preview, ...parts } = (await sign()).answer;
    const link = `${prefix}?${new URLSearchParams({ ...parts })}`;
    expect(await verify(link)).toMatchObject({ ok: false, code: "VALIDATION_ERROR" });
  });

  test.each(["javascript:alert(1)", "blob:https://shop.example/1", "https://shop.example\\@evil.example/"])(
    "is refused with the url %j, although the merchant signed it",
    async (url) => {
      const payment = {
        ...{ ...input, idempotencyKey: crypto.randomUUID(), callbackScheme: null, version: "v1", url },
        signatureTimestamp: signedAt.toISOString(),
      };
      const payload = Buffer.from(JSON.stringify(payment)).toString("base64url");
      const signature = signBytes("sha256", Buffer.from(payload), keys.privateKey).toString("base64url");
      expect(await verify({ merchantId, payload, signature })).toMatchObject({ ok: false, code: "VALIDATION_ERROR" });
    },
  );

  test("the key is fetched from the service, and an outage rejects instead of giving a verdict", async () => {
    const { answer } = await sign();
    const answering = (status: number, body: object) =>
      verifyPaymentLink({
        link: answer,
        baseUrl: "https://api.example.com",
        retries: 0,
        now: signedAt,
        fetch: (async (url: string) => {
          expect(url).toBe(`https://api.example.com/v1/merchants/${merchantId}/public-key`);
          return new Response(JSON.stringify(body), { status });
        }) as typeof fetch,
      });
    expect(await answering(200, { publicKey: keys.publicKey })).toMatchObject({ ok: true });
    const refusal = (code: string) => ({ error: { code, message: "No." } });
    expect(await answering(404, refusal("MERCHANT_NOT_REGISTERED"))).toMatchObject({ code: "MERCHANT_NOT_REGISTERED" });
    await expect(answering(404, refusal("ROUTE_NOT_FOUND"))).rejects.toMatchObject({ code: "ROUTE_NOT_FOUND" });
    await expect(answering(503, refusal("OVERLOADED"))).rejects.toMatchObject({ code: "OVERLOADED" });
  });
});

describe("the adapters", () => {
  const adapterOptions = () => {
    const { confirmDestination: _, ...options } = optionsOf();
    return { ...options, confirmDestination: () => true };
  };

  test("expressSigner serves plain Node requests, and answers 400 to a long body", async () => {
    const handler = expressSigner(adapterOptions());
    const server = createServer((incoming, outgoing) => void handler(incoming, outgoing));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const post = (body: string) =>
        fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      const signed = await post(JSON.stringify(input));
      expect([signed.status, signed.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(await verify((await signed.json()) as SignedPaymentLink)).toMatchObject({ ok: true });
      expect((await post(JSON.stringify({ ...input, address: "0".repeat(500_000) }))).status).toBe(400);
    } finally {
      server.close();
    }
  });

  test("expressSigner takes a parsed body, and passes failures to next", async () => {
    const failing = { ...adapterOptions(), confirmDestination: () => Promise.reject(new Error("away")) };
    const incoming = { method: "POST", headers: { "content-type": "application/json" }, body: input };
    const next = vi.fn();
    await expressSigner(failing)(incoming as never, {} as never, next);
    expect(next).toHaveBeenCalledWith(new Error("away"));
  });

  test("fastifySigner works as a Fastify handler", async () => {
    const app = fastify();
    const confirmDestination = (caller: FastifyRequest) => caller.ip === "127.0.0.1";
    app.post("/sign", fastifySigner({ ...adapterOptions(), confirmDestination }));
    const answer = await app.inject({ method: "POST", url: "/sign", payload: input });
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(await verify(answer.body)).toMatchObject({ ok: true });
    const refused = await app.inject({ method: "POST", url: "/sign", payload: { ...input, chainId: 1 } });
    expect(refused.statusCode).toBe(400);
    await app.close();
  });
});
