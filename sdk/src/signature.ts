import { concatenate, INTEGER, readSequence, toHex } from "./der.ts";
import type { WebCryptoKey } from "./platform.ts";

// ECDSA signatures as the service takes them: strict DER, or IEEE P1363, which is both numbers in 32 bytes each.

type Bytes = Uint8Array<ArrayBuffer>;

const SCALAR_LENGTH_BYTES = 32;
export const P1363_LENGTH_BYTES = 2 * SCALAR_LENGTH_BYTES;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
export const ALGORITHM = { name: "ECDSA", hash: "SHA-256" } as const;

export async function verifySignature(key: WebCryptoKey, signature: Bytes, data: Bytes): Promise<boolean> {
  for (const candidate of readCandidates(signature)) {
    if (await crypto.subtle.verify(ALGORITHM, key, candidate, data)) return true;
  }
  return false;
}

/** Sixty-four bytes may be either encoding. WebCrypto verifies P1363, so DER is rewritten as that. */
function readCandidates(signature: Bytes): Bytes[] {
  const candidates = [signature.length === P1363_LENGTH_BYTES ? signature : null, derToP1363(signature)];
  return candidates.filter((candidate) => candidate !== null && isInRange(candidate)) as Bytes[];
}

/** Whether some key and some text have this signature: one of the encodings, with both numbers in range. */
export function isPossibleSignature(bytes: Bytes): boolean {
  return readCandidates(bytes).length > 0;
}

/** Whether the bytes have the form of a signature. */
export function isSignature(bytes: Bytes): boolean {
  return bytes.length === P1363_LENGTH_BYTES || derToP1363(bytes) !== null;
}

function isInRange(p1363: Bytes): boolean {
  return [p1363.subarray(0, SCALAR_LENGTH_BYTES), p1363.subarray(SCALAR_LENGTH_BYTES)].every((bytes) => {
    const number = BigInt(`0x${toHex(bytes)}`);
    return number > 0n && number < ORDER;
  });
}

function derToP1363(bytes: Bytes): Bytes | null {
  const integers = readSequence(bytes);
  if (integers?.length !== 2) return null;
  const halves: Bytes[] = [];
  for (const { tag, content } of integers) {
    const [first, second = 0] = content;
    if (tag !== INTEGER || first === undefined || first >= 0x80) return null;
    if (first === 0 && second < 0x80) return null;
    const magnitude = first === 0 ? content.subarray(1) : content;
    if (magnitude.length > SCALAR_LENGTH_BYTES) return null;
    halves.push(concatenate(new Uint8Array(SCALAR_LENGTH_BYTES - magnitude.length), magnitude));
  }
  return concatenate(...halves);
}
