import { createHash, sign as signBytes } from "node:crypto";
import { inspect } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  AUTHORIZATION_HEADER,
  explainHeader,
  generateKeyPair,
  type KeyPair,
  Matchbook,
  MatchbookError,
  type MatchbookOptions,
  type SignCallback,
  signApplicationProof,
  signHeader,
  verifyHeader,
  verifyPaymentLink,
} from "../src/index.ts";
import { judgeProof } from "./proof-verdict.ts";

const merchantId = "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f60";
const baseUrl = "https://api.example.com";
const PRODUCTION = { environment: "production" } as const;
const receipt = { merchantId, domain: "a.example", added: [] };

let keys: KeyPair;
beforeAll(async () => {
  keys = await generateKeyPair();
});
beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

const headerOf = (request: { init: RequestInit } | undefined) =>
  new Headers(request?.init.headers).get(AUTHORIZATION_HEADER) ?? "";

type Answerer = (url: string, init: RequestInit) => Response | Promise<Response>;

/** A client with a fake service: one answer for each attempt, and the last one for all further attempts. */
function clientOf(answers: readonly Answerer[], options: Partial<MatchbookOptions> = {}) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch = (async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer === undefined) throw new Error("No answer was prepared.");
    return answer(url, init);
  }) as typeof globalThis.fetch;
  const client = new Matchbook({
    baseUrl,
    merchantId,
    privateKey: keys.privateKey,
    fetch,
    ...options,
  } as MatchbookOptions);
  return { client, requests };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers });
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { error: { code, message: "A message." } }, headers);

/** Skips the waits between attempts, and returns the result or the error. */
async function settle<Value>(call: Promise<Value>): Promise<Value | MatchbookError> {
  const ended = call.catch((error: unknown) => error as MatchbookError);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  return ended;
}

describe("where it connects to", () => {
  test.each([
    "https://api.example.com",
    "https://api.example.com/",
    "http://localhost:8081",
    "http://127.0.0.1:8081",
    "http://127.9.9.9",
    "http://[::1]:8081",
  ])("takes %s", (url) => {
    expect(clientOf([], { baseUrl: url }).client.baseUrl).toBe(url.replace(/\/$/, ""));
  });

  test.each([
    ["plain http", "http://api.example.com", /plain http/],
    ["http to a name that only looks local", "http://127.0.0.1.example.com", /plain http/],
    ["http to a name that ends in localhost", "http://evil-localhost", /plain http/],
    ["http to the local network", "http://192.168.0.7", /plain http/],
    ["http to every address", "http://0.0.0.0", /plain http/],
    ["another scheme", "ftp://api.example.com", /https/],
    ["a password", "https://me:secret@api.example.com", /password/],
    ["a query", "https://api.example.com?x=1", /query/],
    ["no address", "api.example.com", /not an address/],
  ])("refuses %s", (_name, url, message) => {
    expect(() => clientOf([], { baseUrl: url })).toThrow(message);
  });

  test("never follows a redirect, and does not repeat the call", async () => {
    const { client, requests } = clientOf([() => Response.redirect("https://elsewhere.example", 307)]);
    const error = await settle(client.domains.add("a.example"));
    expect(error).toMatchObject({ code: "REDIRECT_REFUSED", status: 307 });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.init.redirect).toBe("manual");
  });
});

describe("what it sends", () => {
  test("a fresh signature for every attempt, made with the given clock", async () => {
    let nowMs = Date.parse("2026-01-15T12:00:00.000Z");
    const clock = () => {
      nowMs += 1_000;
      return nowMs;
    };
    const { client, requests } = clientOf([refusal(503, "OVERLOADED"), json(201, receipt)], { clock });
    expect(await settle(client.domains.add("a.example"))).toEqual(receipt);
    const headers = requests.map(({ init }) => (init.headers as Record<string, string>)[AUTHORIZATION_HEADER] ?? "");
    expect(new Set(headers).size).toBe(2);
    const request = { ...PRODUCTION, method: "POST", path: "/v1/merchant-domains", body: '{"domain":"a.example"}' };
    for (const header of headers) {
      const verdict = await verifyHeader(header, { merchantId, publicKey: keys.publicKey, now: nowMs, request });
      expect(verdict.message).toBe("The header is valid.");
    }
  });

  test("queries with repeated and without undefined values, and path parts escaped", async () => {
    const { client, requests } = clientOf([json(200, { items: [], nextCursor: null })]);
    await settle(client.campaigns.qualifiedWallets.check("a/b", ["0x1", "0x2"], { chainId: undefined }));
    await settle(client.deposits.list({ status: "completed", userId: undefined, limit: 5 }).page());
    expect(requests.map(({ url }) => url)).toEqual([
      `${baseUrl}/v1/marketings/campaigns/a%2Fb/qualifiedWallets?address=0x1&address=0x2`,
      `${baseUrl}/v1/merchant-deposits?status=completed&limit=5`,
    ]);
  });

  test("no path that leads elsewhere: a campaign id of dots is refused", () => {
    const { client, requests } = clientOf([]);
    for (const id of [".", ".."]) {
      expect(() => client.campaigns.get(id)).toThrow(`campaignId cannot be "${id}".`);
      expect(() => client.users.wallets.list(id)).toThrow(`userId cannot be "${id}".`);
      expect(() => client.participants.wallets.list("c", id)).toThrow(`participantId cannot be "${id}".`);
    }
    expect(requests).toEqual([]);
  });

  test("a check of 250 wallets in three requests, and of no wallets in none", async () => {
    const { client, requests } = clientOf([json(200, { items: [{ address: "0x1" }], nextCursor: null })]);
    const addresses = Array.from({ length: 250 }, (_, index) => `0x${index}`);
    expect(await settle(client.campaigns.qualifiedWallets.check("c", addresses))).toHaveLength(3);
    expect(await settle(client.campaigns.qualifiedWallets.check("c", []))).toEqual([]);
    expect(requests).toHaveLength(3);
  });

  test("no signature for calls that need none", async () => {
    const { client, requests } = clientOf([json(200, { merchantId, algorithm: "", publicKey: "" })]);
    await settle(client.publicKey.get());
    expect(requests[0]?.init.headers).not.toHaveProperty(AUTHORIZATION_HEADER);
  });

  test("a private key that cannot be used is reported by the first call", async () => {
    const { client } = clientOf([], { privateKey: keys.publicKey });
    await expect(client.campaigns.get("c")).rejects.toThrow("This is the public key.");
  });
});

