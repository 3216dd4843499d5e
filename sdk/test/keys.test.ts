import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { generateKeyPair, importPrivateKey, importPublicKey, KeyError } from "../src/index.ts";

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pkcs8 = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const sec1 = pair.privateKey.export({ type: "sec1", format: "pem" }).toString();
const spki = pair.publicKey.export({ type: "spki", format: "pem" }).toString();

const data = new TextEncoder().encode("text");
const algorithm = { name: "ECDSA", hash: "SHA-256" };

async function signsFor(pem: string, publicKey: KeyObject): Promise<boolean> {
  const signature = await crypto.subtle.sign(algorithm, await importPrivateKey(pem), data);
  return verify("sha256", data, { key: publicKey, dsaEncoding: "ieee-p1363" }, new Uint8Array(signature));
}

function pem(label: string, der: Uint8Array): string {
  return `-----BEGIN ${label}-----\n${Buffer.from(der).toString("base64")}\n-----END ${label}-----\n`;
}

async function problem(action: Promise<unknown>): Promise<string> {
  const error: unknown = await action.then(
    () => null,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(KeyError);
  return (error as KeyError).message;
}

describe("generateKeyPair", () => {
  test("writes PEM that OpenSSL reads and that belongs together", async () => {
    const { privateKey, publicKey } = await generateKeyPair();
    expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n[\s\S]+\n-----END PRIVATE KEY-----\n$/);
    expect(publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n[\s\S]+\n-----END PUBLIC KEY-----\n$/);
    expect(createPublicKey(createPrivateKey(privateKey)).export({ type: "spki", format: "pem" })).toBe(publicKey);
    expect(createPrivateKey(privateKey).export({ type: "pkcs8", format: "pem" })).toBe(privateKey);
    expect(await signsFor(privateKey, createPublicKey(publicKey))).toBe(true);
  });
});

describe("importPrivateKey", () => {
  // An `openssl ecparam -genkey` file starts with the curve.
  const parameters = pem("EC PARAMETERS", Buffer.from("06082a8648ce3d030107", "hex"));

  test.each([
    ["PKCS#8", pkcs8],
    ["SEC1", sec1],
    ["SEC1 behind its parameters", `${parameters}${sec1}`],
    ["literal \\n", pkcs8.replaceAll("\n", "\\n")],
    ["literal \\r\\n", pkcs8.replaceAll("\n", "\\r\\n")],
    ["literal \\n, escaped twice", pkcs8.replaceAll("\n", "\\\\n")],
    ["SEC1 with literal \\n", sec1.replaceAll("\n", "\\n")],
    ["CRLF", pkcs8.replaceAll("\n", "\r\n")],
    ["CR", pkcs8.replaceAll("\n", "\r")],
    ["no final newline", pkcs8.trimEnd()],
    ["double quotes", `"${pkcs8}"`],
    ["single quotes and literal \\n", `'${pkcs8.replaceAll("\n", "\\n")}'`],
    ["a JSON string", JSON.stringify(pkcs8)],
    ["white space around", `\n\t  ${pkcs8}  \n\n`],
    ["indented lines", pkcs8.replaceAll("\n", "\n    ")],
    ["spaces for line ends", pkcs8.replaceAll("\n", " ")],
    ["one line", pkcs8.replaceAll("\n", "")],
    ["a byte order mark", `\ufeff${pkcs8}`],
    ["a text before it", `Bag Attributes\n    friendlyName: shop\n${pkcs8}`],
  ])("takes %s", async (_, text) => {
    expect(await signsFor(text, pair.publicKey)).toBe(true);
  });

  test("takes keys without their public half, and with a compressed one", async () => {
    const scalar = Buffer.from(pair.privateKey.export({ format: "jwk" }).d ?? "", "base64url");
    const bare = Buffer.concat([
      Buffer.from("30310201010420", "hex"),
      scalar,
      Buffer.from("a00a06082a8648ce3d030107", "hex"),
    ]);
    expect(await signsFor(pem("EC PRIVATE KEY", bare), pair.publicKey)).toBe(true);
    const bareInside = Buffer.concat([
      Buffer.from("3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420", "hex"),
      scalar,
    ]);
    expect(await signsFor(pem("PRIVATE KEY", bareInside), pair.publicKey)).toBe(true);
    const { x, y } = pair.publicKey.export({ format: "jwk" });
    const sign = (Buffer.from(y ?? "", "base64url").at(-1) ?? 0) & 1;
    const compressed = Buffer.concat([
      Buffer.from("30570201010420", "hex"),
      scalar,
      Buffer.from("a00a06082a8648ce3d030107a124032200", "hex"),
      Buffer.from([2 + sign]),
      Buffer.from(x ?? "", "base64url"),
    ]);
    expect(await signsFor(pem("EC PRIVATE KEY", compressed), pair.publicKey)).toBe(true);
  });

  test("takes the keys of many pairs, short numbers among them", async () => {
    for (let round = 0; round < 300; round++) {
      const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const type = round % 2 === 0 ? "pkcs8" : "sec1";
      expect(await signsFor(other.privateKey.export({ type, format: "pem" }).toString(), other.publicKey)).toBe(true);
    }
  });

  const ec = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve }).privateKey;
  const encrypted = { cipher: "aes-256-cbc", passphrase: "secret", format: "pem" } as const;
  const explicit = generateKeyPairSync("ec", { namedCurve: "P-256", paramEncoding: "explicit" }).privateKey;
  test.each([
    ["nothing", "", "empty"],
    ["white space", " \n", "empty"],
    ["no PEM", "secret", "No PEM block"],
    ["a file name", "./keys/merchant.pem", "file name"],
    ["base64 of a PEM", Buffer.from(pkcs8).toString("base64"), "base64 of a PEM"],
    ["a JWK", JSON.stringify(pair.privateKey.export({ format: "jwk" })), "JSON key"],
    ["a public key", spki, "This is the public key"],
    ["a certificate", pem("CERTIFICATE", new Uint8Array(40)), "certificate"],
    ["a certificate request", pem("CERTIFICATE REQUEST", new Uint8Array(40)), "certificate request"],
    ["an encrypted PKCS#8 key", pair.privateKey.export({ type: "pkcs8", ...encrypted }).toString(), "encrypted"],
    ["an encrypted SEC1 key", pair.privateKey.export({ type: "sec1", ...encrypted }).toString(), "encrypted"],
    ["an OpenSSH key", pem("OPENSSH PRIVATE KEY", new Uint8Array(40)), "OpenSSH"],
    [
      "an RSA key in PKCS#1",
      generateKeyPairSync("rsa", { modulusLength: 2048 })
        .privateKey.export({ type: "pkcs1", format: "pem" })
        .toString(),
      "RSA PRIVATE KEY",
    ],
    [
      "an RSA key in PKCS#8",
      generateKeyPairSync("rsa", { modulusLength: 4096 })
        .privateKey.export({ type: "pkcs8", format: "pem" })
        .toString(),
      "RSA",
    ],
    [
      "an Ed25519 key",
      generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      "Ed25519",
    ],
    ["a secp256k1 key", ec("secp256k1").export({ type: "pkcs8", format: "pem" }).toString(), "secp256k1"],
    ["a secp256k1 key in SEC1", ec("secp256k1").export({ type: "sec1", format: "pem" }).toString(), "secp256k1"],
    ["a P-384 key", ec("P-384").export({ type: "pkcs8", format: "pem" }).toString(), "P-384"],
    ["a P-521 key in SEC1", ec("P-521").export({ type: "sec1", format: "pem" }).toString(), "P-521"],
    ["explicit parameters", explicit.export({ type: "pkcs8", format: "pem" }).toString(), "explicit parameters"],
    ["explicit parameters in SEC1", explicit.export({ type: "sec1", format: "pem" }).toString(), "explicit parameters"],
    ["two keys", pkcs8 + sec1, "2 PEM blocks"],
    ["a key that was cut", pkcs8.slice(0, 120), "cut off"],
    ["a key that lost characters", pkcs8.replace(/\n(.{20}).{5}/, "\n$1"), "damaged"],
    ["a key with a stray character", pkcs8.replace(/\n(.{20})/, "\n$1*"), "not base64"],
    [
      "a key of zero",
      pem(
        "EC PRIVATE KEY",
        Buffer.concat([
          Buffer.from("30310201010420", "hex"),
          Buffer.alloc(32),
          Buffer.from("a00a06082a8648ce3d030107", "hex"),
        ]),
      ),
      "damaged",
    ],
    [
      "a key beyond the order",
      pem(
        "EC PRIVATE KEY",
        Buffer.concat([
          Buffer.from("30310201010420", "hex"),
          Buffer.alloc(32, 0xff),
          Buffer.from("a00a06082a8648ce3d030107", "hex"),
        ]),
      ),
      "damaged",
    ],
    ["an empty block", pem("PRIVATE KEY", new Uint8Array()), "damaged"],
  ])("refuses %s and says so", async (_, text, expected) => {
    const message = await problem(importPrivateKey(text));
    expect(message).toContain(expected);
    // Nothing of a key is repeated in a message, which may end up in a log.
    for (const line of text.split("\n")) if (/^[A-Za-z0-9+/=]{16,}$/.test(line)) expect(message).not.toContain(line);
  });
});

