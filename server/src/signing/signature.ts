import { Buffer } from "node:buffer";
import { type KeyObject, verify } from "node:crypto";

// ECDSA P-256 with SHA-256 over the payload's text. Two encodings of the pair (r, s) count: DER, as OpenSSL and Java write
// it, and the 64 bytes of IEEE P1363, as WebCrypto writes it. The bytes are checked here before OpenSSL sees them, so that
// no leniency of its parser, in this version or another, adds a third. The twin (r, n − s) of a valid signature is valid
// too, as in every ECDSA library; nothing here is keyed by a signature's bytes.

const SCALAR_LENGTH_BYTES = 32;
const P1363_LENGTH_BYTES = 2 * SCALAR_LENGTH_BYTES;

const DER_SEQUENCE = 0x30;
const DER_INTEGER = 0x02;

/** The order n of the group; r and s lie between 1 and n − 1. */
const ORDER = Buffer.from("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", "hex");

/** `publicKey` must have passed the registration's gate: OpenSSL is not safe with every key it can parse. */
export function verifySignature(publicKey: KeyObject, payload: string, signature: Uint8Array): boolean {
  const data = Buffer.from(payload, "utf8");
  // A DER signature is 64 bytes long once in 2⁴⁸ or so; it is then tried as both, since its signer meant it well.
  return (
    (isP1363(signature) && verify("sha256", data, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)) ||
    (isDer(signature) && verify("sha256", data, { key: publicKey, dsaEncoding: "der" }, signature))
  );
}

/** What to tell a caller whose signature did not verify. */
export function describeInvalidSignature(signature: Uint8Array): string {
  if (!isP1363(signature) && !isDer(signature)) {
    return (
      `The signature's ${signature.length} bytes are neither a DER sequence of r and s nor the 64 bytes of r and s ` +
      "(IEEE P1363). Encode the signature's bytes themselves as base64url, not their hexadecimal or base64 text."
    );
  }
  return (
    "The signature does not match the payload and the registered public key. Usual causes: the JSON was signed instead of " +
    "its base64url text, or its digest was signed; the payload was encoded anew after signing; another key signed, or the " +
    "key was rotated; the merchant belongs to the other environment (sandbox or production)."
  );
}

function isP1363(bytes: Uint8Array): boolean {
  return (
    bytes.length === P1363_LENGTH_BYTES &&
    isScalar(bytes, 0, SCALAR_LENGTH_BYTES) &&
    isScalar(bytes, SCALAR_LENGTH_BYTES, P1363_LENGTH_BYTES)
  );
}

/** Two integers of at most 33 bytes always fit the short form of a length, so DER knows no other here. */
function isDer(bytes: Uint8Array): boolean {
  if (bytes[0] !== DER_SEQUENCE || bytes[1] !== bytes.length - 2) return false;
  const middle = endOfInteger(bytes, 2);
  return middle !== null && endOfInteger(bytes, middle) === bytes.length;
}

/** The offset behind the DER integer at `start`, or null unless it is minimal and between 1 and n − 1. */
function endOfInteger(bytes: Uint8Array, start: number): number | null {
  const length = bytes[start + 1];
  const from = start + 2;
  const first = bytes[from];
  if (bytes[start] !== DER_INTEGER || length === undefined || first === undefined) return null;

  const end = from + length;
  if (length === 0 || end > bytes.length) return null;
  if (first >= 0x80) return null; // A negative number.
  if (first > 0) return isScalar(bytes, from, end) ? end : null;

  // A leading zero is allowed only where it keeps the next byte from reading as a sign; this refuses zero itself as well.
  const next = bytes[from + 1];
  return length > 1 && next !== undefined && next >= 0x80 && isScalar(bytes, from + 1, end) ? end : null;
}

/** Whether the big-endian number in [from, end) lies between 1 and n − 1. */
function isScalar(bytes: Uint8Array, from: number, end: number): boolean {
  const length = end - from;
  if (length > SCALAR_LENGTH_BYTES) return false;
  for (let at = from; at < end; at++) {
    if (bytes[at] !== 0) return length < SCALAR_LENGTH_BYTES || isBelowOrder(bytes, from);
  }
  return false;
}

// A loop in place of Buffer.compare: it nearly always ends at the first byte, before a call into native code has begun.
function isBelowOrder(bytes: Uint8Array, from: number): boolean {
  for (let index = 0; index < SCALAR_LENGTH_BYTES; index++) {
    const byte = bytes[from + index] ?? 0;
    const digit = ORDER[index] ?? 0;
    if (byte !== digit) return byte < digit;
  }
  return false;
}
