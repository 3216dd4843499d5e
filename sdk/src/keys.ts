import {
  BIT_STRING,
  type Element,
  fromHex,
  INTEGER,
  OBJECT_IDENTIFIER,
  OCTET_STRING,
  readElements,
  readSequence,
  SEQUENCE,
  toHex,
  writeElement,
} from "./der.ts";
import { KeyError, readPem, writePem } from "./pem.ts";
import type { WebCryptoKey } from "./platform.ts";

// ECDSA keys on P-256, made, read and written. A key's structure is read here rather than by the runtime, because runtimes
// differ in what they take and all of them are silent about what was wrong.

type Bytes = Uint8Array<ArrayBuffer>;

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;
const SCALAR_LENGTH_BYTES = 32;
const POINT_LENGTH_BYTES = 65;
const UNCOMPRESSED_POINT = 0x04;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const EC_PUBLIC_KEY = "2a8648ce3d0201";
const P256 = "2a8648ce3d030107";
const otherAlgorithms: Readonly<Record<string, string>> = {
  "2a864886f70d010101": "an RSA key",
  "2a864886f70d01010a": "an RSA key",
  "2b656e": "an X25519 key",
  "2b6570": "an Ed25519 key",
  "2b6571": "an Ed448 key",
};
const otherCurves: Readonly<Record<string, string>> = {
  "2b8104000a": "secp256k1",
  "2b81040022": "P-384",
  "2b81040023": "P-521",
};

export interface KeyPair {
  /** PKCS#8 in PEM. Keep it on your server. */
  privateKey: string;
  /** SPKI in PEM. This is what an application for an account carries. */
  publicKey: string;
}

export async function generateKeyPair(): Promise<KeyPair> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  return {
    privateKey: writePem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", privateKey)),
    publicKey: writePem("PUBLIC KEY", await crypto.subtle.exportKey("spki", publicKey)),
  };
}

/** Takes PKCS#8 (`PRIVATE KEY`) and SEC1 (`EC PRIVATE KEY`). */
export async function importPrivateKey(text: string): Promise<WebCryptoKey> {
  const block = readPem(text, "private");
  const key = block.label === "EC PRIVATE KEY" ? readSec1(block.bytes, true) : readPkcs8(block.bytes);
  try {
    return await crypto.subtle.importKey("pkcs8", writePkcs8(key), ALGORITHM, false, ["sign"]);
  } catch {
    throw new KeyError("This private key is damaged: its numbers are not those of a P-256 key.");
  }
}

/** Takes SPKI (`PUBLIC KEY`) with an uncompressed point, as the service stores and answers it. */
export async function importPublicKey(text: string): Promise<WebCryptoKey> {
  const { bytes } = readPem(text, "public");
  const [algorithm, bitString] = readSequence(bytes) ?? [];
  if (algorithm?.tag !== SEQUENCE || bitString?.tag !== BIT_STRING) throw damaged("public");
  requireP256(algorithm, "public");
  const point = readPoint(bitString);
  if (point === null) {
    throw new KeyError("This public key's point is not in uncompressed form. Export it uncompressed.");
  }
  try {
    return await crypto.subtle.importKey("raw", point, ALGORITHM, true, ["verify"]);
  } catch {
    throw new KeyError("This public key is damaged: its point is not on the curve P-256.");
  }
}

interface PrivateKeyParts {
  scalar: Bytes;
  /** The uncompressed point; some runtimes want it, and some files leave it out. */
  point: Bytes | null;
}

function readPkcs8(bytes: Bytes): PrivateKeyParts {
  const [version, algorithm, key] = readSequence(bytes) ?? [];
  if (version?.tag !== INTEGER || algorithm?.tag !== SEQUENCE || key?.tag !== OCTET_STRING) throw damaged("private");
  requireP256(algorithm, "private");
  return readSec1(key.content, false);
}

/** The curve is named outside in PKCS#8, and inside when SEC1 stands alone. */
function readSec1(bytes: Bytes, mustNameCurve: boolean): PrivateKeyParts {
  const [version, key, ...optional] = readSequence(bytes) ?? [];
  if (version?.tag !== INTEGER || key?.tag !== OCTET_STRING) throw damaged("private");
  const curve = optional.find(({ tag }) => tag === 0xa0);
  const point = optional.find(({ tag }) => tag === 0xa1);
  if (curve !== undefined) requireCurve(readElements(curve.content)?.[0], "private");
  else if (mustNameCurve) throw new KeyError("This EC PRIVATE KEY does not name its curve. Give it as PKCS#8.");

  const scalar = BigInt(`0x${toHex(key.content) || "0"}`);
  if (scalar === 0n || scalar >= ORDER) throw damaged("private");
  const padded = scalar.toString(16).padStart(2 * SCALAR_LENGTH_BYTES, "0");
  return {
    scalar: fromHex(padded),
    point: point === undefined ? null : readPoint(readElements(point.content)?.[0]),
  };
}

/** The point in a bit string when it is written uncompressed; a bit string starts with the number of its unused bits. */
function readPoint(element: Element | undefined): Bytes | null {
  if (element?.tag !== BIT_STRING || element.content[0] !== 0) return null;
  const point = element.content.slice(1);
  return point.length === POINT_LENGTH_BYTES && point[0] === UNCOMPRESSED_POINT ? point : null;
}

function writePkcs8({ scalar, point }: PrivateKeyParts): Bytes {
  const zero = Uint8Array.of(0);
  const publicPart = point === null ? [] : [writeElement(0xa1, writeElement(BIT_STRING, zero, point))];
  const algorithm = writeElement(
    SEQUENCE,
    writeElement(OBJECT_IDENTIFIER, fromHex(EC_PUBLIC_KEY)),
    writeElement(OBJECT_IDENTIFIER, fromHex(P256)),
  );
  const key = writeElement(
    SEQUENCE,
    writeElement(INTEGER, Uint8Array.of(1)),
    writeElement(OCTET_STRING, scalar),
    ...publicPart,
  );
  return writeElement(SEQUENCE, writeElement(INTEGER, zero), algorithm, writeElement(OCTET_STRING, key));
}

function requireP256(algorithm: Element, kind: "private" | "public"): void {
  const [identifier, parameters] = readElements(algorithm.content) ?? [];
  if (identifier?.tag !== OBJECT_IDENTIFIER) throw damaged(kind);
  const name = toHex(identifier.content);
  if (name !== EC_PUBLIC_KEY) {
    const given = otherAlgorithms[name] ?? "a key of another algorithm";
    throw new KeyError(`This is ${given}. Give an ECDSA key on the curve P-256.`);
  }
  requireCurve(parameters, kind);
}

function requireCurve(parameters: Element | undefined, kind: "private" | "public"): void {
  if (parameters?.tag === SEQUENCE) {
    throw new KeyError(
      `This ${kind} key spells its curve out in explicit parameters. Export it with the named curve P-256.`,
    );
  }
  if (parameters?.tag !== OBJECT_IDENTIFIER) throw damaged(kind);
  const curve = toHex(parameters.content);
  if (curve !== P256) {
    const given = otherCurves[curve] ?? "another curve";
    throw new KeyError(
      `This ${kind} key is on ${given}. Give one on the curve P-256 (also called prime256v1 or secp256r1).`,
    );
  }
}

function damaged(kind: "private" | "public"): KeyError {
  return new KeyError(`This ${kind} key is damaged: the bytes in its PEM block are not a key.`);
}
