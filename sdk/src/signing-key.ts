import { type Limits, TIMEOUT_DEFAULT_MS, withDeadline } from "./deadline.ts";
import { MatchbookError } from "./errors.ts";
import { importPrivateKey } from "./keys.ts";
import { KeyError } from "./pem.ts";
import type { WebCryptoKey } from "./platform.ts";
import { ALGORITHM, isPossibleSignature } from "./signature.ts";

// What signs: a private key that is at hand, or a callback that asks a KMS or an HSM.

/**
 * Signs the bytes with ECDSA on P-256 and SHA-256, and answers the signature in DER or P1363 (64 bytes: r, then s). The bytes
 * are the message, not its hash: a service that signs hashes needs their SHA-256.
 */
export type SignCallback = (bytes: Uint8Array) => Promise<Uint8Array>;

/** A private key, or a callback that signs in its place. Exactly one of the two. */
export type SigningKey =
  | {
      /** PEM, or the result of `importPrivateKey`, which saves reading it again. */
      privateKey: string | WebCryptoKey;
      sign?: undefined;
    }
  | { sign: SignCallback; privateKey?: undefined };

export const SIGNING_KEY_OPTIONS = ["privateKey", "sign"] as const;

/** Signs, and gives up when the limits say so. */
export type PreparedSign = (bytes: Uint8Array, limits?: Limits) => Promise<Uint8Array>;

/** One way to sign, for both. A PEM that cannot be used is reported by the first signature, as a `KeyError`. */
export function prepareSign({ privateKey, sign }: SigningKey): PreparedSign {
  if (sign !== undefined) {
    if (privateKey !== undefined) throw new TypeError("Give privateKey or sign, not both.");
    if (typeof sign !== "function") throw new TypeError("sign must be a function that answers a signature.");
    return (bytes, limits = { timeoutMs: TIMEOUT_DEFAULT_MS, signal: undefined }) =>
      withDeadline("signature", limits, () => callSign(sign, bytes));
  }
  if (privateKey === undefined || privateKey === null || privateKey === "") {
    throw new TypeError("privateKey is missing. Give it, or sign.");
  }
  const key = typeof privateKey === "string" ? importPrivateKey(privateKey) : Promise.resolve(checkKey(privateKey));
  // Without this, a bad key that is never used would end the program as an unhandled rejection.
  key.catch(() => {});
  return async (bytes) =>
    new Uint8Array(await crypto.subtle.sign(ALGORITHM, await key, bytes as Uint8Array<ArrayBuffer>));
}

/** WebCrypto signs with a key on another curve too, and the service then refuses every request. */
function checkKey(key: WebCryptoKey): WebCryptoKey {
  const { type, algorithm, usages } = (key ?? {}) as Partial<CryptoKey>;
  const { name, namedCurve } = (algorithm ?? {}) as Partial<EcKeyAlgorithm>;
  if (type !== "private" || name !== "ECDSA" || namedCurve !== "P-256" || !usages?.includes("sign")) {
    throw new KeyError("privateKey must be PEM, or a WebCrypto key for ECDSA on P-256 that may sign.");
  }
  return key;
}

/**
 * The answer is checked and passed on unchanged. It is never converted, so bytes that can be read as either encoding need no
 * decision here: the service tries both.
 */
async function callSign(sign: SignCallback, bytes: Uint8Array): Promise<Uint8Array> {
  let answer: unknown;
  try {
    // A copy, so that the callback cannot change the text that is sent.
    answer = await sign(bytes.slice());
  } catch (cause) {
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
    throw failure(`The sign callback failed: ${reason.replace(/\.$/, "")}.`, cause);
  }
  if (!isBytes(answer)) {
    const given = answer === null ? "null" : Array.isArray(answer) ? "a list" : `a value of the type ${typeof answer}`;
    throw failure(`The sign callback must answer the signature as a Uint8Array, and it answered ${given}.`);
  }
  // A copy, because a Buffer may be part of a pool that is written again.
  const signature = Uint8Array.from(answer);
  if (!isPossibleSignature(signature)) {
    const hint = signature.length === 32 ? " This looks like a hash." : "";
    throw failure(
      `The sign callback answered ${signature.length} bytes that are no P-256 signature in DER or P1363 (64 bytes).${hint}`,
    );
  }
  return signature;
}

/** Also true for an array of another realm, as test runners and sandboxes make. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}

function failure(message: string, cause?: unknown): MatchbookError {
  return new MatchbookError({ code: "SIGNING_FAILED", message, cause });
}
