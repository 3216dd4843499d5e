import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../http/errors.ts";
import { verifySignature } from "../signing/signature.ts";
import { checkBody, checkHeading } from "./bind.ts";
import { checkTime, type Envelope, parseEnvelope } from "./envelope.ts";

const now = "2026-01-15T12:00:00.000Z";
const nowMs = Date.parse(now);
const merchantId = "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f60";
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

const identity = { version: "v1", signatureTimestamp: now };
const paymentLink = {
  amount: 25.5,
  chainId: 8453,
  address: "0x52908400098527886E0F7030069857D2E4169EE7",
  token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  idempotencyKey: "6f1c1d0e-7a37-4b8a-9c43-0d7f5b1f2a11",
  callbackScheme: null,
  signatureTimestamp: now,
  version: "v1",
};

function signedHeader(
  content: object,
  key: KeyObject = privateKey,
  dsaEncoding: "der" | "ieee-p1363" = "ieee-p1363",
): string {
  const payload = Buffer.from(JSON.stringify(content)).toString("base64url");
  const signature = sign("sha256", Buffer.from(payload), { key, dsaEncoding }).toString("base64url");
  return encode({ merchantId, payload, signature });
}

function encode(envelope: unknown): string {
  return Buffer.from(JSON.stringify(envelope)).toString("base64");
}

