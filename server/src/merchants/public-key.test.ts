import { createPublicKey, ECDH, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../http/errors.ts";
import { fingerprint, keyObject, parsePublicKey } from "./public-key.ts";

const FIELD = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = spkiPem(pair.publicKey);
const der = spkiDer(pair.publicKey);
const compressedDer = compress(der);

function spkiPem(key: KeyObject): string {
  return key.export({ type: "spki", format: "pem" }).toString();
}

function spkiDer(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" });
}

function toPem(bytes: Buffer, label = "PUBLIC KEY"): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

function compress(uncompressed: Buffer): Buffer {
  const point = ECDH.convertKey(uncompressed.subarray(26), "prime256v1", undefined, undefined, "compressed") as Buffer;
  return withCompressedPoint(point);
}

function withCompressedPoint(point: Buffer): Buffer {
  return Buffer.concat([Buffer.from("3039301306072a8648ce3d020106082a8648ce3d030107032200", "hex"), point]);
}

function coordinate(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}

function refusal(text: string): string {
  try {
    parsePublicKey(text);
  } catch (error) {
    if (error instanceof AppError && error.code === "VALIDATION_ERROR") return error.message;
    throw error;
  }
  throw new Error("The text was taken for a public key.");
}

describe("a P-256 public key", () => {
  test("is stored as its canonical PEM", () => {
    expect(parsePublicKey(pem).pem).toBe(pem);
  });

  test("is identified by its compressed point", () => {
    expect(parsePublicKey(pem).point).toEqual(compressedDer.subarray(26));
  });

  test("is the same key in compressed form", () => {
    expect(parsePublicKey(toPem(compressedDer))).toEqual(parsePublicKey(pem));
  });

  const body = der.toString("base64");
  test.each([
    ["CRLF", pem.replaceAll("\n", "\r\n")],
    ["CR", pem.replaceAll("\n", "\r")],
    ["no final newline", pem.trimEnd()],
    ["several final newlines", `${pem}\n\n`],
    ["white space around it", ` \t\n${pem} \r\n\t`],
    ["a byte order mark", `\ufeff${pem}`],
    ["literal \\n", pem.replaceAll("\n", "\\n")],
    ["literal \\r\\n", pem.replaceAll("\n", "\\r\\n")],
    ["literal and real line breaks", pem.replace("\n", "\\n")],
    ["one long line", `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`],
    ["lines of 76", `-----BEGIN PUBLIC KEY-----\n${body.match(/.{1,76}/g)?.join("\n")}\n-----END PUBLIC KEY-----`],
    ["lines of one", `-----BEGIN PUBLIC KEY-----\n${[...body].join("\n")}\n-----END PUBLIC KEY-----`],
  ])("may be written with %s", (_, text) => {
    expect(parsePublicKey(text)).toEqual(parsePublicKey(pem));
  });

  test("verifies what its private key signs, in both encodings", () => {
    const data = Buffer.from("payload");
    const key = keyObject(parsePublicKey(toPem(compressedDer)).pem);
    expect(verify("sha256", data, key, sign("sha256", data, pair.privateKey))).toBe(true);
    const raw = sign("sha256", data, { key: pair.privateKey, dsaEncoding: "ieee-p1363" });
    expect(verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, raw)).toBe(true);
  });

  test("has either root of its x as y, and both forms of any key agree", () => {
    const parities = new Set<number | undefined>();
    for (let round = 0; round < 40; round++) {
      const uncompressed = spkiDer(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey);
      const key = parsePublicKey(toPem(compress(uncompressed)));
      expect(key).toEqual(parsePublicKey(toPem(uncompressed)));
      expect(key.pem).toBe(toPem(uncompressed));
      parities.add(key.point[0]);
    }
    expect(parities).toEqual(new Set([2, 3]));
  });
});

