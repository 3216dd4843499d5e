import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeInvalidSignature, verifySignature } from "./signature.ts";

// The classes of malformed signatures are the vectors' business; here are the rules that hold for every signature.

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const payload = Buffer.from('{"version":"v1"}').toString("base64url");
const der = sign("sha256", Buffer.from(payload), { key: privateKey, dsaEncoding: "der" });
const p1363 = sign("sha256", Buffer.from(payload), { key: privateKey, dsaEncoding: "ieee-p1363" });

describe("verifySignature", () => {
  test("takes both encodings of many signatures, short numbers among them", () => {
    for (let round = 0; round < 600; round++) {
      const text = `${payload}${round}`;
      for (const dsaEncoding of ["der", "ieee-p1363"] as const) {
        const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding });
        expect(verifySignature(publicKey, text, signature), signature.toString("hex")).toBe(true);
      }
    }
  });

  test("takes a view into a larger buffer", () => {
    const buffer = Buffer.concat([Buffer.from([1, 2, 3]), der, Buffer.from([4, 5, 6])]);
    expect(verifySignature(publicKey, payload, buffer.subarray(3, 3 + der.length))).toBe(true);
    expect(verifySignature(publicKey, payload, new Uint8Array(p1363))).toBe(true);
  });

  test("refuses another payload", () => {
    expect(verifySignature(publicKey, `${payload}=`, der)).toBe(false);
    expect(verifySignature(publicKey, "", p1363)).toBe(false);
  });

  test("refuses any flipped bit", () => {
    for (const signature of [der, p1363]) {
      for (let bit = 0; bit < 8 * signature.length; bit++) {
        const altered = Buffer.from(signature);
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(verifySignature(publicKey, payload, altered), `bit ${bit}`).toBe(false);
      }
    }
  });

  test("refuses every cut and every extension", () => {
    for (const signature of [der, p1363]) {
      for (let length = 0; length < signature.length; length++) {
        expect(verifySignature(publicKey, payload, signature.subarray(0, length))).toBe(false);
        expect(verifySignature(publicKey, payload, signature.subarray(length + 1))).toBe(false);
      }
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 1, maxLength: 80 }), fc.boolean(), (extra, before) => {
          const altered = Buffer.concat(before ? [extra, signature] : [signature, extra]);
          expect(verifySignature(publicKey, payload, altered)).toBe(false);
        }),
      );
    }
  });

  test("never throws and never accepts arbitrary bytes, nor bytes dressed up as DER", () => {
    const number = fc
      .uint8Array({ maxLength: 40 })
      .map((bytes) => Buffer.from([0x02, bytes.length, ...bytes]));
    const dressed = fc
      .tuple(number, number)
      .map(([r, s]) => Buffer.concat([Buffer.from([0x30, r.length + s.length]), r, s]));
    const sized = fc.uint8Array({ minLength: 64, maxLength: 64 });
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), sized, dressed), (bytes) => {
        expect(verifySignature(publicKey, payload, bytes)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("describeInvalidSignature", () => {
  test("tells bytes of neither encoding from a signature that does not match", () => {
    expect(describeInvalidSignature(p1363.subarray(1))).toContain("63 bytes are neither");
    expect(describeInvalidSignature(new Uint8Array())).toContain("0 bytes are neither");
    for (const signature of [der, p1363]) {
      expect(describeInvalidSignature(signature)).toContain("signed instead of its base64url text");
    }
  });
});