describe("what a signature is for", () => {
  /** The identity payload of each attempt. */
  const payloads = (requests: { init: RequestInit }[]) =>
    requests.map(({ init }) => {
      const header = (init.headers as Record<string, string>)[AUTHORIZATION_HEADER] ?? "";
      const { payload } = JSON.parse(Buffer.from(header, "base64").toString());
      return JSON.parse(Buffer.from(payload, "base64url").toString());
    });
  const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");

  test("every call is bound to its environment, merchant, method, path with query, and body", async () => {
    const { client, requests } = clientOf([json(200, { items: [], nextCursor: null })]);
    await settle(client.campaigns.qualifiedWallets.check("a/b'ä", ["0x1 é", "0x2"], { chainId: 1 }));
    await settle(client.participants.submit("c", { merchantUserId: "ä" } as never));
    const submitted = String(requests[1]?.init.body);
    expect(JSON.parse(submitted)).toEqual({ merchantUserId: "ä" });
    expect(payloads(requests).map(({ bind }) => bind)).toEqual([
      {
        environment: "production",
        merchantId,
        method: "GET",
        path: "/v1/marketings/campaigns/a%2Fb'%C3%A4/qualifiedWallets?chainId=1&address=0x1+%C3%A9&address=0x2",
        bodySha256: sha256(""),
      },
      {
        environment: "production",
        merchantId,
        method: "POST",
        path: "/v1/marketings/campaigns/c/participants",
        bodySha256: sha256(submitted),
      },
    ]);
  });

  test("the signed path is the path that is sent, also when baseUrl has a path", async () => {
    const { client, requests } = clientOf([json(200, {})], { baseUrl: "https://gateway.example/matchbook/" });
    await settle(client.campaigns.get("c"));
    expect(requests[0]?.url).toBe("https://gateway.example/matchbook/v1/marketings/campaigns/c");
    expect(payloads(requests)[0].bind.path).toBe("/matchbook/v1/marketings/campaigns/c");
  });

  test("bind: false signs for any request", async () => {
    const { client, requests } = clientOf([json(201, receipt)], { bind: false });
    await settle(client.domains.add("a.example"));
    expect(Object.keys(payloads(requests)[0])).toEqual(["version", "signatureTimestamp"]);
  });

  test("an environment other than production and sandbox is refused by the constructor", () => {
    expect(() => clientOf([], { environment: "test" as never })).toThrow(/"production" or "sandbox"/);
  });

  const servedBy = (environment: string) => (answer: () => Response) => () => {
    const response = answer();
    response.headers.set("x-matchbook-environment", environment);
    return response;
  };
  const sandbox = servedBy("sandbox");

  test("the environment is read from the answer, and the call is signed again for it", async () => {
    const refused = sandbox(refusal(422, "MERCHANT_SIGNATURE_INVALID"));
    const { client, requests } = clientOf([refused, sandbox(json(201, receipt))], { retries: 0 });
    expect(await settle(client.domains.add("a.example"))).toEqual(receipt);
    expect(await settle(client.domains.add("b.example"))).toEqual(receipt);
    expect(payloads(requests).map(({ bind }) => bind.environment)).toEqual(["production", "sandbox", "sandbox"]);
  });

  test("concurrent calls all learn it", async () => {
    const answer: Answerer = (_url, init) => {
      const [{ bind }] = payloads([{ init }]);
      const known = bind.environment === "sandbox";
      return sandbox(known ? json(201, receipt) : refusal(422, "MERCHANT_SIGNATURE_INVALID"))();
    };
    const { client, requests } = clientOf([answer], { retries: 0 });
    const calls = Array.from({ length: 5 }, () => settle(client.domains.add("a.example")));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 5 }, () => receipt));
    expect(requests).toHaveLength(10);
  });

  test("a signature refused for another reason is not retried", async () => {
    const { client, requests } = clientOf([servedBy("production")(refusal(422, "MERCHANT_SIGNATURE_INVALID"))]);
    expect(await settle(client.campaigns.get("c"))).toMatchObject({ message: "A message." });
    expect(requests).toHaveLength(1);
    const { client: odd, requests: oddRequests } = clientOf([servedBy("moon")(refusal(422, "CAMPAIGN_NOT_ACTIVE"))]);
    expect(await settle(odd.campaigns.get("c"))).toMatchObject({ code: "CAMPAIGN_NOT_ACTIVE" });
    expect(oddRequests).toHaveLength(1);
    const unbound = clientOf([sandbox(refusal(422, "MERCHANT_SIGNATURE_INVALID"))], { bind: false });
    expect(await settle(unbound.client.campaigns.get("c"))).toMatchObject({ message: "A message." });
    expect(unbound.requests).toHaveLength(1);
  });

  test("a service that alternates between environments is called at most twice", async () => {
    let asked = 0;
    const fickle: Answerer = () =>
      servedBy(asked++ % 2 === 0 ? "sandbox" : "production")(refusal(422, "MERCHANT_SIGNATURE_INVALID"))();
    const { client, requests } = clientOf([fickle]);
    expect(await settle(client.campaigns.get("c"))).toMatchObject({ code: "MERCHANT_SIGNATURE_INVALID" });
    expect(requests).toHaveLength(2);
  });

  test("a given environment is kept, and the error says what to change", async () => {
    const { client, requests } = clientOf([sandbox(refusal(422, "MERCHANT_SIGNATURE_INVALID"))], {
      environment: "production",
    });
    expect(await settle(client.campaigns.get("c"))).toMatchObject({
      code: "MERCHANT_SIGNATURE_INVALID",
      message:
        'A message. This address serves the sandbox, and the request was signed for production: set environment to "sandbox", or correct baseUrl.',
    });
    expect(requests).toHaveLength(1);
  });

  test("a path that is too long to be bound is refused, and long lists of wallets are split", async () => {
    const { client, requests } = clientOf([json(200, { items: [], nextCursor: null })]);
    await expect(client.participants.get("c", { merchantUserId: "名".repeat(255) })).rejects.toThrow(
      /too long to be bound/,
    );
    const addresses = Array.from({ length: 100 }, () => `0x${"ab".repeat(20)}`);
    await settle(client.campaigns.qualifiedWallets.check("c", addresses, { chainId: Number.MAX_SAFE_INTEGER }));
    await settle(
      client.campaigns.qualifiedWallets.check("c".repeat(100), ["é".repeat(128), "é".repeat(128), "é".repeat(128)]),
    );
    const asked = requests.map(({ url }) => new URL(url).searchParams.getAll("address").length);
    expect(asked).toEqual([31, 31, 31, 7, 2, 1]);
    for (const { init } of requests) {
      const header = (init.headers as Record<string, string>)[AUTHORIZATION_HEADER] ?? "";
      expect(header.length).toBeLessThanOrEqual(4_096);
    }
  });
});