describe("importPublicKey", () => {
  test.each([
    ["SPKI", spki],
    ["literal \\n", spki.replaceAll("\n", "\\n")],
    ["CRLF and quotes", `"${spki.replaceAll("\n", "\r\n")}"`],
    ["one line", spki.replaceAll("\n", "")],
  ])("takes %s", async (_, text) => {
    const exported = await crypto.subtle.exportKey("spki", await importPublicKey(text));
    expect(Buffer.from(exported).equals(pair.publicKey.export({ type: "spki", format: "der" }))).toBe(true);
  });

  const point = pair.publicKey.export({ type: "spki", format: "der" });
  const offCurve = Buffer.from(point);
  offCurve[90] = (offCurve[90] ?? 0) ^ 1;
  const infinity = Buffer.from("3019301306072a8648ce3d020106082a8648ce3d03010703020000", "hex");
  test.each([
    ["a private key", pkcs8, "never leaves your server"],
    ["a SEC1 private key", sec1, "never leaves your server"],
    ["a certificate", pem("CERTIFICATE", new Uint8Array(40)), "certificate"],
    ["a PKCS#1 key", pem("RSA PUBLIC KEY", new Uint8Array(40)), "RSA PUBLIC KEY"],
    [
      "an Ed25519 key",
      generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString(),
      "Ed25519",
    ],
    [
      "a P-384 key",
      generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({ type: "spki", format: "pem" }).toString(),
      "P-384",
    ],
    ["a point off the curve", pem("PUBLIC KEY", offCurve), "not on the curve"],
    ["the point at infinity", pem("PUBLIC KEY", infinity), "uncompressed"],
    ["bytes behind the key", pem("PUBLIC KEY", Buffer.concat([point, Buffer.from([0])])), "damaged"],
  ])("refuses %s and says so", async (_, text, expected) => {
    expect(await problem(importPublicKey(text))).toContain(expected);
  });
});
