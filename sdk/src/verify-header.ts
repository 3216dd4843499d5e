import { decodeBase64, decodeBase64Url } from "./base64.ts";
import { BIND_PARTS, type Bind, bindTo, findUntruePart, REQUEST_OPTIONS, type SignedRequest } from "./bind.ts";
import { type JsonObject, readObject } from "./json-object.ts";
import { importPublicKey } from "./keys.ts";
import { findTimeProblem } from "./lifetime.ts";
import { refuseUnknownOptions } from "./options.ts";
import type { Bytes, WebCryptoKey } from "./platform.ts";
import { HEADER_LENGTH_MAX } from "./sign-header.ts";
import { verifySignature } from "./signature.ts";

// The service's verdict on a header, reached on WebCrypto alone and without the service's code. Both are held to the same
// vectors, so this is also a second opinion on them.

const MERCHANT_ID_LENGTH_MAX = 128;

const statuses = {
  MERCHANT_AUTHORIZATION_MISSING: 401,
  VALIDATION_ERROR: 400,
  MERCHANT_NOT_REGISTERED: 403,
  MERCHANT_NOT_ACTIVE: 403,
  MERCHANT_AUTHORIZATION_EXPIRED: 422,
  MERCHANT_SIGNATURE_TIMESTAMP_INVALID: 422,
  MERCHANT_SIGNATURE_INVALID: 422,
} as const;

export type HeaderRefusalCode = keyof typeof statuses;

export type HeaderVerdict =
  | { status: 200; code: null; message: string }
  | { status: 400 | 401 | 403 | 422; code: HeaderRefusalCode; message: string };

export interface VerifyHeaderOptions {
  /** The one merchant that is known, its key, and whether it is active (it is unless said otherwise). */
  merchantId: string;
  publicKey: string | WebCryptoKey;
  active?: boolean | undefined;
  /** The request that the header came with. A bound header is refused without it, since nothing can be compared. */
  request?: SignedRequest | undefined;
  /** Whether the merchant requires bound signatures; it does not unless said so. */
  requireBoundSignatures?: boolean | undefined;
  now?: Date | number | undefined;
}

const OPTIONS = ["merchantId", "publicKey", "active", "request", "requireBoundSignatures", "now"];

/** What the service would answer to this header; a list stands for a header that was sent more than once. */
export async function verifyHeader(
  header: string | readonly string[] | null | undefined,
  options: VerifyHeaderOptions,
): Promise<HeaderVerdict> {
  refuseUnknownOptions("verifyHeader", options, OPTIONS);
  if (options.request !== undefined) {
    refuseUnknownOptions("The request of verifyHeader", options.request, REQUEST_OPTIONS);
  }
  const { merchantId, publicKey, active = true, now = Date.now() } = options;
  const key = typeof publicKey === "string" ? await importPublicKey(publicKey) : publicKey;
  try {
    const envelope = readEnvelope(header);
    if (envelope.merchantId !== merchantId)
      refuse("MERCHANT_NOT_REGISTERED", "the merchantId is not the known merchant's");
    if (!active) refuse("MERCHANT_NOT_ACTIVE", "the merchant is not active");
    checkTimes(envelope, Number(now));
    await checkSignature(envelope, key);
    await checkBind(envelope, options);
    return { status: 200, code: null, message: "The header is valid." };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      status: statuses[error.code],
      code: error.code,
      message: `The header is refused: ${error.message}.`,
    };
  }
}

export interface Envelope {
  merchantId: string;
  payload: string;
  signature: Bytes;
  signatureTimestamp: string;
  expiresAt: string | undefined;
  /** The request that the header is for; undefined when it is not bound. */
  bind: Bind | undefined;
}

export class Refusal extends Error {
  readonly code: HeaderRefusalCode;

