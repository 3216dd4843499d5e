import { encodeBase64, encodeBase64Url } from "./base64.ts";
import { importPrivateKey } from "./keys.ts";

/** The name of the header that `signHeader` makes the value of. */
export const AUTHORIZATION_HEADER = "X-Merchant-Authorization";

export interface SignHeaderOptions {
  merchantId: string;
  /** PEM, or what `importPrivateKey` made of it, which saves reading it for every request. */
  privateKey: string | CryptoKey;
  /** The time of signing; the present unless given. */
  now?: Date | number | undefined;
  /** Ends the header's life earlier than the 15 minutes it has anyway. */
  expiresAt?: Date | number | undefined;
}

/**
 * The value of X-Merchant-Authorization. Make a fresh one for every request. Until it expires, whoever holds it can make
 * any call in the merchant's name, so it belongs in no log and on no connection without TLS.
 */
export async function signHeader({ merchantId, privateKey, now, expiresAt }: SignHeaderOptions): Promise<string> {
  if (typeof merchantId !== "string" || merchantId.trim() === "") throw new TypeError("merchantId is empty.");
  const signedAt = new Date(now ?? Date.now());
  const end = expiresAt === undefined ? undefined : new Date(expiresAt);
  if (end !== undefined && end < signedAt) throw new RangeError("expiresAt is before the time of signing.");
  const key = typeof privateKey === "string" ? await importPrivateKey(privateKey) : privateKey;

  const encoder = new TextEncoder();
  const identity = {
    version: "v1",
    signatureTimestamp: signedAt.toISOString(),
    expiresAt: end?.toISOString(),
  };
  const payload = encodeBase64Url(encoder.encode(JSON.stringify(identity)));
  // What is signed is the encoded text, not the JSON inside it.
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, encoder.encode(payload));
  const envelope = { merchantId, payload, signature: encodeBase64Url(new Uint8Array(signature)) };
  return encodeBase64(encoder.encode(JSON.stringify(envelope)));
}