describe("what is not one is refused and named", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const explicit = generateKeyPairSync("ec", { namedCurve: "P-256", paramEncoding: "explicit" });
  const curve = (namedCurve: string) => spkiPem(generateKeyPairSync("ec", { namedCurve }).publicKey);
  const pkcs8 = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const sec1 = pair.privateKey.export({ type: "sec1", format: "pem" }).toString();
  const encrypted = pair.privateKey
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "secret" })
    .toString();
  const jwk = pair.publicKey.export({ format: "jwk" });
  const privateJwk = pair.privateKey.export({ format: "jwk" });
  const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  const rawPoint = der.subarray(26);
  const other = spkiPem(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey);
  const base64 = der.toString("base64");
  const wrapped = (text: string) => `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----\n`;

  const cases: [name: string, text: string, message: RegExp][] = [
    ["nothing", "", /is empty/],
    ["white space", " \n\t", /is empty/],
    ["4097 characters", pem.padEnd(4097, "\n"), /longer than 4096 characters/],

    ["a PKCS#8 private key", pkcs8, /is a private key\. Keep it secret/],
    ["a SEC 1 private key", sec1, /is a private key/],
    ["an encrypted private key", encrypted, /is a private key/],
    ["an RSA private key", rsa.privateKey.export({ type: "pkcs1", format: "pem" }).toString(), /is a private key/],
    [
      "an OpenSSH private key",
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----",
      /is a private key/,
    ],
    ["a PuTTY private key", "PuTTY-User-Key-File-3: ecdsa-sha2-nistp256\nEncryption: none", /is a private key/],
    ["EC PARAMETERS and a private key", parameters + sec1, /is a private key/],
    ["a public and a private key", pem + pkcs8, /is a private key/],
    ["a private key with literal \\n", pkcs8.replaceAll("\n", "\\n"), /is a private key/],
    ["a private key that has lost its line breaks", sec1.replaceAll("\n", " "), /is a private key/],
    ["half a private key", pkcs8.slice(0, 80), /is a private key/],
    ["a PKCS#8 key labelled as public", pkcs8.replaceAll("PRIVATE", "PUBLIC"), /is a private key/],
    ["a SEC 1 key labelled as public", sec1.replaceAll("EC PRIVATE", "PUBLIC"), /is a private key/],
    [
      "a bare base64 private key",
      pair.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
      /is a private key/,
    ],
    ["a private JWK", JSON.stringify(privateJwk), /is a private key/],
    [
      "32 bytes of hexadecimal",
      Buffer.from(String(privateJwk.d), "base64url").toString("hex"),
      /the size of a private key/,
    ],

    ["a JWK", JSON.stringify(jwk), /is JSON/],
    ["a JWK set", JSON.stringify([jwk]), /is JSON/],
    ["an SSH key", "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY= dev@host", /is an SSH key/],
    ["an Ed25519 SSH key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA== dev@host", /is an SSH key/],
    ["an SSH2 key", "---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----", /is an SSH key/],
    ["a raw point in hexadecimal", rawPoint.toString("hex"), /is raw hexadecimal/],
    ["a raw point after 0x", `0x${rawPoint.toString("hex")}`, /is raw hexadecimal/],
    ["bare base64", base64, /is base64 without its PEM lines/],
    ["a word", "hello world", /is not PEM/],

    ["a certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", /is a certificate\./],
    [
      "a certificate and a key",
      `-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n${pem}`,
      /is a certificate\./,
    ],
    [
      "a certificate request",
      "-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----\n",
      /certificate request/,
    ],
    ["EC PARAMETERS", parameters, /EC PARAMETERS/],
    ["EC PARAMETERS and the key", parameters + pem, /EC PARAMETERS/],
    ["a PGP key", "-----BEGIN PGP PUBLIC KEY BLOCK-----\nmDME\n-----END PGP PUBLIC KEY BLOCK-----", /is a PGP key/],
    ["an RSA PUBLIC KEY block", rsa.publicKey.export({ type: "pkcs1", format: "pem" }).toString(), /is an RSA key/],
    ["another label", pem.replaceAll("PUBLIC KEY", "EC PUBLIC KEY"), /block of another kind/],
    ["a label in lower case", pem.replaceAll("PUBLIC KEY", "public key"), /block of another kind/],
    ["two blocks", pem + other, /holds 2 PEM blocks/],
    ["one block twice", pem + pem, /holds 2 PEM blocks/],

    ["an RSA key", spkiPem(rsa.publicKey), /is an RSA key/],
    ["an RSA-PSS key", spkiPem(generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey), /is an RSA-PSS key/],
    ["an Ed25519 key", spkiPem(generateKeyPairSync("ed25519").publicKey), /is an Ed25519 key/],
    ["an Ed448 key", spkiPem(generateKeyPairSync("ed448").publicKey), /is an Ed448 key/],
    ["an X25519 key", spkiPem(generateKeyPairSync("x25519").publicKey), /is an X25519 key/],
    ["an X448 key", spkiPem(generateKeyPairSync("x448").publicKey), /is an X448 key/],
    [
      "a DSA key",
      spkiPem(generateKeyPairSync("dsa", { modulusLength: 1024, divisorLength: 160 }).publicKey),
      /is a DSA key/,
    ],
    ["a secp256k1 key", curve("secp256k1"), /secp256k1 and not P-256/],
    ["a P-224 key", curve("secp224r1"), /P-224 and not P-256/],
    ["a P-384 key", curve("P-384"), /P-384 and not P-256/],
    ["a P-521 key", curve("P-521"), /P-521 and not P-256/],
    ["a brainpool key", curve("brainpoolP256r1"), /on a curve other than P-256/],
    ["explicit parameters", spkiPem(explicit.publicKey), /explicit parameters/],
    ["random bytes", toPem(Buffer.alloc(91, 7)), /known kind/],
    ["an empty sequence", toPem(Buffer.from("3000", "hex")), /known kind/],
    ["one byte", toPem(Buffer.from("30", "hex")), /known kind/],

    [
      "the point at infinity",
      toPem(Buffer.from("3019301306072a8648ce3d020106082a8648ce3d03010703020000", "hex")),
      /not a usable point/,
    ],
    [
      "infinity, padded to a full key",
      toPem(Buffer.concat([der.subarray(0, 26), Buffer.alloc(65)])),
      /not a usable point/,
    ],
    ["infinity, padded to a compressed key", toPem(withCompressedPoint(Buffer.alloc(33))), /not a usable point/],
    [
      "a hybrid point",
      toPem(Buffer.concat([der.subarray(0, 26), Buffer.of(6 + ((der[90] ?? 0) % 2)), der.subarray(27)])),
      /not a usable point/,
    ],
    [
      "an uncompressed key with a compressed form byte",
      toPem(Buffer.concat([der.subarray(0, 26), Buffer.of(2), der.subarray(27)])),
      /not a usable point/,
    ],
    ["a key cut short", toPem(der.subarray(0, 90)), /cut short/],
    ["a key with a byte behind it", toPem(Buffer.concat([der, Buffer.alloc(1)])), /too many/],
    ["a key with a key behind it", toPem(Buffer.concat([der, der])), /too many/],
    ["the point (0, 0)", toPem(Buffer.concat([der.subarray(0, 27), Buffer.alloc(64)])), /not on the curve/],
    ["a changed y", toPem(Buffer.concat([der.subarray(0, 90), Buffer.of((der[90] ?? 0) ^ 1)])), /not on the curve/],
    [
      "x and y exchanged",
      toPem(Buffer.concat([der.subarray(0, 27), der.subarray(59), der.subarray(27, 59)])),
      /not on the curve/,
    ],
    [
      "a compressed x without a point",
      toPem(withCompressedPoint(Buffer.concat([Buffer.of(2), coordinate(1n)]))),
      /not on the curve/,
    ],
    [
      "a compressed x that wraps around",
      toPem(withCompressedPoint(Buffer.concat([Buffer.of(2), coordinate(FIELD + 5n)]))),
      /not on the curve/,
    ],

    ["text before the block", `My key:\n${pem}`, /text before its PEM block/],
    ["text behind the block", `${pem}thanks`, /text after its PEM block/],
    ["no end line", pem.replace(/-----END.*/, ""), /lacks the line/],
    ["an end line of another kind", pem.replace("END PUBLIC", "END EC"), /lacks the line/],
    ["line breaks that were lost", pem.replaceAll("\n", ""), /has lost its line breaks/],
    ["line breaks that became spaces", pem.trim().replaceAll("\n", " "), /has lost its line breaks/],
    ["an indented block", pem.replaceAll("\n", "\n  "), /other than lines of base64/],
    ["an empty line inside", pem.replace("-----\n", "-----\n\n"), /other than lines of base64/],
    ["a header inside", pem.replace("-----\n", "-----\nComment: mine\n"), /other than lines of base64/],
    ["an empty block", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", /other than lines of base64/],
    ["the url-safe alphabet", wrapped(`-_${base64.slice(2)}`), /other than lines of base64/],
    ["no padding", wrapped(base64.replaceAll("=", "")), /not valid base64/],
    ["padding inside", wrapped(`${base64.slice(0, 8)}==${base64.slice(8)}`), /not valid base64/],
    ["padding only", wrapped("===="), /not valid base64/],
    ["spare bits that are set", wrapped(base64.replace(/.==$/, (end) => `${nextLetter(end)}==`)), /not valid base64/],
    ["NUL", pem.replace("M", "\0"), /other than lines of base64/],
  ];

  function nextLetter(end: string): string {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return letters.charAt(letters.indexOf(end.charAt(0)) + 1);
  }

  test.each(cases)("%s", (_, text, message) => {
    const answer = refusal(text);
    expect(answer).toMatch(message);
    expect(answer).toMatch(/^publicKey .*Send the PEM of one ECDSA P-256 public key/);
  });

  test("no answer repeats anything that was sent", () => {
    for (const [name, text] of cases) {
      const answer = refusal(text);
      const words = text.match(/[A-Za-z0-9+/=_-]{16,}/g) ?? [];
      for (const word of words) {
        for (let start = 0; start + 8 <= word.length; start++) {
          const piece = word.slice(start, start + 8);
          if (!/-{3}/.test(piece)) expect(answer.includes(piece), name).toBe(false);
        }
      }
    }
  });
});