function refusal(action: () => unknown): AppError {
  try {
    action();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("Nothing was refused.");
}

/** Whether the header would authenticate the merchant, and never any error but the expected ones. */
function authenticates(header: string | string[] | undefined): boolean {
  try {
    const envelope = parseEnvelope(header);
    checkTime(envelope, nowMs);
    return verifySignature(publicKey, envelope.payload, envelope.signature);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect([400, 401, 422]).toContain((error as AppError).status);
    return false;
  }
}

function envelopeAt(signatureTimestamp: string, expiresAt?: string): Envelope {
  return { merchantId, payload: "", signature: new Uint8Array(), signatureTimestamp, expiresAt, bind: undefined };
}

describe("parseEnvelope", () => {
  test("returns what the header says", () => {
    const expiresAt = "2026-01-15T12:00:10Z";
    const header = signedHeader({ ...identity, expiresAt });
    const parts = JSON.parse(Buffer.from(header, "base64").toString());
    expect(parseEnvelope(header)).toEqual({
      merchantId,
      payload: parts.payload,
      signature: Buffer.from(parts.signature, "base64url"),
      signatureTimestamp: now,
      expiresAt,
      bind: undefined,
    });
    expect(parseEnvelope([header]).expiresAt).toBe(expiresAt);
    expect(parseEnvelope(signedHeader(identity)).expiresAt).toBeUndefined();
  });

  test("is read alike in the usual spelling and in any other", () => {
    fc.assert(
      fc.property(
        fc.record({
          merchantId: fc.oneof(fc.uuid(), fc.string({ minLength: 1 })),
          signatureTimestamp: fc.oneof(
            fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
            fc.string({ unit: fc.constantFrom(..."0123456789T:.Z+-") }),
            fc.string(),
          ),
        }),
        ({ merchantId, signatureTimestamp }) => {
          const outcomes = [undefined, "\t"].map((indentation) => {
            const encoded = (value: object) => Buffer.from(JSON.stringify(value, null, indentation));
            const payload = encoded({ version: "v1", signatureTimestamp }).toString("base64url");
            try {
              const header = encoded({ merchantId, payload, signature: "AAAA" }).toString("base64");
              const { payload: _asSpelt, ...read } = parseEnvelope(header);
              return read;
            } catch (error) {
              return (error as AppError).message;
            }
          });
          expect(outcomes[1]).toEqual(outcomes[0]);
        },
      ),
    );
  });

  test("a signed payment link is refused as a credential, with the reason", () => {
    for (const link of [paymentLink, { ...paymentLink, url: "https://shop.example/pay" }]) {
      const error = refusal(() => parseEnvelope(signedHeader(link)));
      expect(error.status).toBe(400);
      expect(error.message).toContain("A signed payment link is not a credential.");
    }
  });

  test("every single key of a payment link is one too many", () => {
    for (const [key, value] of Object.entries({ ...paymentLink, url: "https://shop.example/pay" })) {
      if (key in identity) continue;
      expect(refusal(() => parseEnvelope(signedHeader({ ...identity, [key]: value }))).status, key).toBe(400);
    }
  });

  test.each([
    [undefined, 401, "required"],
    ["", 401, "required"],
    [[], 401, "required"],
    [["YQ", "YQ"], 400, "(header): it was sent more than once"],
    ["YQ, YQ", 400, "sent more than once"],
    ["*", 400, '(outer base64): character 1 is "*"'],
    ["Bearer YQ", 400, "no scheme"],
    ['{"merchantId":"a"}', 400, "(outer base64): this is JSON"],
    ["Y", 400, "(outer base64): no encoder writes this text"],
    ["YW-/", 400, "mixes the standard and the url-safe alphabet"],
    [Buffer.from([0xff]).toString("base64"), 400, "(envelope JSON): the decoded bytes are not UTF-8"],
    [Buffer.from("merchant").toString("base64"), 400, "(envelope JSON): the decoded text is not JSON"],
    [encode([]), 400, "(envelope JSON): the decoded text is not a JSON object"],
    [Buffer.from(encode({ merchantId: "a" })).toString("base64"), 400, "base64-encoded twice"],
    [encode({}), 400, "(envelope.merchantId): it is missing"],
    [encode({ merchantId: 1, payload: "", signature: "" }), 400, "(envelope.merchantId): it must be a string"],
    [encode({ merchantId: "", payload: "", signature: "" }), 400, "(envelope.merchantId): it is empty"],
    [
      encode({ merchantId: "a", payload: "", signature: "", alg: "" }),
      400,
      '(envelope JSON): it may not hold the key "alg"',
    ],
    [encode(identity), 400, "This is the payload"],
    [encode({ merchantId: "a", payload: "", signature: "+" }), 400, "(signature base64url): this is standard base64"],
    [encode({ merchantId: "a", payload: "{}", signature: "" }), 400, "(payload base64url): this is JSON"],
    [encode({ merchantId: "a", payload: "a b", signature: "" }), 400, '(payload base64url): character 2 is " "'],
    [encode({ merchantId: "a", payload: "YQ", signature: "" }), 400, "(payload JSON): the decoded text is not JSON"],
    [encode({ merchantId: "a", payload: "e30", signature: "" }), 400, "(payload.version): it is missing"],
  ] as const)("answers %j with %i: … %s …", (header, status, message) => {
    const error = refusal(() => parseEnvelope(header as string | string[] | undefined));
    expect(error.status).toBe(status);
    expect(error.message).toContain(message);
  });

  test("never quotes a caller at length", () => {
    const error = refusal(() => parseEnvelope(encode({ ["k".repeat(2_000)]: 1 })));
    expect(error.message.length).toBeLessThan(200);
  });

  test("4096 characters are read, more are not", () => {
    const filled = (spaces: number) => Buffer.from(`{}${" ".repeat(spaces)}`).toString("base64url");
    expect(refusal(() => parseEnvelope(filled(3_070))).message).toContain("merchantId");
    expect(filled(3_070)).toHaveLength(4_096);
    expect(refusal(() => parseEnvelope(filled(3_071))).message).toContain("4098 characters long");
  });

  test("as many quotation marks as a value likes do not look like a repeated key", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', "\\", "a", "é", "\n"), minLength: 1, maxLength: 100 }),
        (id) => {
          const { payload, signature } = JSON.parse(Buffer.from(signedHeader(identity), "base64").toString());
          expect(parseEnvelope(encode({ merchantId: id, payload, signature })).merchantId).toBe(id);
        },
      ),
    );
  });

  test("a repeated key is refused, with any value and in any place", () => {
    const value = fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.stringify(json));
    fc.assert(
      fc.property(fc.constantFrom("version", "signatureTimestamp"), value, fc.nat(2), (key, extra, place) => {
        const members = Object.entries(identity).map(
          ([name, text]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`,
        );
        members.splice(place, 0, `${JSON.stringify(key)}:${extra}`);
        const payload = Buffer.from(`{${members.join(",")}}`).toString("base64url");
        expect(refusal(() => parseEnvelope(encode({ merchantId, payload, signature: "" }))).status).toBe(400);
      }),
    );
  });
});

describe("bind", () => {
  const bind = {
    environment: "production",
    merchantId,
    method: "POST",
    path: "/v1/merchant-domains?a=b%20c",
    bodySha256: createHash("sha256").update("{}").digest("base64url"),
  };
  const heading = { environment: "production", merchantId, method: "POST", path: bind.path };

  test("is read with all five parts, in any order and spacing", () => {
    expect(parseEnvelope(signedHeader({ ...identity, bind })).bind).toEqual(bind);
    const reversed = Object.fromEntries(Object.entries(bind).reverse());
    expect(parseEnvelope(signedHeader({ bind: reversed, ...identity })).bind).toEqual(bind);
    expect(parseEnvelope(signedHeader(identity)).bind).toBeUndefined();
  });

  test("without one of its parts, with one of another type or with one more is 400 that names it", () => {
    for (const part of Object.keys(bind)) {
      const { [part]: _left, ...rest } = bind as Record<string, unknown>;
      const missing = refusal(() => parseEnvelope(signedHeader({ ...identity, bind: rest })));
      expect([missing.status, missing.message]).toEqual([400, expect.stringContaining(`payload.bind.${part}`)]);
      for (const value of [null, 1, true, [], {}, ["POST"]]) {
        expect(
          refusal(() => parseEnvelope(signedHeader({ ...identity, bind: { ...bind, [part]: value } }))).status,
        ).toBe(400);
      }
    }
    const extra = refusal(() => parseEnvelope(signedHeader({ ...identity, bind: { ...bind, host: "x" } })));
    expect([extra.status, extra.message]).toEqual([400, expect.stringContaining('"host"')]);
    for (const value of [null, [], "", 1, undefined]) {
      const text = JSON.stringify({ ...identity, bind: value ?? null });
      const payload = Buffer.from(text).toString("base64url");
      expect(refusal(() => parseEnvelope(encode({ merchantId, payload, signature: "" }))).status).toBe(400);
    }
  });

  test("any other value of any part is 422, and the message names the part", () => {
    expect(() => checkHeading(bind, heading)).not.toThrow();
    expect(() => checkBody(bind, Buffer.from("{}"))).not.toThrow();
    fc.assert(
      fc.property(fc.constantFrom("environment", "merchantId", "method", "path"), fc.string(), (part, text) => {
        if (text === bind[part]) return;
        const error = refusal(() => checkHeading({ ...bind, [part]: text }, heading));
        expect([error.code, error.message]).toEqual([
          "MERCHANT_SIGNATURE_INVALID",
          expect.stringContaining(`bind.${part} is`),
        ]);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        if (Buffer.from(bytes).equals(Buffer.from("{}"))) return;
        expect(refusal(() => checkBody(bind, Buffer.from(bytes))).message).toContain("bind.bodySha256 is");
      }),
    );
    expect(refusal(() => checkBody(bind, null)).code).toBe("MERCHANT_SIGNATURE_INVALID");
  });

  test("of no body is the digest of no bytes, and messages stay short", () => {
    const empty = { ...bind, bodySha256: "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU" };
    expect(() => checkBody(empty, null)).not.toThrow();
    expect(() => checkBody(empty, Buffer.alloc(0))).not.toThrow();
    const long = refusal(() =>
      checkHeading({ ...bind, path: "/a".repeat(1_000) }, { ...heading, path: "/b".repeat(5_000) }),
    );
    expect(long.message.length).toBeLessThan(500);
    expect(long.message).toContain("differ from character 2 on");
  });
});

describe("checkTime", () => {
  test.each([
    ["2026-01-15T12:00:00.000Z", undefined],
    ["2026-01-15T11:45:00.000Z", undefined],
    ["2026-01-15T12:01:00.000Z", undefined],
    ["2026-01-15T12:01:00.000999Z", undefined],
    ["2026-01-15T12:00:00.000Z", now],
    ["2026-01-15T12:00:00.000Z", "2099-01-01T00:00:00Z"],
  ])("accepts %s, expiring %s", (signatureTimestamp, expiresAt) => {
    expect(() => checkTime(envelopeAt(signatureTimestamp, expiresAt), nowMs)).not.toThrow();
  });

  test.each([
    ["2026-01-15T11:44:59.999Z", undefined, "MERCHANT_AUTHORIZATION_EXPIRED"],
    ["2026-01-15T11:44:59.999Z", "2026-01-15T13:00:00Z", "MERCHANT_AUTHORIZATION_EXPIRED"],
    ["2026-01-15T12:00:00.000Z", "2026-01-15T11:59:59.999Z", "MERCHANT_AUTHORIZATION_EXPIRED"],
    ["2026-01-15T12:30:00.000Z", "2026-01-15T11:59:59.999Z", "MERCHANT_AUTHORIZATION_EXPIRED"],
    ["2026-01-15T12:01:00.001Z", undefined, "MERCHANT_SIGNATURE_TIMESTAMP_INVALID"],
    ["2026-01-15T12:00:00.000", undefined, "MERCHANT_SIGNATURE_TIMESTAMP_INVALID"],
    ["2026-01-15T12:00:00.000Z", "soon", "MERCHANT_SIGNATURE_TIMESTAMP_INVALID"],
    ["2026-01-15T11:00:00.000Z", "soon", "MERCHANT_SIGNATURE_TIMESTAMP_INVALID"],
  ])("refuses %s, expiring %s: %s", (signatureTimestamp, expiresAt, code) => {
    expect(refusal(() => checkTime(envelopeAt(signatureTimestamp, expiresAt), nowMs)).code).toBe(code);
  });

  test("states the server's time and the measured skew", () => {
    const late = refusal(() => checkTime(envelopeAt("2026-01-15T13:44:59.999+02:00"), nowMs)).message;
    expect(late).toContain(`2026-01-15T11:44:59.999Z is 900.001 s behind the server's time ${now}`);
    const early = refusal(() => checkTime(envelopeAt("2026-01-15T12:01:00.001Z"), nowMs)).message;
    expect(early).toContain(`60.001 s ahead of the server's time ${now}`);
    const over = refusal(() => checkTime(envelopeAt(now, "2026-01-15T11:59:50.500Z"), nowMs)).message;
    expect(over).toContain(`expiresAt 2026-01-15T11:59:50.500Z is 9.500 s behind the server's time ${now}`);
    const unread = refusal(() => checkTime(envelopeAt("2026-01-15 12:00"), nowMs)).message;
    expect(unread).toContain(`signatureTimestamp "2026-01-15 12:00" is not`);
    expect(unread).toContain(now);
  });

  test("expiresAt can only shorten", () => {
    const time = fc.integer({ min: nowMs - 2_000_000, max: nowMs + 200_000 }).map((ms) => new Date(ms).toISOString());
    const isInForce = (envelope: Envelope) => {
      try {
        checkTime(envelope, nowMs);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(time, time, (signatureTimestamp, expiresAt) => {
        if (isInForce(envelopeAt(signatureTimestamp, expiresAt))) {
          expect(isInForce(envelopeAt(signatureTimestamp))).toBe(true);
          expect(nowMs).toBeLessThanOrEqual(Date.parse(expiresAt));
        }
      }),
    );
  });
});

describe("any header", () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  test("nothing is thrown but refusals with 400, 401 or 422, and nothing is accepted", () => {
    const part = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary" }),
      fc.base64String(),
      json,
      json.map((value) => Buffer.from(JSON.stringify(value)).toString("base64url")),
      fc
        .record(
          {
            version: fc.constant("v1"),
            signatureTimestamp: fc.oneof(fc.constant(now), fc.string()),
            expiresAt: json,
            bind: json,
          },
          { requiredKeys: [] },
        )
        .map((value) => Buffer.from(JSON.stringify(value)).toString("base64url")),
      fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
    );
    const header = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.base64String({ maxLength: 6_000 }),
      fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString("base64")),
      json.map((value) => base64(JSON.stringify(value))),
      fc
        .record({ merchantId: part, payload: part, signature: part }, { requiredKeys: [] })
        .map((value) => base64(JSON.stringify(value))),
      fc.array(fc.string(), { maxLength: 3 }),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(header, (value) => {
        expect(authenticates(value)).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });

  test("depth does not crash", () => {
    for (const deep of ["[".repeat(3_000), `${"[".repeat(1_500)}${"]".repeat(1_500)}`, '{"a":'.repeat(600)]) {
      expect(authenticates(base64(deep))).toBe(false);
    }
  });

  test("any key's own header authenticates it, in both encodings, and no other key", () => {
    const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
    for (let round = 0; round < 25; round++) {
      const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
      for (const dsaEncoding of ["der", "ieee-p1363"] as const) {
        const envelope = parseEnvelope(signedHeader(identity, pair.privateKey, dsaEncoding));
        expect(verifySignature(pair.publicKey, envelope.payload, envelope.signature)).toBe(true);
        expect(verifySignature(stranger, envelope.payload, envelope.signature)).toBe(false);
      }
    }
  });

  // merchantId is outside the signature by the specification's design (decision 6): a changed one names another
  // merchant, whose key then does not fit. Every other bit of the header counts.
  test.each(["der", "ieee-p1363"] as const)(
    "a flipped bit is refused, or names another merchant (%s)",
    (dsaEncoding) => {
      const header = signedHeader(identity, privateKey, dsaEncoding);
      const original = parseEnvelope(header);
      for (let index = 0; index < header.length; index++) {
        for (let bit = 0; bit < 8; bit++) {
          const flipped = String.fromCharCode(header.charCodeAt(index) ^ (1 << bit));
          const altered = `${header.slice(0, index)}${flipped}${header.slice(index + 1)}`;
          if (!authenticates(altered)) continue;
          const envelope = parseEnvelope(altered);
          expect(envelope.merchantId).not.toBe(merchantId);
          expect({ ...envelope, merchantId }).toEqual(original);
        }
      }
    },
  );
});
