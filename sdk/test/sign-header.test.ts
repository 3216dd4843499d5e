import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateKeyPair, importPrivateKey, signHeader, verifyHeader } from "../src/index.ts";

const now = new Date("2026-01-15T12:00:00.000Z");
const { privateKey, publicKey } = await generateKeyPair();

function decode(header: string) {
  const envelope = JSON.parse(Buffer.from(header, "base64").toString());
  return { envelope, payload: JSON.parse(Buffer.from(envelope.payload, "base64url").toString()) };
}

describe("signHeader", () => {
  test("writes the envelope of the specification and nothing else", async () => {
    const { envelope, payload } = decode(await signHeader({ merchantId: "m", privateKey, now }));
    expect(Object.keys(envelope)).toEqual(["merchantId", "payload", "signature"]);
    expect(payload).toEqual({ version: "v1", signatureTimestamp: "2026-01-15T12:00:00.000Z" });
    expect(Buffer.from(envelope.signature, "base64url")).toHaveLength(64);
  });

  test("binds the header to a request, over the bytes of its body", async () => {
    const request = {
      environment: "sandbox",
      method: "POST",
      path: "/v1/merchant-domains?a=1",
      body: '{"domain":"händler.example"}',
    } as const;
    const header = await signHeader({ merchantId: "m", privateKey, now, request });
    expect(decode(header).payload).toEqual({
      version: "v1",
      signatureTimestamp: "2026-01-15T12:00:00.000Z",
      bind: {
        environment: "sandbox",
        merchantId: "m",
        method: "POST",
        path: "/v1/merchant-domains?a=1",
        bodySha256: createHash("sha256").update(request.body).digest("base64url"),
      },
    });
    const asBytes = { ...request, body: new TextEncoder().encode(request.body) };
    const verify = (given: typeof request | typeof asBytes) =>
      verifyHeader(header, { merchantId: "m", publicKey, now, request: given });
    expect(await verify(request)).toMatchObject({ status: 200 });
    expect(await verify(asBytes)).toMatchObject({ status: 200 });
    expect(decode(await signHeader({ merchantId: "m", privateKey, now, request: asBytes })).payload.bind).toEqual(
      decode(header).payload.bind,
    );
  });

  test("without a body, binds to the digest of the empty string", async () => {
    const request = { environment: "production", method: "GET", path: "/v1/merchant-users" } as const;
    for (const body of [undefined, null, "", new Uint8Array()]) {
      const header = await signHeader({ merchantId: "m", privateKey, request: { ...request, body } });
      expect(decode(header).payload.bind.bodySha256).toBe("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    }
  });

  test.each([
    ["another environment", { environment: "test" }, /environment/],
    ["a method in lower case", { method: "get" }, /capitals/],
    ["no method", { method: undefined }, /method/],
    ["a path with the host", { path: "https://api.example.com/v1" }, /path/],
    ["a path without a slash", { path: "v1" }, /path/],
    ["a path with a fragment", { path: "/v1#a" }, /path/],
    ["a path with a space", { path: "/v1/a b" }, /path/],
    ["a path beyond ASCII", { path: "/v1/ä" }, /path/],
    ["a body that is an object", { body: { domain: "a.example" } }, /body/],
    ["a path too long for the header", { path: `/v1/${"a".repeat(3_000)}` }, /too long to be bound/],
  ])("signs for no request with %s", async (_name, change, message) => {
    const request = { environment: "production", method: "GET", path: "/v1/merchant-users", ...change } as never;
    await expect(signHeader({ merchantId: "m", privateKey, request })).rejects.toThrow(message);
  });

  test("is accepted, also with the current time", async () => {
    const header = await signHeader({ merchantId: "m", privateKey });
    expect(await verifyHeader(header, { merchantId: "m", publicKey })).toMatchObject({
      status: 200,
      code: null,
    });
  });

  test("carries expiresAt, and ends there", async () => {
    const expiresAt = new Date(now.getTime() + 5_000);
    const header = await signHeader({ merchantId: "m", privateKey, now, expiresAt });
    expect(decode(header).payload.expiresAt).toBe("2026-01-15T12:00:05.000Z");
    const at = (ms: number) => verifyHeader(header, { merchantId: "m", publicKey, now: now.getTime() + ms });
    expect(await at(5_000)).toMatchObject({ status: 200 });
    expect(await at(5_001)).toMatchObject({ status: 422, code: "MERCHANT_AUTHORIZATION_EXPIRED" });
  });

  test("takes an imported key and a PEM with literal \\n", async () => {
    for (const key of [await importPrivateKey(privateKey), privateKey.replaceAll("\n", "\\n")]) {
      const header = await signHeader({ merchantId: "m", privateKey: key, now });
      expect(await verifyHeader(header, { merchantId: "m", publicKey, now })).toMatchObject({ status: 200 });
    }
  });

  test("works for any merchant id and time", async () => {
    const id = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((text) => text.trim() !== "" && !text.includes("\0"));
    const time = fc.date({
      min: new Date("1000-01-01T00:00:00Z"),
      max: new Date("9000-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    const key = await importPrivateKey(privateKey);
    await fc.assert(
      fc.asyncProperty(id, time, async (merchantId, date) => {
        const header = await signHeader({ merchantId, privateKey: key, now: date });
        expect(await verifyHeader(header, { merchantId, publicKey, now: date })).toMatchObject({
          status: 200,
        });
      }),
    );
  });

  test("refuses values that can only be a mistake", async () => {
    await expect(signHeader({ merchantId: " ", privateKey })).rejects.toThrow("merchantId is empty");
    await expect(signHeader({ merchantId: "m", privateKey: publicKey })).rejects.toThrow("This is the public key");
    await expect(signHeader({ merchantId: "m", privateKey, now, expiresAt: now.getTime() - 1 })).rejects.toThrow(
      "expiresAt",
    );
    await expect(signHeader({ merchantId: "m", privateKey, now: new Date(Number.NaN) })).rejects.toThrow(RangeError);
  });
});

describe("verifyHeader", () => {
  test("says in words what is wrong", async () => {
    const header = await signHeader({ merchantId: "m", privateKey, now });
    const verdict = await verifyHeader(header, { merchantId: "m", publicKey, now: now.getTime() + 900_001 });
    expect(verdict.message).toBe("The header is refused: it was signed 900.001 s ago and has expired.");
  });
});

describe("the package", () => {
  test("uses only the web's interfaces", () => {
    const folder = new URL("../src/", import.meta.url);
    for (const name of readdirSync(folder)) {
      const source = readFileSync(new URL(name, folder), "utf8");
      expect(source, name).not.toMatch(/from "(?!\.\/)|\bBuffer\.|\bprocess\.|\brequire\(|\bimport\(/);
    }
  });
});
