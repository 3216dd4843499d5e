// Checks every public key before it is used. OpenSSL accepts private keys, certificates, explicit curve parameters and
// trailing bytes as a public key, and a P-256 key whose point is infinity later aborts the whole process, which try/catch
// cannot stop. So structure and point are checked here, in plain arithmetic, and OpenSSL gets only bytes that this file wrote. No message repeats any of the text that was sent, because that
// text may be a private key.
import assert from "node:assert";
import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { fail } from "../http/errors.ts";
import { PUBLIC_KEY_LENGTH_MAX } from "../limits.ts";

export interface PublicKey {
  /** The canonical PEM: SPKI with the uncompressed point, 64 characters a line, LF, final newline. */
  pem: string;
  /** The 33-byte compressed point. It is the identity of the key: two spellings of one key have the same point. */
  point: Buffer;
}

// SPKI of a P-256 key is a constant up to the point itself: 0x04, x and y, or 0x02 or 0x03 and x.
const UNCOMPRESSED_PREFIX = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d03010703420004", "hex");
const COMPRESSED_PREFIX = Buffer.from("3039301306072a8648ce3d020106082a8648ce3d030107032200", "hex");
const COORDINATE_BYTES = 32;
const UNCOMPRESSED_DER_BYTES = UNCOMPRESSED_PREFIX.length + 2 * COORDINATE_BYTES;
const COMPRESSED_DER_BYTES = COMPRESSED_PREFIX.length + 1 + COORDINATE_BYTES;

// The curve y² = x³ − 3x + b over the field of P elements (SEC 2, secp256r1).
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

const WANTED =
  "Send the PEM of one ECDSA P-256 public key: a single block from -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----.";
const PRIVATE_KEY_SENT =
  "is a private key. Keep it secret, and make a new pair if anyone else could have read it; nothing of it was stored. " +
  "`openssl pkey -in private.pem -pubout` prints its public key.";

function refuse(what: string): never {
  fail("VALIDATION_ERROR", `publicKey ${what} ${WANTED}`);
}

/** Reads a merchant's PEM. Compressed and uncompressed spellings of one key give the same result. */
export function parsePublicKey(text: string): PublicKey {
  if (text.length > PUBLIC_KEY_LENGTH_MAX) refuse(`is longer than ${PUBLIC_KEY_LENGTH_MAX} characters.`);
  const pem = forgive(text);
  refuseOtherDocuments(pem);
  const { x, y } = readPoint(decodeBlock(pem));
  return {
    pem: encodePem(Buffer.concat([UNCOMPRESSED_PREFIX, toBytes(x), toBytes(y)])),
    point: Buffer.concat([Buffer.of(y % 2n === 0n ? 2 : 3), toBytes(x)]),
  };
}

/** The key to verify with. Only for a PEM that `parsePublicKey` wrote; any other is a broken invariant. */
export function keyObject(pem: string): KeyObject {
  return createPublicKey({ key: derOf(pem), format: "der", type: "spki" });
}

/** A short name of a key for people, in the style of OpenSSH, from the PEM that `parsePublicKey` wrote. */
export function fingerprint(pem: string): string {
  return `SHA256:${createHash("sha256").update(derOf(pem)).digest("base64").replace(/=+$/, "")}`;
}

function derOf(pem: string): Buffer {
  const der = Buffer.from(pem.split("\n").slice(1, -2).join(""), "base64");
  assert(der.length === UNCOMPRESSED_DER_BYTES && startsWith(der, UNCOMPRESSED_PREFIX));
  assert(encodePem(der) === pem, "a stored public key is canonical");
  return der;
}