describe("Matchbook.applications.create", () => {
  const application = {
    email: "Payments@shop.example",
    domain: "Shop.example",
    description: "A shop that takes stablecoin deposits.",
  };
  const create = async ({ proof, ...options }: { proof?: object; [name: string]: unknown }) => {
    const sent: { proof?: unknown }[] = [];
    const fetch = (async (_url: string, init: RequestInit) => {
      sent.push(JSON.parse(String(init.body)));
      return new Response('{"merchantId":"m"}', { status: 202 });
    }) as typeof globalThis.fetch;
    const { publicKey, privateKey } = keys;
    await Matchbook.applications.create(
      { ...application, publicKey, proof } as never,
      {
        baseUrl,
        fetch,
        ...("sign" in options ? {} : { privateKey }),
        ...options,
      } as never,
    );
    return sent[0] ?? {};
  };

  test("proves that the applicant holds the key", async () => {
    const now = "2026-01-15T12:00:00.000Z";
    const { proof, ...sent } = await create({ clock: () => new Date(now) });
    expect(sent).toEqual(expect.objectContaining({ ...application, publicKey: keys.publicKey }));
    expect(sent).not.toHaveProperty("privateKey");
    const wanted = { ...application, publicKey: keys.publicKey };
    expect(await judgeProof({ application: wanted, proof, now })).toEqual({ status: 202, code: null });
  });

  test("takes a proof that was made elsewhere, or none when the key is null", async () => {
    const proof = { payload: "p", signature: "s" };
    expect(await create({ proof, privateKey: null })).toMatchObject({ proof });
    expect(await create({ privateKey: null })).not.toHaveProperty("proof");
  });
});

