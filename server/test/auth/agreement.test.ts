import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { importPublicKey, verifyHeader } from "../../../sdk/src/index.ts";
import { parseInstant as parseInstantOfSdk } from "../../../sdk/src/instants.ts";
import { checkTime, parseEnvelope } from "../../src/auth/envelope.ts";
import { AppError, fail } from "../../src/http/errors.ts";
import { parseInstant } from "../../src/instants.ts";
import { verifySignature } from "../../src/signing/signature.ts";

// The server and the SDK judge headers with code that has nothing in common. Wherever they disagree, one of them is wrong.

const merchantId = "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f60";
const nowMs = Date.parse("2026-01-15T12:00:00.000Z");
const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const sdkKey = await importPublicKey(publicKey.export({ type: "spki", format: "pem" }).toString());

function serverCode(header: string): string | null {
  try {
    const envelope = parseEnvelope(header);
    if (envelope.merchantId !== merchantId) fail("MERCHANT_NOT_REGISTERED");
    checkTime(envelope, nowMs);
    if (!verifySignature(publicKey, envelope.payload, envelope.signature)) fail("MERCHANT_SIGNATURE_INVALID");
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

const request = { environment: "production", method: "GET", path: '/v1/a?b="c"', body: null } as const;
const bind = {
  environment: request.environment,
  merchantId,
  method: request.method,
  path: request.path,
  bodySha256: "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
};

/** Whether `bind` is true is asked of the vectors; here both are asked whether it is one. */
async function sdkCode(header: string): Promise<string | null> {
  const { code, message } = await verifyHeader(header, { merchantId, publicKey: sdkKey, now: nowMs, request });
  return message.includes("is not true of the request") ? null : code;
}

const mapValues = (parts: Record<string, string>): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(
    Object.entries(parts).map(([part, value]) => [part, fc.constantFrom<unknown>(value, value, "x", 1)]),
  );

const time = fc.oneof(
  fc.integer({ min: nowMs - 901_000, max: nowMs + 61_000 }).map((ms) => new Date(ms).toISOString()),
  fc.constantFrom("2026-01-15T12:00:00+00:00", "2026-01-15T12:00Z", "2026-02-30T00:00:00Z", "soon", ""),
);
const payloadText = fc.oneof(
  fc
    .record(
      {
        version: fc.constantFrom<unknown>("v1", "v2", 1),
        signatureTimestamp: time,
        expiresAt: time,
        amount: fc.constant(1),
        bind: fc.oneof(
          fc.constant<unknown>(bind),
          fc.record(
            { ...mapValues(bind), host: fc.constant("x") },
            { requiredKeys: Object.keys(bind).slice(1) as never[] },
          ),
          fc.constantFrom<unknown>(null, "x", [], {}),
        ),
      },
      { requiredKeys: ["version", "signatureTimestamp"] },
    )
    .map((value) => JSON.stringify(value)),
  time.map((text) => `{"version":"v1","signatureTimestamp":${JSON.stringify(text)}}`),
  fc.constant(JSON.stringify({ version: "v1", signatureTimestamp: new Date(nowMs).toISOString(), bind })),
);

/** A text with a few characters replaced, removed or added, out of those that mean something somewhere. */
function altered(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.nat(),
    remove: fc.nat(2),
    add: fc.string({ unit: fc.constantFrom(...'{}[]",:\\ =+/-_Aeu0\n\u00e9\0'), maxLength: 2 }),
  });
  return fc.tuple(text, fc.array(edit, { maxLength: 2 })).map(([original, edits]) =>
    edits.reduce((current, { at, remove, add }) => {
      const place = at % (current.length + 1);
      return `${current.slice(0, place)}${add}${current.slice(place + remove)}`;
    }, original),
  );
}

const signatureBytes = (payload: string, dsaEncoding: "der" | "ieee-p1363") =>
  sign("sha256", Buffer.from(payload), { key: privateKey, dsaEncoding });

test("server and SDK agree on every header", async () => {
  const header = fc
    .tuple(
      altered(payloadText),
      fc.constantFrom("der" as const, "ieee-p1363" as const),
      fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 1 }),
    )
    .chain(([text, dsaEncoding, changes]) => {
      const payload = Buffer.from(text).toString("base64url");
      const bytes = signatureBytes(payload, dsaEncoding);
      for (const [index, value] of changes) bytes[index % bytes.length] = value;
      const envelope = JSON.stringify({ merchantId, payload, signature: bytes.toString("base64url") });
      return fc.oneof(
        fc.constant(Buffer.from(envelope).toString("base64")),
        altered(fc.constant(envelope)).map((changed) => Buffer.from(changed).toString("base64")),
        altered(fc.constant(Buffer.from(envelope).toString("base64"))),
      );
    });
  const seen = new Set<string | null>();
  await fc.assert(
    fc.asyncProperty(header, async (value) => {
      const code = serverCode(value);
      seen.add(code);
      expect(await sdkCode(value)).toBe(code);
    }),
    { numRuns: 4_000 },
  );
  expect(seen).toContain(null);
  expect(seen).toContain("VALIDATION_ERROR");
  expect(seen).toContain("MERCHANT_SIGNATURE_INVALID");
});

test("server and SDK agree on every time", () => {
  const text = altered(
    fc.oneof(
      fc
        .date({
          min: new Date("0000-12-30T00:00:00Z"),
          max: new Date("+010000-01-02T00:00:00Z"),
          noInvalidDate: true,
        })
        .map((date) => date.toISOString()),
      fc.stringMatching(
        /^[0-2]\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d(:[0-6]\d([.,]\d{1,9})?)?(Z|[+-][0-2]\d(:?[0-6]\d)?)?$/,
      ),
    ),
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(parseInstantOfSdk(value)).toBe(parseInstant(value));
    }),
    { numRuns: 20_000 },
  );
});