  constructor(code: HeaderRefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

function refuse(code: HeaderRefusalCode, message: string): never {
  throw new Refusal(code, message);
}

/** Reads every layer without looking at the time, the merchant or the signature. Throws a `Refusal`. */
export function readEnvelope(header: string | readonly string[] | null | undefined): Envelope {
  const values = header === null || header === undefined ? [] : typeof header === "string" ? [header] : header;
  const [value = ""] = values;
  if (values.length > 1) refuse("VALIDATION_ERROR", "it was sent more than once");
  if (value === "") refuse("MERCHANT_AUTHORIZATION_MISSING", "it is missing");
  if (value.length > HEADER_LENGTH_MAX) refuse("VALIDATION_ERROR", `it is longer than ${HEADER_LENGTH_MAX} characters`);

  const outer = decodeBase64(value) ?? refuse("VALIDATION_ERROR", "it is not base64");
  const envelope = readLayer(outer, "envelope", ["merchantId", "payload", "signature"]);
  const merchantId = readText(envelope, "merchantId");
  const payload = readText(envelope, "payload");
  const signature =
    decodeBase64Url(readText(envelope, "signature")) ?? refuse("VALIDATION_ERROR", "the signature is not base64url");
  // In a regular expression with the flag u, a surrogate matches only where its other half is missing.
  if (merchantId === "" || merchantId.length > MERCHANT_ID_LENGTH_MAX || /[\0\ud800-\udfff]/u.test(merchantId)) {
    refuse("VALIDATION_ERROR", "the merchantId is empty, too long or holds an impossible character");
  }

  const inner = decodeBase64Url(payload) ?? refuse("VALIDATION_ERROR", "the payload is not base64url");
  const identity = readLayer(inner, "payload", ["version", "signatureTimestamp", "expiresAt", "bind"]);
  if (identity.get("version") !== "v1") refuse("VALIDATION_ERROR", 'the payload\'s version is not "v1"');
  const signatureTimestamp = readText(identity, "signatureTimestamp");
  const expiresAt = identity.has("expiresAt") ? readText(identity, "expiresAt") : undefined;
  const bind = identity.has("bind") ? readBind(identity.get("bind")) : undefined;
  return { merchantId, payload, signature, signatureTimestamp, expiresAt, bind };
}

/** All five parts, each a string, and nothing else. */
function readBind(value: ReturnType<JsonObject["get"]>): Bind {
  if (!(value instanceof Map)) return refuse("VALIDATION_ERROR", "bind is not an object");
  refuseOtherKeys(value, "bind", BIND_PARTS);
  return Object.fromEntries(BIND_PARTS.map((part) => [part, readText(value, part)])) as unknown as Bind;
}

/** The payload of a payment link has more keys than these, and must never pass. */
function readLayer(bytes: Bytes, layer: string, allowed: readonly string[]): JsonObject {
  const object = readObject(bytes, ["bind"]);
  if (typeof object === "string") return refuse("VALIDATION_ERROR", `in the ${layer}, ${object}`);
  refuseOtherKeys(object, layer, allowed);
  return object;
}

function refuseOtherKeys(object: JsonObject, layer: string, allowed: readonly string[]): void {
  for (const key of object.keys()) {
    if (!allowed.includes(key)) refuse("VALIDATION_ERROR", `the ${layer} may not hold the key ${JSON.stringify(key)}`);
  }
}

function readText(object: JsonObject, key: string): string {
  const value = object.get(key);
  return typeof value === "string" ? value : refuse("VALIDATION_ERROR", `${key} is missing or not a string`);
}

function checkTimes({ signatureTimestamp, expiresAt }: Envelope, nowMs: number): void {
  const problem = findTimeProblem(signatureTimestamp, expiresAt, nowMs);
  if (problem !== null) refuse(problem.code, problem.message);
}

async function checkSignature({ payload, signature }: Envelope, key: WebCryptoKey): Promise<void> {
  if (await verifySignature(key, signature, new TextEncoder().encode(payload))) return;
  refuse("MERCHANT_SIGNATURE_INVALID", "the signature does not match the payload and the public key");
}

async function checkBind(envelope: Envelope, options: VerifyHeaderOptions): Promise<void> {
  const { bind } = envelope;
  const { request, requireBoundSignatures = false } = options;
  if (bind === undefined) {
    if (requireBoundSignatures)
      refuse("MERCHANT_SIGNATURE_INVALID", "it is not bound, and this merchant requires bind");
    return;
  }
  if (request === undefined) return refuse("MERCHANT_SIGNATURE_INVALID", "it is bound to a request that was not given");
  const untrue = findUntruePart(bind, await bindTo(envelope.merchantId, request));
  if (untrue !== null) refuse("MERCHANT_SIGNATURE_INVALID", `bind.${untrue} is not true of the request`);
}