describe("a sign callback", () => {
  const p1363 = (bytes: Uint8Array) => signBytes("sha256", bytes, { key: keys.privateKey, dsaEncoding: "ieee-p1363" });
  const der = (bytes: Uint8Array) => signBytes("sha256", bytes, { key: keys.privateKey, dsaEncoding: "der" });
  /** A client that has no key, and the requests that it sent. */
  const signedBy = (sign: unknown, options: Partial<MatchbookOptions> = {}) =>
    clientOf([json(201, receipt)], { privateKey: undefined, sign, ...options } as never);

  test.each([
    ["P1363", p1363],
    ["DER", der],
  ])("signs every call in place of a key, in %s", async (_name, sign) => {
    const seen: Uint8Array[] = [];
    const { client, requests } = signedBy(async (bytes: Uint8Array) => {
      seen.push(bytes);
      return sign(bytes);
    });
    expect(await settle(client.domains.add("a.example"))).toEqual(receipt);
    const header = headerOf(requests[0]);
    const request = { ...PRODUCTION, method: "POST", path: "/v1/merchant-domains", body: '{"domain":"a.example"}' };
    const verdict = await verifyHeader(header, { merchantId, publicKey: keys.publicKey, request });
    expect(verdict).toMatchObject({ status: 200 });
    expect(Buffer.from(seen[0] ?? []).toString()).toBe(JSON.parse(Buffer.from(header, "base64").toString()).payload);
  });

  test("a signature with a high s is accepted: KMS services make them half of the time", async () => {
    const isHigh = (signature: Buffer) => (signature[32] ?? 0) >= 0x80;
    const { client, requests } = signedBy(async (bytes: Uint8Array) => {
      for (;;) {
        const signature = p1363(bytes);
        if (isHigh(signature)) return signature;
      }
    });
    expect(await settle(client.domains.add("a.example"))).toEqual(receipt);
    expect(requests).toHaveLength(1);
  });

  test("gets a copy of the bytes, and its answer is copied", async () => {
    const pool = Buffer.alloc(64);
    const { client, requests } = signedBy(async (bytes: Uint8Array) => {
      pool.set(p1363(bytes));
      bytes.fill(0);
      queueMicrotask(() => queueMicrotask(() => pool.fill(0)));
      return pool;
    });
    expect(await settle(client.campaigns.get("c"))).toEqual(receipt);
    const header = headerOf(requests[0]);
    const request = { ...PRODUCTION, method: "GET", path: "/v1/marketings/campaigns/c" };
    const verdict = await verifyHeader(header, { merchantId, publicKey: keys.publicKey, request });
    expect(verdict).toMatchObject({ status: 200 });
  });

  const thrown = () => {
    throw new Error("KMS is away.");
  };
  test.each([
    ["throws", thrown, "The sign callback failed: KMS is away."],
    ["rejects", async () => thrown(), "The sign callback failed: KMS is away."],
    ["rejects with a text", () => Promise.reject("no"), "The sign callback failed: no."],
    ["answers nothing", async () => undefined, "a Uint8Array, and it answered a value of the type undefined"],
    ["answers null", async () => null, "and it answered null"],
    ["answers base64", async () => "MEUCIQ==", "and it answered a value of the type string"],
    ["answers an object of a KMS", async () => ({ Signature: new Uint8Array(64) }), "a value of the type object"],
    ["answers a list", async () => Array(64).fill(1), "and it answered a list"],
    ["answers 64 zeros", async () => new Uint8Array(64), "64 bytes that are no P-256 signature"],
    ["answers no bytes", async () => new Uint8Array(), "0 bytes that are no P-256 signature"],
    ["answers the hash", async () => new Uint8Array(32).fill(7), "32 bytes that are no P-256 signature"],
    ["answers 65 bytes", async () => new Uint8Array(65).fill(7), "65 bytes"],
    ["answers 96 bytes, as for P-384", async () => new Uint8Array(96).fill(7), "96 bytes"],
    ["answers an s of the order or more", async () => new Uint8Array(64).fill(255), "64 bytes"],
    ["answers DER with a byte behind", async (b: Uint8Array) => Buffer.concat([der(b), Buffer.of(0)]), "bytes"],
  ])("that %s: SIGNING_FAILED, and nothing is sent", async (_name, sign, message) => {
    const { client, requests } = signedBy(sign);
    const error = await settle(client.domains.add("a.example"));
    expect(error).toBeInstanceOf(MatchbookError);
    expect(error).toMatchObject({ code: "SIGNING_FAILED", status: null, message: expect.stringContaining(message) });
    expect(requests).toHaveLength(0);
    const options = { baseUrl, sign: sign as SignCallback, fetch: () => Promise.reject(new Error("sent")) };
    const application = { email: "a@b.example", domain: "b.example", publicKey: keys.publicKey, description: "" };
    const refused = await settle(Matchbook.applications.create(application, options));
    expect(refused).toMatchObject({ code: "SIGNING_FAILED" });
  });

  test("that hangs ends with the abort, and nothing is sent, even when it answers later", async () => {
    const controller = new AbortController();
    const reason = new Error("The user left.");
    let answer: (signature: Uint8Array) => void = () => {};
    let asked: (bytes: Uint8Array) => void = () => {};
    const isAsked = new Promise<Uint8Array>((resolve) => {
      asked = resolve;
    });
    const sign = (bytes: Uint8Array) => {
      asked(bytes);
      return new Promise<Uint8Array>((resolve) => {
        answer = resolve;
      });
    };
    const { client, requests } = signedBy(sign);
    const call = client.domains.add("a.example", { signal: controller.signal });
    const bytes = await isAsked;
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    answer(p1363(bytes));
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toHaveLength(0);
  });

  test("that hangs without an abort is a TIMEOUT, and nothing is sent", async () => {
    const hangs = () => new Promise<Uint8Array>(() => {});
    const { client, requests } = signedBy(hangs, { timeoutMs: 500, retries: 1 });
    const error = await settle(client.domains.add("a.example"));
    expect(error).toMatchObject({ code: "TIMEOUT", message: "No signature within 500 ms." });
    expect(requests).toHaveLength(0);
  });

  test("signs the proof of an application, and an abort meanwhile ends it", async () => {
    const application = { email: "Payments@shop.example", domain: "Shop.example", publicKey: keys.publicKey };
    const sent: { proof?: unknown }[] = [];
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      sent.push(JSON.parse(String(init?.body)));
      return new Response('{"merchantId":"m"}', { status: 202 });
    };
    const now = "2026-01-15T12:00:00.000Z";
    const body = { ...application, description: "A shop that takes stablecoin deposits." };
    const options = { baseUrl, fetch, clock: () => new Date(now) };
    await Matchbook.applications.create(body, { ...options, sign: async (bytes) => der(bytes) });
    expect(await judgeProof({ application, proof: sent[0]?.proof, now })).toEqual({ status: 202, code: null });

    const controller = new AbortController();
    const { signal } = controller;
    const sign = () => {
      controller.abort(new Error("The user left."));
      return new Promise<Uint8Array>(() => {});
    };
    await expect(Matchbook.applications.create(body, { ...options, sign, signal })).rejects.toThrow("The user left.");
    expect(sent).toHaveLength(1);
  });

  test("together with privateKey is refused, and so is neither of them", () => {
    expect(() => clientOf([], { sign: p1363 } as never)).toThrow("Give privateKey or sign, not both.");
    expect(() => signedBy(undefined)).toThrow("privateKey is missing. Give it, or sign.");
    expect(() => signedBy("key")).toThrow("sign must be a function");
  });

  test("headers stay within 4,096 characters with signatures in DER", async () => {
    const { client, requests } = clientOf([json(200, { items: [], nextCursor: null })], {
      privateKey: undefined,
      sign: async (bytes: Uint8Array) => der(bytes),
    } as never);
    const addresses = Array.from({ length: 100 }, () => `0x${"ab".repeat(20)}`);
    await settle(client.campaigns.qualifiedWallets.check("c".repeat(100), addresses, { chainId: 1 }));
    expect(requests.length).toBeGreaterThan(3);
  });

  test("a WebCrypto key that cannot sign for P-256 is refused", async () => {
    const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-384" }, true, ["sign", "verify"]);
    expect(() => clientOf([], { privateKey: pair.privateKey })).toThrow(/ECDSA on P-256/);
    expect(() => clientOf([], { privateKey: 42 as never })).toThrow(/ECDSA on P-256/);
  });
});

