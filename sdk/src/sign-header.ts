import { encodeBase64, encodeBase64Url } from "./base64.ts";
import { bindTo, checkRequest, type SignedRequest } from "./bind.ts";
import { importPrivateKey } from "./keys.ts";
import { ALGORITHM } from "./signature.ts";

/** The name of the header that `signHeader` makes the value of. */
export const AUTHORIZATION_HEADER = "X-Merchant-Authorization";
/** The service refuses a longer one. */
export const HEADER_LENGTH_MAX = 4_096;

export interface SignHeaderOptions {
  merchantId: string;
  /** PEM, or what `importPrivateKey` made of it, which saves reading it for every request. */
  privateKey: string | CryptoKey;
  /** The request that the header is for. With it, the header is bound: good for this request and no other. */
  request?: SignedRequest | undefined;
  /** The time of signing; the present unless given. */
  now?: Date | number | undefined;
  /** Ends the header's life earlier than the 15 minutes it has anyway. */
  expiresAt?: Date | number | undefined;
}

/**
 * The value of X-Merchant-Authorization. Make a fresh one for every request. Without `request`, whoever holds it can make
 * any call in the merchant's name until it expires. Keep it out of logs and off connections without TLS.
 */
export async function signHeader(options: SignHeaderOptions): Promise<string> {
  const { merchantId, privateKey, request, now, expiresAt } = options;
  if (typeof merchantId !== "string" || merchantId.trim() === "") throw new TypeError("merchantId is empty.");
  if (request !== undefined) checkRequest(request);
  const signedAt = new Date(now ?? Date.now());
  const end = expiresAt === undefined ? undefined : new Date(expiresAt);
  if (end !== undefined && end < signedAt) throw new RangeError("expiresAt is before the time of signing.");

  const identity = {
    version: "v1",
    signatureTimestamp: signedAt.toISOString(),
    expiresAt: end?.toISOString(),
    bind: request === undefined ? undefined : await bindTo(merchantId, request),
  };
  const { payload, signature } = await signPayload(identity, privateKey);
  const header = encodeBase64(new TextEncoder().encode(JSON.stringify({ merchantId, payload, signature })));
  if (request !== undefined && header.length > HEADER_LENGTH_MAX) {
    throw new RangeError(
      `The path is too long to be bound: the header would have ${header.length} characters, and ${HEADER_LENGTH_MAX} is ` +
        "the maximum. Ask for less in one request, or sign this one unbound.",
    );
  }
  return header;
}

/** base64url of the JSON, and the signature over that text: it is the encoded text that is signed, not the JSON inside it. */
export async function signPayload(
  content: object,
  privateKey: string | CryptoKey,
): Promise<{ payload: string; signature: string }> {
  const key = typeof privateKey === "string" ? await importPrivateKey(privateKey) : privateKey;
  const encoder = new TextEncoder();
  const payload = encodeBase64Url(encoder.encode(JSON.stringify(content)));
  const signature = await crypto.subtle.sign(ALGORITHM, key, encoder.encode(payload));
  return { payload, signature: encodeBase64Url(new Uint8Array(signature)) };
}