describe("hostile input", () => {
  test("a changed byte anywhere is refused or gives a key that OpenSSL agrees with", () => {
    const form = fc.constantFrom(der, compressedDer);
    fc.assert(
      fc.property(form, fc.nat(), fc.integer({ min: 1, max: 255 }), (original, position, change) => {
        const bytes = Buffer.from(original);
        const index = position % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ change;
        const text = toPem(bytes);
        const parsed = attempt(text);
        if (parsed === null) return;
        expect(spkiPem(createPublicKey(text))).toBe(original === der ? parsed.pem : toPem(bytes));
        expect(keyObject(parsed.pem).asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
      }),
      { numRuns: 1_000 },
    );
  });

  test("any text is refused in the usual way", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => toPem(Buffer.from(bytes))),
      fc.tuple(fc.nat(pem.length), fc.string()).map(([at, noise]) => pem.slice(0, at) + noise + pem.slice(at)),
    );
    fc.assert(fc.property(text, (sent) => void attempt(sent)));
  });

  test("4096 characters of the worst kind are answered in no time", () => {
    const begin = performance.now();
    for (const piece of ["-----BEGIN PUBLIC KEY-----\n", "-", "\\", "\\n", "A\n", "A", "=", " ", "0x", '"d"', "\r"]) {
      attempt(piece.repeat(4096).slice(0, 4096));
      attempt(`-----BEGIN PUBLIC KEY-----\n${piece.repeat(4096)}`.slice(0, 4096));
    }
    expect(performance.now() - begin).toBeLessThan(2_000);
  });

  function attempt(text: string) {
    try {
      return parsePublicKey(text);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }
});

describe("a stored key", () => {
  test("has a fingerprint that both forms share and no other key has", () => {
    const mine = fingerprint(parsePublicKey(toPem(compressedDer)).pem);
    expect(mine).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
    expect(fingerprint(pem)).toBe(mine);
    expect(fingerprint(spkiPem(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey))).not.toBe(mine);
  });

  test("that is not canonical is a broken invariant, before OpenSSL sees it", () => {
    const infinity = toPem(Buffer.from("3019301306072a8648ce3d020106082a8648ce3d03010703020000", "hex"));
    for (const text of ["", infinity, toPem(compressedDer), pem.trimEnd(), pem.replaceAll("\n", "\r\n"), pem + pem]) {
      expect(() => keyObject(text)).toThrow();
      expect(() => fingerprint(text)).toThrow();
    }
  });
});
