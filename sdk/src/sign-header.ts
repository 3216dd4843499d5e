import { encodeBase64, encodeBase64Url } from "./base64.ts";
import { bindTo, checkRequest, REQUEST_OPTIONS, type SignedRequest } from "./bind.ts";
import { refuseUnknownOptions } from "./options.ts";
import { prepareSign, SIGNING_KEY_OPTIONS, type SignCallback, type SigningKey } from "./signing-key.ts";

/** The name of the header that `signHeader` makes the value of. */
export const AUTHORIZATION_HEADER = "X-Merchant-Authorization";
/** The service refuses a longer one. */
export const HEADER_LENGTH_MAX = 4_096;

interface HeaderContent {
  merchantId: string;
  /** The request that the header is for. With it, the header is bound: good for this request and no other. */
  request?: SignedRequest | undefined;
  /** The time of signing; the present unless given. */
  now?: Date | number | undefined;
  /** Ends the header's life earlier than the 15 minutes it has anyway. */
  expiresAt?: Date | number | undefined;
}

export type SignHeaderOptions = HeaderContent & SigningKey;

const OPTIONS = ["merchantId", ...SIGNING_KEY_OPTIONS, "request", "now", "expiresAt"];

/**
 * The value of X-Merchant-Authorization. Make a fresh one for every request. Without `request`, anyone who has it can make
 * any call in the merchant's name until it expires. Keep it out of logs and off connections without TLS.
 */
export async function signHeader(options: SignHeaderOptions): Promise<string> {
  refuseUnknownOptions("signHeader", options, OPTIONS);
  if (options.request !== undefined) {
    refuseUnknownOptions("The request of signHeader", options.request, REQUEST_OPTIONS);
  }
  return makeHeader(options, prepareSign(options));
}

/** For callers that keep one `sign` for many headers. */
export async function makeHeader(
  { merchantId, request, now, expiresAt }: HeaderContent,
  sign: SignCallback,
): Promise<string> {
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
  const { payload, signature } = await signPayload(identity, sign);
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
  sign: SignCallback,
): Promise<{ payload: string; signature: string }> {
  const encoder = new TextEncoder();
  const payload = encodeBase64Url(encoder.encode(JSON.stringify(content)));
  return { payload, signature: encodeBase64Url(await sign(encoder.encode(payload))) };
}
