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
    const number = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from([0x02, bytes.length, ...bytes]));
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

// OpenSSL refuses these as well, so only the description shows that they never reach it.
describe("the check before OpenSSL", () => {
  const order = "00ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
  const orderLessOne = order.replace(/51$/, "50");
  const low = "7f".repeat(32);
  const high = `00${"80".repeat(32)}`;
  const element = (tag: string, content: string) =>
    `${tag}${(content.length / 2).toString(16).padStart(2, "0")}${content}`;
  const pair = (r: string, s: string) => element("30", element("02", r) + element("02", s));
  const describeHex = (hex: string) => describeInvalidSignature(Buffer.from(hex, "hex"));

  test.each([
    ["two low numbers", pair(low, low)],
    ["two high numbers", pair(high, high)],
    ["one and one", pair("01", "01")],
    ["n - 1", pair(orderLessOne, orderLessOne)],
    ["64 bytes of DER", pair("01".repeat(29), "01".repeat(29))],
    ["64 bytes of P1363", "01".repeat(64)],
    ["64 bytes of P1363, n - 1", orderLessOne.slice(2).repeat(2)],
  ])("lets %s through", (_, hex) => {
    expect(describeHex(hex)).toContain("does not match");
  });

  test.each([
    ["nothing", ""],
    ["a long length", `3081${pair(low, low).slice(2)}`],
    ["an indefinite length", `3080${pair(low, low).slice(4)}0000`],
    ["a length too small", pair(low, low).replace(/^3044/, "3043")],
    ["a length too large", pair(low, low).replace(/^3044/, "3045")],
    ["a set", pair(low, low).replace(/^30/, "31")],
    ["an octet string inside", pair(low, low).replace("0220", "0420")],
    ["a long length inside", element("30", `028120${low}${element("02", low)}`)],
    ["a padded r", pair(`00${low}`, low)],
    ["a padded s", pair(low, `00${low}`)],
    ["a high number padded twice", pair(`00${high}`, low)],
    ["a negative r", pair(high.slice(2), low)],
    ["a negative s", pair(low, high.slice(2))],
    ["an empty r", pair("", low)],
    ["an empty s", pair(low, "")],
    ["r of 0", pair("00", low)],
    ["s of 0", pair(low, "00")],
    ["r of 0 in two bytes", pair("0000", low)],
    ["r of n", pair(order, low)],
    ["s of n", pair(low, order)],
    ["r beyond n", pair(`00${"ff".repeat(32)}`, low)],
    ["r of 33 bytes", pair(`01${low}`, low)],
    ["r reaching beyond the end", "3006020501020101"],
    ["a head without r", "3000"],
    ["r without s", element("30", element("02", low))],
    ["three numbers", element("30", element("02", low).repeat(3))],
    ["a byte behind", `${pair(low, low)}00`],
    ["a byte behind, inside", element("30", `${element("02", low).repeat(2)}00`)],
    ["a byte before", `00${pair(low, low)}`],
    ["63 bytes", "01".repeat(63)],
    ["65 bytes", "01".repeat(65)],
    ["64 bytes with r of 0", "00".repeat(32) + low],
    ["64 bytes with s of 0", low + "00".repeat(32)],
    ["64 bytes with r of n", order.slice(2) + low],
    ["64 bytes with s of n", low + order.slice(2)],
  ])("stops %s", (_, hex) => {
    expect(describeHex(hex)).toContain("neither");
    expect(verifySignature(publicKey, payload, Buffer.from(hex, "hex"))).toBe(false);
  });
});