describe("an abort", () => {
  test("is heard by many calls through one listener, so Node warns of no leak", async () => {
    const { signal } = new AbortController();
    const listening = vi.spyOn(signal, "addEventListener");
    const { client } = clientOf([json(200, { items: [], nextCursor: null })]);
    await settle(Promise.all(Array.from({ length: 30 }, () => client.deposits.list({}, { signal }).page())));
    expect(listening).toHaveBeenCalledTimes(1);
  });

  const reason = new Error("The user left.");

  test("while a key signs: nothing is sent", async () => {
    const { client, requests } = clientOf([json(201, receipt)]);
    const controller = new AbortController();
    const call = client.domains.add("a.example", { signal: controller.signal });
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(requests).toHaveLength(0);
  });

  test("between the first answer and the call that is signed again: no second call", async () => {
    const controller = new AbortController();
    const headers = { "x-matchbook-environment": "sandbox" };
    const answer: Answerer = () => {
      const response = refusal(422, "MERCHANT_SIGNATURE_INVALID", headers)();
      const read = response.text.bind(response);
      // The last moment of the first call: its signal is no longer listened to.
      response.text = () => read().finally(() => queueMicrotask(() => queueMicrotask(() => controller.abort(reason))));
      return response;
    };
    const { client, requests } = clientOf([answer, json(201, receipt)]);
    expect(await settle(client.domains.add("a.example", { signal: controller.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test("ends a call whose fetch ignores the signal", async () => {
    const controller = new AbortController();
    let asked: () => void = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const { client } = clientOf([
      () => {
        asked();
        return new Promise<Response>(() => {});
      },
    ]);
    const call = client.campaigns.get("c", { signal: controller.signal });
    await isAsked;
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("ends a list at the next item, although its page was read already", async () => {
    const controller = new AbortController();
    const { client } = clientOf([json(200, { items: [1, 2, 3], nextCursor: null })]);
    const seen: unknown[] = [];
    const walk = async () => {
      for await (const item of client.users.list({}, { signal: controller.signal })) {
        seen.push(item);
        controller.abort(reason);
      }
    };
    await expect(walk()).rejects.toBe(reason);
    expect(seen).toEqual([1]);
  });
});

test("a client shows neither its key nor its settings", () => {
  const { client } = clientOf([], { retries: 7, timeoutMs: 4_321 });
  const shown = inspect(client, { showHidden: true, depth: null }) + JSON.stringify(client);
  expect(shown).toContain(merchantId);
  expect(shown).not.toMatch(/PRIVATE KEY|4_?321|retries|timeoutMs|connection/i);
});

describe("an option that does not exist", () => {
  test.each([
    ["timeout", { timeout: 5_000 }, 'Matchbook has no option "timeout". Did you mean timeoutMs?'],
    ["maxRetries", { maxRetries: 2 }, 'Matchbook has no option "maxRetries". Did you mean retries?'],
    ["baseURL", { baseURL: "https://x.example" }, 'Matchbook has no option "baseURL". Did you mean baseUrl?'],
    ["environement", { environement: "sandbox" }, "Did you mean environment?"],
    ["agent", { agent: {} }, "It takes merchantId, privateKey, sign, environment, bind, baseUrl, fetch, timeoutMs"],
    ["key", { key: "k" }, 'no option "key". It takes merchantId'],
    ["id", { id: "m" }, 'no option "id". It takes merchantId'],
    ["url", { url: "https://x.example" }, 'no option "url". It takes merchantId'],
    ["__proto__", JSON.parse('{"__proto__":1}'), 'no option "__proto__"'],
  ])("is refused by the client: %s", (_name, options, message) => {
    const given = Object.defineProperties(
      { baseUrl, merchantId, privateKey: "k" },
      Object.getOwnPropertyDescriptors(options),
    );
    expect(() => new Matchbook(given as never)).toThrow(message);
  });

  test("is refused by every method, and nothing is sent", async () => {
    const { client, requests } = clientOf([json(200, {})]);
    const options = { timeoutMs: 5_000 } as never;
    expect(() => client.campaigns.list({}, options)).toThrow(/no option "timeoutMs"/);
    expect(() => client.campaigns.qualifiedWallets.list("c", {}, options)).toThrow(/no option/);
    expect(() => client.participants.list("c", {}, options)).toThrow(/no option/);
    expect(() => client.deposits.list({}, options)).toThrow(/no option/);
    expect(() => client.users.list({}, options)).toThrow(/no option/);
    expect(() => client.users.wallets.list("u", {}, options)).toThrow(/no option/);
    expect(() => client.participants.wallets.list("c", "p", {}, options)).toThrow(/no option/);
    const calls = [
      () => client.campaigns.get("c", options),
      () => client.campaigns.qualifiedWallets.check("c", ["0x1"], {}, options),
      () => client.participants.get("c", { id: "i" }, options),
      () => client.participants.submit("c", {} as never, options),
      () => client.participants.dryRun("c", {} as never, options),
      () => client.domains.add("a.example", options),
      () => client.publicKey.get(merchantId, options),
      () => client.sandbox.createDeposit({} as never, options),
      () => client.sandbox.createCampaign({}, options),
      () => Matchbook.applications.create({} as never, { baseUrl, privateKey: "k", timeout: 1 } as never),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(/no option/);
    expect(requests).toHaveLength(0);
  });

  test("is refused by the functions that take a key", async () => {
    const header = await signHeader({ merchantId, privateKey: keys.privateKey });
    const { publicKey, privateKey } = keys;
    await expect(signHeader({ merchantId, privateKey, expires: 1 } as never)).rejects.toThrow(/mean expiresAt/);
    await expect(verifyHeader(header, { merchantId, publicKey, requireBoundSignature: true } as never)).rejects.toThrow(
      /mean requireBoundSignatures/,
    );
    await expect(explainHeader(header, { publickey: publicKey } as never)).rejects.toThrow(/mean publicKey/);
    const proof = signApplicationProof({ domain: "d", mail: "e", privateKey } as never);
    await expect(proof).rejects.toThrow(/mean email/);
    await expect(verifyPaymentLink({ link: "x", baseUrl, timeout: 1 } as never)).rejects.toThrow(/mean timeoutMs/);
  });

  test("is refused inside the request that a header is for", async () => {
    const { publicKey, privateKey } = keys;
    const request = { environment: "sandbox", method: "GET", path: "/v1/x", bodyy: "{}" } as never;
    const message = /^The request of \w+ has no option "bodyy"\. Did you mean body\?$/;
    await expect(signHeader({ merchantId, privateKey, request })).rejects.toThrow(message);
    const header = await signHeader({ merchantId, privateKey });
    await expect(verifyHeader(header, { merchantId, publicKey, request })).rejects.toThrow(message);
    await expect(explainHeader(header, { request })).rejects.toThrow(message);
    const otherEnvironment = { merchant: merchantId } as never;
    await expect(explainHeader(header, { otherEnvironment })).rejects.toThrow(/no option "merchant"/);
  });

  test("is refused by a check of no wallets too", async () => {
    const { client, requests } = clientOf([json(200, {})]);
    const { check } = client.campaigns.qualifiedWallets;
    await expect(check("c", [], { chain: 1 } as never)).rejects.toThrow(/no option "chain"/);
    await expect(check("c", [], {}, { timeoutMs: 1 } as never)).rejects.toThrow(/no option "timeoutMs"/);
    await expect(check("c", "0x1" as never)).rejects.toThrow("addresses must be a list");
    expect(await check("c", [], { chainId: 1 }, {})).toEqual([]);
    expect(requests).toHaveLength(0);
  });

  test.each([
    [{ fetch: 42 }, "fetch must be a function"],
    [{ fetch: null }, "fetch must be a function, not null"],
    [{ clock: 42 }, "clock must be a function"],
    [{ bind: "false" }, "bind must be a boolean"],
    [{ bind: null }, "bind must be a boolean"],
    [{ timeoutMs: "5" }, "timeoutMs must be a number"],
    [{ retries: "2" }, "retries must be a number"],
  ])("a value of another type is refused: %j", async (options, message) => {
    const given = { baseUrl, privateKey: keys.privateKey, ...options };
    const make = () => new Matchbook({ merchantId, ...given } as never);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    if ("bind" in options) return;
    await expect(Matchbook.applications.create({} as never, given as never)).rejects.toThrow(message);
  });

  test.each([
    {},
    { id: undefined },
    { merchantUserId: undefined },
    { merchantUserId: "" },
    { merchantUserId: 42 },
    { id: "i", merchantUserId: "u" },
    { userId: "u" },
    undefined,
  ])("a participant is not fetched by %j", async (key) => {
    const { client, requests } = clientOf([json(200, { items: [] })]);
    await expect(client.participants.get("c", key as never)).rejects.toThrow(TypeError);
    expect(requests).toHaveLength(0);
  });

  test("a signal in the query is refused, with the place where it belongs", async () => {
    const { client, requests } = clientOf([json(200, {})]);
    const { signal } = new AbortController();
    await expect(client.users.list({ signal } as never).page()).rejects.toThrow("Give { signal } as the last argument");
    expect(requests).toHaveLength(0);
  });

  test("a time limit that no timer can hold is refused", () => {
    expect(() => clientOf([], { timeoutMs: Number.POSITIVE_INFINITY })).toThrow(
      /timeoutMs must be above 0 and at most/,
    );
  });
});

describe("lists", () => {
  const pages = [
    json(200, { items: [1, 2], nextCursor: "two" }),
    json(200, { items: [3], nextCursor: "three" }),
    json(200, { items: [], nextCursor: null }),
  ];

  test("are read to the end, page by page", async () => {
    const { client, requests } = clientOf(pages);
    const items: unknown[] = [];
    for await (const item of client.users.list({ limit: 2 })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      "?limit=2",
      "?limit=2&cursor=two",
      "?limit=2&cursor=three",
    ]);
  });

  test("request no page before it is needed", async () => {
    const { client, requests } = clientOf(pages);
    for await (const _item of client.users.list()) break;
    expect(requests).toHaveLength(1);
  });

  test(".page() reads one page, and its cursor continues the list", async () => {
    const { client, requests } = clientOf(pages);
    expect(await client.users.list().page()).toEqual({ items: [1, 2], nextCursor: "two" });
    const rest: unknown[] = [];
    for await (const page of client.users.list({ cursor: "two" }).pages()) rest.push(page.items);
    expect(rest).toEqual([[3], []]);
    expect(requests).toHaveLength(3);
  });
});

describe("errors", () => {
  test("carry the code, the status, the request id and the service's message", async () => {
    const headers = { "x-request-id": "request-1" };
    const { client } = clientOf([refusal(404, "CAMPAIGN_NOT_FOUND", headers)]);
    const error = await settle(client.campaigns.get("c"));
    expect(error).toBeInstanceOf(MatchbookError);
    expect(error).toMatchObject({
      code: "CAMPAIGN_NOT_FOUND",
      status: 404,
      requestId: "request-1",
      retryAfterMs: null,
      message: "A message.",
    });
  });

  test.each([400, 401, 403, 404, 409, 413, 422])("%i is not retried", async (status) => {
    const { client, requests } = clientOf([refusal(status, "NO")]);
    expect(await settle(client.campaigns.get("c"))).toMatchObject({ status, code: "NO" });
    expect(requests).toHaveLength(1);
  });

  test.each([408, 429, 500, 502, 503, 504])("%i is retried, and the last error is thrown", async (status) => {
    const { client, requests } = clientOf([refusal(status, "LATER")], { retries: 2 });
    expect(await settle(client.campaigns.get("c"))).toMatchObject({ status, code: "LATER" });
    expect(requests).toHaveLength(3);
  });

  test("a lost connection is retried", async () => {
    const lost = () => {
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    };
    const { client, requests } = clientOf([lost, lost, json(201, receipt)]);
    expect(await settle(client.domains.add("a.example"))).toEqual(receipt);
    expect(requests).toHaveLength(3);
    const { client: offline } = clientOf([lost], { retries: 0 });
    expect(await settle(offline.campaigns.get("c"))).toMatchObject({
      code: "CONNECTION_FAILED",
      status: null,
      message: "The service could not be reached: connect ECONNREFUSED.",
    });
  });

  test("an attempt that times out is retried", async () => {
    const silent: Answerer = (_url, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const { client, requests } = clientOf([silent, json(201, receipt)], { timeoutMs: 500 });
    expect(await settle(client.domains.add("a.example"))).toEqual(receipt);
    expect(requests).toHaveLength(2);
    const { client: impatient } = clientOf([silent], { timeoutMs: 500, retries: 0 });
    expect(await settle(impatient.campaigns.get("c"))).toMatchObject({ code: "TIMEOUT", status: null });
  });

  test("the caller's signal ends the call with its own reason, also between attempts", async () => {
    const controller = new AbortController();
    const reason = new Error("The user left.");
    const failing: Answerer = () => {
      controller.abort(reason);
      return refusal(503, "OVERLOADED", { "retry-after": "30" })();
    };
    const { client, requests } = clientOf([failing]);
    expect(await settle(client.campaigns.get("c", { signal: controller.signal }))).toBe(reason);
    expect(await settle(client.campaigns.get("c", { signal: controller.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test("an answer that does not come from this API is RESPONSE_INVALID", async () => {
    const { client } = clientOf([() => new Response("<html>", { status: 404 })]);
    expect(await settle(client.campaigns.get("c"))).toMatchObject({ code: "RESPONSE_INVALID", status: 404 });
    const { client: misled } = clientOf([() => new Response("<html>", { status: 200 })]);
    expect(await settle(misled.campaigns.get("c"))).toMatchObject({ code: "RESPONSE_INVALID", status: 200 });
  });

  test.each([
    ["MERCHANT_AUTHORIZATION_EXPIRED", -3_600, "3600 s behind"],
    ["MERCHANT_SIGNATURE_TIMESTAMP_INVALID", 120, "120 s ahead of"],
  ])("%s says how far the clock is off", async (code, skewSeconds, words) => {
    const nowMs = Date.parse("2026-01-15T12:00:00Z");
    const headers = { date: new Date(nowMs - skewSeconds * 1_000).toUTCString() };
    const { client } = clientOf([refusal(422, code, headers)], { clock: () => nowMs });
    expect(await settle(client.campaigns.get("c"))).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  test("RATE_LIMITED of a busy merchant is repeated after Retry-After", async () => {
    const fields = {
      "retry-after": "1",
      ratelimit: '"requests";r=0;t=1',
      "ratelimit-policy": '"requests";q=100;qu="concurrent-requests"',
    };
    const { client, requests } = clientOf([refusal(429, "RATE_LIMITED", fields), json(201, receipt)]);
    const call = client.domains.add("a.example");
    while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(999);
    expect(requests).toHaveLength(1);
    expect(await settle(call)).toEqual(receipt);
    expect(requests).toHaveLength(2);
    const { client: impatient } = clientOf([refusal(429, "RATE_LIMITED", fields)], { retries: 0 });
    expect(await settle(impatient.campaigns.get("c"))).toMatchObject({
      name: "MatchbookError",
      code: "RATE_LIMITED",
      status: 429,
      retryAfterMs: 1_000,
    });
  });

  test("Retry-After of an hour fails the call instead of waiting", async () => {
    const { client, requests } = clientOf([refusal(429, "RATE_LIMITED", { "retry-after": "3600" })]);
    expect(await settle(client.campaigns.get("c"))).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
    expect(requests).toHaveLength(1);
  });
});
