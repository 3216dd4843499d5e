import { createECDH, createHash, createHmac, createPrivateKey, createPublicKey } from "node:crypto";

// Just enough of P-256 to write vectors that no library would: signatures that are the same on every run (RFC 6979), and
// public keys made to fit a signature of a wanted shape. For test data only; nothing here runs in constant time.

const FIELD = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const GENERATOR = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};
export const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const SPKI_PREFIX = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d03010703420004", "hex");

export function toNumber(bytes) {
  return BigInt(`0x${bytes.toString("hex") || "0"}`);
}

export function toBytes(number, length = 32) {
  return Buffer.from(number.toString(16).padStart(2 * length, "0"), "hex");
}

export function modulo(number, modulus = ORDER) {
  const rest = number % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** The inverse by Fermat's little theorem; both moduli in use are prime. */
export function invert(number, modulus = ORDER) {
  return power(modulo(number, modulus), modulus - 2n, modulus);
}

function power(base, exponent, modulus) {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % modulus) {
    if (rest & 1n) result = (result * square) % modulus;
  }
  return result;
}

/** A point is { x, y }, or null at infinity. */
function addPoints(left, right) {
  if (left === null) return right;
  if (right === null) return left;
  if (left.x === right.x && modulo(left.y + right.y, FIELD) === 0n) return null;
  const slope =
    left.x === right.x
      ? (3n * left.x * left.x - 3n) * invert(2n * left.y, FIELD)
      : (right.y - left.y) * invert(right.x - left.x, FIELD);
  const x = modulo(slope * slope - left.x - right.x, FIELD);
  return { x, y: modulo(slope * (left.x - x) - left.y, FIELD) };
}

function multiplyPoint(point, scalar) {
  let result = null;
  for (let double = point, rest = modulo(scalar); rest > 0n; rest >>= 1n, double = addPoints(double, double)) {
    if (rest & 1n) result = addPoints(result, double);
  }
  return result;
}

/** The point with this x and an even y, or null where the curve has none. */
export function liftX(x) {
  const square = modulo(x * x * x - 3n * x + B, FIELD);
  const root = power(square, (FIELD + 1n) / 4n, FIELD);
  if ((root * root) % FIELD !== square) return null;
  return { x, y: root & 1n ? FIELD - root : root };
}

/** SHA-256 of a message as the number that ECDSA signs. */
export function digestNumber(message) {
  return toNumber(createHash("sha256").update(message).digest());
}

/** ECDSA with RFC 6979's nonce: the same pair (r, s) on every run. `digest` stands for other hashes than SHA-256. */
export function sign(privateScalar, message, digest = createHash("sha256").update(message).digest()) {
  const hash = digest.subarray(0, 32);
  const seed = Buffer.concat([toBytes(privateScalar), toBytes(modulo(toNumber(hash)))]);
  let key = Buffer.alloc(32, 0);
  let value = Buffer.alloc(32, 1);
  const mac = (...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();
  for (const round of [0, 1]) {
    key = mac(value, Buffer.from([round]), seed);
    value = mac(value);
  }
  for (;;) {
    value = mac(value);
    const nonce = toNumber(value);
    if (nonce > 0n && nonce < ORDER) {
      const ecdh = createECDH("prime256v1");
      ecdh.setPrivateKey(toBytes(nonce));
      const r = modulo(toNumber(ecdh.getPublicKey().subarray(1, 33)));
      const s = modulo(invert(nonce) * (toNumber(hash) + r * privateScalar));
      if (r !== 0n && s !== 0n) return { r, s };
    }
    key = mac(value, Buffer.from([0]));
    value = mac(value);
  }
}

/**
 * A public key under which (x modulo n, s) is a signature of the message, or null when no point has this x. Its private
 * key is unknown, and verifiers do not need it. This makes signatures of rare shapes without a search.
 */
export function publicKeyFitting(x, s, message) {
  const point = liftX(x);
  if (point === null) return null;
  const inverse = invert(x);
  const key = addPoints(multiplyPoint(point, s * inverse), multiplyPoint(GENERATOR, -digestNumber(message) * inverse));
  return pem("PUBLIC KEY", Buffer.concat([SPKI_PREFIX, toBytes(key.x), toBytes(key.y)]));
}

export function keyPair(privateScalar) {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(toBytes(privateScalar));
  const point = ecdh.getPublicKey();
  const jwk = {
    kty: "EC",
    crv: "P-256",
    d: toBytes(privateScalar).toString("base64url"),
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const privateKey = createPrivateKey({ key: jwk, format: "jwk" });
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }),
    publicKey: createPublicKey(privateKey).export({ type: "spki", format: "pem" }),
  };
}

function pem(label, bytes) {
  const lines = bytes.toString("base64").match(/.{1,64}/g);
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
