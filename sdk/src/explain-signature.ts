import { decodeBase64, decodeBase64Url, encodeBase64 } from "./base64.ts";
import { fromHex, readElements, SEQUENCE, toHex } from "./der.ts";
import type { Fault } from "./explain-form.ts";
import type { WebCryptoKey } from "./platform.ts";
import { isSignature, P1363_LENGTH_BYTES, verifySignature } from "./signature.ts";

// Why a signature does not verify, found by trying what people usually do instead.

type Bytes = Uint8Array<ArrayBuffer>;

const SIGN_TEXT = "Sign exactly the text that you put into payload.";
const ENCODE_BYTES = "Encode the signature's bytes as base64url, once.";

/** What is wrong with the signature's encoding, for any key; null when it can be a signature. */
export function explainEncoding(signature: Bytes): Fault | null {
  if (isSignature(signature) && !isCutDer(signature)) return null;
  const text = readAscii(signature);
  if (text !== null) {
    if (/^([0-9a-f]{2})+$/i.test(text) && isSignature(fromHex(text.toLowerCase()))) {
      return fault("The signature's hexadecimal text was encoded instead of its bytes.", ENCODE_BYTES);
    }
    const inner = decodeBase64(text.replace(/\s/g, ""));
    if (inner !== null && isSignature(inner)) return fault("The signature was base64-encoded twice.", ENCODE_BYTES);
  }
  // The hexadecimal digits are all digits of base64url too, so the text decodes, to other bytes.
  const digits = encodeBase64(signature).replace(/=+$/, "");
  if (/^([0-9a-f]{2})+$/i.test(digits) && isSignature(fromHex(digits.toLowerCase()))) {
    return fault("The signature is written in hexadecimal.", "Write its bytes as base64url instead.");
  }
  const [frame, ...rest] = readElements(signature) ?? [];
  if (frame?.tag === SEQUENCE && rest.length === 0 && frame.content.length === P1363_LENGTH_BYTES) {
    return fault(
      "The 64 bytes of a P1363 signature were put into a DER frame as they are.",
      "Send the 64 bytes alone, or DER as the library writes it: two integers in a sequence.",
    );
  }
  if (isCutDer(signature)) {
    return fault(
      "This is a DER signature cut to 64 bytes, the length of the other encoding, P1363.",
      "Send the DER whole (70 to 72 bytes, as a rule), or ask the library for P1363.",
    );
  }
  return explainLength(signature);
}

function explainLength({ length, 0: first }: Bytes): Fault {
  const fix = "Sign with ECDSA on P-256 and SHA-256, and send DER or the 64 bytes of P1363.";
  if (length === 65)
    return fault("These are 65 bytes: a signature with a recovery byte, as Ethereum wallets make.", fix);
  if (length === 32) return fault("These are 32 bytes: a hash or an HMAC, not a signature.", fix);
  if (length === 96 || length === 132) return fault("This is a signature on a larger curve than P-256.", fix);
  if (length >= 256) return fault("These are the bytes of an RSA signature.", fix);
  if (first === SEQUENCE)
    return fault("The signature begins like DER, but is not DER: it is cut, padded or damaged.", fix);
  return fault(`The signature's ${length} bytes are neither DER nor the 64 bytes of P1363.`, fix);
}

/** Sixty-four bytes whose beginning announces more than there is. One random P1363 signature in many thousands does so. */
function isCutDer(bytes: Bytes): boolean {
  const [tag, length = 0, first, firstLength = 0] = bytes;
  return (
    bytes.length === P1363_LENGTH_BYTES &&
    tag === SEQUENCE &&
    length > P1363_LENGTH_BYTES - 2 &&
    length <= 72 &&
    first === 0x02 &&
    firstLength <= 33
  );
}

/** What was signed, or who signed it, when a well-formed signature does not verify. */
export async function explainMismatch(key: WebCryptoKey, signature: Bytes, payload: string): Promise<Fault> {
  const encoder = new TextEncoder();
  const verifies = (data: Bytes) => verifySignature(key, signature, data);
  const json = decodeBase64Url(payload);
  if (json !== null) {
    if (await verifies(json)) return fault("The payload's JSON was signed instead of its base64url text.", SIGN_TEXT);
    const digits = payload.replace(/=+$/, "");
    const padded = digits.padEnd(Math.ceil(digits.length / 4) * 4, "=");
    for (const other of [digits, padded, encodeBase64(json), encodeBase64(json).replace(/=+$/, "")]) {
      if (other !== payload && (await verifies(encoder.encode(other)))) {
        return fault("The payload was encoded again after signing, in another spelling.", SIGN_TEXT);
      }
    }
  }
  for (const end of ["\n", "\r\n"]) {
    if (await verifies(encoder.encode(payload + end))) {
      return fault("A line end was signed after the payload.", "Use printf '%s' instead of echo.");
    }
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(payload)));
  if ((await verifies(digest)) || (await verifies(encoder.encode(toHex(digest))))) {
    return fault("The payload was hashed twice.", "Sign the text itself: the signing function hashes it.");
  }
  return fault(
    "The signature is well-formed, but another private key made it, or the payload was changed afterwards.",
    "Check that openssl pkey -in merchant.pem -pubout prints the registered key. After a rotation, sign with the new key. " +
      "Sandbox and production know different keys: use the one registered in this environment.",
  );
}

function readAscii(bytes: Bytes): string | null {
  return bytes.length > 0 && bytes.every((byte) => byte >= 0x0a && byte < 0x7f)
    ? new TextDecoder().decode(bytes).trim()
    : null;
}

function fault(problem: string, fix: string): Fault {
  return { problem, fix };
}