function encodePem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN PUBLIC KEY-----\n${lines.join("\n")}\n-----END PUBLIC KEY-----\n`;
}

// Environment files, JSON written by hand and Windows editors change a PEM in these ways and in no way that matters.
function forgive(text: string): string {
  return text.replaceAll("\\r", "").replaceAll("\\n", "\n").replace(/\r\n?/g, "\n").trim();
}

// People send the wrong file far more often than a broken one, so each usual mistake gets its own answer. A private key
// is looked for first, wherever in the text it is.
function refuseOtherDocuments(text: string): void {
  if (text === "") refuse("is empty.");
  if (/PRIVATE KEY|PuTTY-User-Key-File/i.test(text)) refuse(PRIVATE_KEY_SENT);
  if (/^[{[]/.test(text)) {
    refuse(/"d"\s*:/.test(text) ? PRIVATE_KEY_SENT : "is JSON, as a JWK is, and not PEM.");
  }
  if (/^(ssh-|ecdsa-sha2-|sk-)|BEGIN SSH2 PUBLIC KEY/.test(text)) refuse("is an SSH key.");

  const labels = [...text.matchAll(/-----BEGIN ([^-\n]*)-----/g)].map((found) => found[1] ?? "");
  if (labels.length === 0) refuseUnlabelled(text);
  if (labels.some((label) => label.includes("CERTIFICATE REQUEST"))) refuse("is a certificate request.");
  if (labels.some((label) => label.includes("CERTIFICATE"))) {
    refuse("is a certificate. `openssl x509 -in certificate.pem -noout -pubkey` prints its public key.");
  }
  if (labels.some((label) => label.endsWith("PARAMETERS"))) {
    refuse("has a block of EC PARAMETERS, which only names a curve. Leave that block out.");
  }
  if (labels.some((label) => label.startsWith("PGP "))) refuse("is a PGP key.");
  if (labels.includes("RSA PUBLIC KEY")) refuse("is an RSA key.");
  if (labels.length > 1) refuse(`holds ${labels.length} PEM blocks.`);
  if (labels[0] !== "PUBLIC KEY") refuse("is a PEM block of another kind.");
}

function refuseUnlabelled(text: string): never {
  const compact = text.replace(/\s+/g, "");
  if (/^(0x)?[0-9a-f]+$/i.test(compact)) {
    const digits = compact.replace(/^0x/i, "").length;
    if (digits === 2 * COORDINATE_BYTES) {
      refuse(
        "is 32 bytes of raw hexadecimal, the size of a private key. If it is one, keep it secret; nothing of it was stored.",
      );
    }
    refuse("is raw hexadecimal and not PEM.");
  }
  const der = decodeBase64(compact);
  if (der !== null && isPrivateKey(der)) refuse(PRIVATE_KEY_SENT);
  if (der !== null) refuse("is base64 without its PEM lines.");
  refuse("is not PEM.");
}

function decodeBlock(text: string): Buffer {
  const block = /^-----BEGIN PUBLIC KEY-----\n((?:[A-Za-z0-9+/=]+\n)+)-----END PUBLIC KEY-----$/.exec(text);
  if (block?.[1] === undefined) {
    if (!text.startsWith("-----BEGIN")) refuse("has text before its PEM block.");
    if (!text.includes("-----END PUBLIC KEY-----")) refuse("lacks the line -----END PUBLIC KEY-----.");
    if (!text.endsWith("-----END PUBLIC KEY-----")) refuse("has text after its PEM block.");
    if (!text.includes("\n")) refuse("has lost its line breaks. Write them as they were, or as \\n.");
    refuse("has something other than lines of base64 in its PEM block.");
  }
  return decodeBase64(block[1].replaceAll("\n", "")) ?? refuse("is not valid base64 inside its PEM block.");
}

// Node's decoder skips what it does not know and forgives wrong padding, so the only proof is to encode again.
function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.length > 0 && bytes.toString("base64") === text ? bytes : null;
}

function readPoint(der: Buffer): { x: bigint; y: bigint } {
  if (der.length === UNCOMPRESSED_DER_BYTES && startsWith(der, UNCOMPRESSED_PREFIX)) {
    const x = toInteger(der.subarray(UNCOMPRESSED_PREFIX.length, UNCOMPRESSED_PREFIX.length + COORDINATE_BYTES));
    const y = toInteger(der.subarray(UNCOMPRESSED_PREFIX.length + COORDINATE_BYTES));
    if (x >= P || y >= P || (y * y) % P !== curve(x)) refuse("holds a point that is not on the curve P-256.");
    return { x, y };
  }
  const form = der[COMPRESSED_PREFIX.length];
  if (der.length === COMPRESSED_DER_BYTES && startsWith(der, COMPRESSED_PREFIX) && (form === 2 || form === 3)) {
    const x = toInteger(der.subarray(COMPRESSED_PREFIX.length + 1));
    const square = curve(x);
    // P is 3 modulo 4, so this power is a square root whenever there is one.
    const root = power(square, (P + 1n) / 4n);
    if (x >= P || (root * root) % P !== square) refuse("holds a point that is not on the curve P-256.");
    // The group has odd order, so no point has y = 0 and exactly one root has the parity that the form asks for.
    return { x, y: root % 2n === BigInt(form % 2) ? root : P - root };
  }
  refuse(describeOtherKey(der));
}

function curve(x: bigint): bigint {
  // P is added first so that the remainder of a negative number never appears.
  return (x * x * x + 3n * (P - (x % P)) + B) % P;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

// Object identifiers as DER writes them, tag and length included. The most telling one comes first: explicit parameters
// of P-256 carry no curve name but always that of the prime field.
const KINDS: readonly (readonly [identifier: Buffer, message: string])[] = (
  [
    ["06072a8648ce3d0101", "spells its curve out as explicit parameters instead of naming P-256."],
    ["06052b8104000a", "is a key on the curve secp256k1 and not P-256."],
    ["06052b81040021", "is a key on the curve P-224 and not P-256."],
    ["06052b81040022", "is a key on the curve P-384 and not P-256."],
    ["06052b81040023", "is a key on the curve P-521 and not P-256."],
    ["06092a864886f70d010101", "is an RSA key."],
    ["06092a864886f70d01010a", "is an RSA-PSS key."],
    ["06092a864886f70d010301", "is a Diffie-Hellman key."],
    ["06072a8648ce380401", "is a DSA key."],
    ["06032b656e", "is an X25519 key."],
    ["06032b656f", "is an X448 key."],
    ["06032b6570", "is an Ed25519 key."],
    ["06032b6571", "is an Ed448 key."],
    ["06082a8648ce3d030107", "is a P-256 key whose bytes are cut short, too many, or not a usable point."],
    ["06072a8648ce3d0201", "is an elliptic curve key on a curve other than P-256."],
  ] as const
).map(([hex, message]) => [Buffer.from(hex, "hex"), message]);

// An SPKI's algorithm stands within its first bytes; the key material behind it is not searched.
const ALGORITHM_BYTES_MAX = 48;

function describeOtherKey(der: Buffer): string {
  if (isPrivateKey(der)) return PRIVATE_KEY_SENT;
  const head = der.subarray(0, ALGORITHM_BYTES_MAX);
  const kind = KINDS.find(([identifier]) => head.includes(identifier));
  return kind?.[1] ?? "does not hold a key of a known kind in its PEM block.";
}

// Every private key format (PKCS#8, SEC 1, PKCS#1) is a sequence that opens with a one-byte version number.
function isPrivateKey(der: Buffer): boolean {
  const [tag, length] = der;
  if (tag !== 0x30 || length === undefined) return false;
  const content = length < 0x80 ? 2 : 2 + (length & 0x7f);
  return der[content] === 0x02 && der[content + 1] === 0x01;
}

function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  return bytes.subarray(0, prefix.length).equals(prefix);
}

function toInteger(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}

function toBytes(coordinate: bigint): Buffer {
  return Buffer.from(coordinate.toString(16).padStart(2 * COORDINATE_BYTES, "0"), "hex");
}
