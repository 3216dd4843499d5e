import { createHash } from "node:crypto";
import { keyPair, sign, toBytes, toNumber } from "./p256.mjs";

// The header, layer by layer. A case replaces the layer it is about and leaves the rest to be built around it.

export const NOW = "2026-01-15T12:00:00.000Z";
export const SIGNED_AT = "2026-01-15T11:59:30.000Z";
export const MERCHANT_ID = "0b3f9c6e-6a0e-4d8f-9a51-3f1c2d4e5f60";

// The first scalar is the published test key of RFC 6979, A.2.5; the second is made from a sentence. Neither is a secret.
export const MERCHANT_SCALAR = 0xc9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721n;
export const OTHER_SCALAR = toNumber(createHash("sha256").update("matchbook: the key of another merchant").digest());

export const keys = { merchant: keyPair(MERCHANT_SCALAR), other: keyPair(OTHER_SCALAR) };

export const base64 = (data) => Buffer.from(data).toString("base64");
export const base64url = (data) => Buffer.from(data).toString("base64url");
export const identity = (fields = {}) => JSON.stringify({ version: "v1", signatureTimestamp: SIGNED_AT, ...fields });

/** The request that the bound cases are sent with, and what a true `bind` says of it. */
export const request = {
  environment: "production",
  method: "POST",
  path: "/v1/merchant-domains",
  body: '{"domain":"shop.example"}',
};
export const bodySha256 = (body) =>
  createHash("sha256")
    .update(body ?? "")
    .digest("base64url");
export const bind = (fields = {}) => ({
  environment: request.environment,
  merchantId: MERCHANT_ID,
  method: request.method,
  path: request.path,
  bodySha256: bodySha256(request.body),
  ...fields,
});

/** What the same key signs for end users; see the signer endpoint. */
export const paymentLink = {
  amount: 25.5,
  chainId: 8453,
  address: "0x52908400098527886E0F7030069857D2E4169EE7",
  token: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  idempotencyKey: "6f1c1d0e-7a37-4b8a-9c43-0d7f5b1f2a11",
  callbackScheme: null,
  signatureTimestamp: SIGNED_AT,
  version: "v1",
};

export function p1363({ r, s }) {
  return Buffer.concat([toBytes(r), toBytes(s)]);
}

export function der({ r, s }) {
  return derSequence(derInteger(r), derInteger(s));
}

/** The minimal encoding of a number that is not negative. */
export function derInteger(number) {
  const bytes = toBytes(number, Math.max(1, Math.ceil(number.toString(16).length / 2)));
  return derElement(0x02, bytes[0] < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

export function derSequence(...elements) {
  return derElement(0x30, Buffer.concat(elements));
}

export function derElement(tag, content) {
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

/** Each parameter is one layer; the later ones are built from the earlier ones unless given. */
export function build({
  merchantId = MERCHANT_ID,
  payloadText = identity(),
  payload = base64url(payloadText),
  scalar = MERCHANT_SCALAR,
  signed = payload,
  pair = sign(scalar, signed),
  bytes = p1363(pair),
  signature = base64url(bytes),
  envelope = JSON.stringify({ merchantId, payload, signature }),
  header = base64(envelope),
} = {}) {
  return { merchantId, payload, pair, bytes, signature, envelope, header };
}

const statuses = {
  VALIDATION_ERROR: 400,
  MERCHANT_AUTHORIZATION_MISSING: 401,
  MERCHANT_NOT_REGISTERED: 403,
  MERCHANT_NOT_ACTIVE: 403,
  MERCHANT_AUTHORIZATION_EXPIRED: 422,
  MERCHANT_SIGNATURE_TIMESTAMP_INVALID: 422,
  MERCHANT_SIGNATURE_INVALID: 422,
};

/**
 * One vector. `code` is null where the header is accepted. `layers` are the parameters of `build`; `around` says what the
 * service knows and when it is asked: now, merchantId, active, publicKey; and, where it matters, the request that the header
 * came with, whether the merchant requires bound signatures, and the part of `bind` that the message names.
 */
export function vector(name, code, note, layers = {}, around = {}) {
  return {
    name,
    note,
    header: layers.header === undefined ? build(layers).header : layers.header,
    now: around.now ?? NOW,
    merchantId: around.merchantId ?? MERCHANT_ID,
    active: around.active ?? true,
    publicKey: around.publicKey ?? keys.merchant.publicKey,
    ...(around.request === undefined ? {} : { request: around.request }),
    ...(around.requireBoundSignatures === undefined ? {} : { requireBoundSignatures: around.requireBoundSignatures }),
    verdict: { status: code === null ? 200 : statuses[code], code },
    ...(around.names === undefined ? {} : { names: around.names }),
  };
}
