import { fail } from "../http/errors.ts";
import { AUTHORIZATION_HEADER_LENGTH_MAX, MERCHANT_ID_LENGTH_MAX } from "../limits.ts";
import { decodeBase64, decodeBase64Url } from "../signing/base64.ts";
import {
  describeAlphabet,
  describeBase64Url,
  quote,
  readObject,
  refuseOtherKeys,
  requireString,
} from "../signing/strict-json.ts";
import { findTimeProblem } from "../signing/time.ts";
import { type Bind, readBind } from "./bind.ts";

// The X-Merchant-Authorization header, read without a look at any merchant: base64 around a JSON envelope around a
// base64url payload around JSON. Every layer has exactly one reading. The payload may hold its own keys only: payment
// links are signed by the same key over the same kind of string and pass through browsers, so a link whose extra keys
// were ignored would be the merchant's credential in the hands of any end user.

/** A structurally sound header. Neither its merchant nor its times nor its signature have been checked. */
export interface Envelope {
  merchantId: string;
  /** The received base64url text, which is what was signed; never a re-serialization. */
  payload: string;
  /** The decoded bytes of the signature. Their encoding is not checked yet. */
  signature: Uint8Array;
  signatureTimestamp: string;
  expiresAt: string | undefined;
  /** The request that this header is bound to. Undefined: it is valid for any request of the merchant. */
  bind: Bind | undefined;
}

const PAYLOAD_VERSION = "v1";
const ENVELOPE_KEYS: readonly string[] = ["merchantId", "payload", "signature"];
const PAYLOAD_KEYS: readonly string[] = ["version", "signatureTimestamp", "expiresAt", "bind"];
const PAYMENT_LINK_KEYS: readonly string[] = ["amount", "chainId", "address", "token", "idempotencyKey"];

// A text that PostgreSQL cannot store is malformed, not just unknown.
const NUL_OR_LONE_SURROGATE = /[\0\ud800-\udfff]/u;

/** Answers 401 without a header and 400, naming the layer that broke, for a malformed one. */
export function parseEnvelope(header: string | string[] | undefined): Envelope {
  const outer = singleValue(header);
  if (outer.length > AUTHORIZATION_HEADER_LENGTH_MAX) {
    refuse("header", `it is ${outer.length} characters long, and ${AUTHORIZATION_HEADER_LENGTH_MAX} is the maximum.`);
  }

  const envelope = readEnvelope(decodeBase64(outer) ?? refuse("outer base64", describeOuter(outer)));
  const { merchantId, payload } = envelope;
  const signature =
    decodeBase64Url(envelope.signature) ?? refuse("signature base64url", describeBase64Url(envelope.signature));
  const payloadBytes = decodeBase64Url(payload) ?? refuse("payload base64url", describeBase64Url(payload));
  return { merchantId, payload, signature, ...readIdentity(payloadBytes) };
}

function readEnvelope(bytes: Buffer): { merchantId: string; payload: string; signature: string } {
  const envelope = readObject(bytes, "envelope JSON", refuse, hintForEnvelope);
  refuseOtherKeys(envelope, ENVELOPE_KEYS, "envelope JSON", refuse, hintForEnvelopeKeys);
  const merchantId = requireString(envelope, "merchantId", "envelope", refuse);
  const payload = requireString(envelope, "payload", "envelope", refuse);
  const signature = requireString(envelope, "signature", "envelope", refuse);
  if (merchantId === "") refuse("envelope.merchantId", "it is empty.");
  if (merchantId.length > MERCHANT_ID_LENGTH_MAX) {
    refuse("envelope.merchantId", `it is longer than ${MERCHANT_ID_LENGTH_MAX} characters.`);
  }
  if (NUL_OR_LONE_SURROGATE.test(merchantId)) {
    refuse("envelope.merchantId", "it holds a NUL or half of a surrogate pair.");
  }
  return { merchantId, payload, signature };
}

function readIdentity(bytes: Buffer): Pick<Envelope, "signatureTimestamp" | "expiresAt" | "bind"> {
  const identity = readObject(bytes, "payload JSON", refuse, hintForPayload);
  refuseOtherKeys(identity, PAYLOAD_KEYS, "payload JSON", refuse, hintForPayloadKeys);
  const version = requireString(identity, "version", "payload", refuse);
  const signatureTimestamp = requireString(identity, "signatureTimestamp", "payload", refuse);
  const expiresAt = "expiresAt" in identity ? requireString(identity, "expiresAt", "payload", refuse) : undefined;
  const bind = "bind" in identity ? readBind(identity.bind, refuse) : undefined;
  if (version !== PAYLOAD_VERSION) {
    refuse("payload.version", `it is ${quote(version)} and must be "${PAYLOAD_VERSION}".`);
  }
  return { signatureTimestamp, expiresAt, bind };
}

/** Answers 422 unless the envelope is valid at `nowMs`. */
export function checkTime(envelope: Pick<Envelope, "signatureTimestamp" | "expiresAt">, nowMs: number): void {
  const problem = findTimeProblem(envelope, nowMs);
  if (problem !== null) fail(problem.code, problem.message);
}

function singleValue(header: string | string[] | undefined): string {
  const value = Array.isArray(header) && header.length < 2 ? header[0] : header;
  // An unset variable in a client's template leaves an empty value. It counts as missing.
  if (value === undefined || value === "") fail("MERCHANT_AUTHORIZATION_MISSING");
  if (Array.isArray(value)) refuse("header", "it was sent more than once.");
  return value;
}

function refuse(layer: string, problem: string): never {
  fail("VALIDATION_ERROR", `X-Merchant-Authorization is malformed (${layer}): ${problem}`);
}

function describeOuter(text: string): string {
  if (text.startsWith("{")) return "this is JSON. Send the base64 encoding of the envelope.";
  if (text.includes(",")) return "a comma is not base64. Was the header sent more than once?";
  if (/^(bearer|basic|signature) /i.test(text)) return "no scheme goes before the value.";
  if (/\s/.test(text)) return "it holds white space. Encode without line breaks.";
  if (/[+/]/.test(text) && /[-_]/.test(text)) return "it mixes the standard and the url-safe alphabet.";
  return describeAlphabet(text, /[^A-Za-z0-9+/=_-]/u);
}

function hintForEnvelope(text: string): string {
  return text.startsWith("eyJ") ? " It looks as if the envelope was base64-encoded twice." : "";
}

function hintForEnvelopeKeys(keys: readonly string[]): string {
  if (keys.includes("preview")) return " A signed payment link is not a credential.";
  if (keys.includes("signatureTimestamp"))
    return " This is the payload; send it inside an envelope with merchantId and signature.";
  return "";
}

function hintForPayload(text: string): string {
  return text.startsWith("eyJ") ? " It looks as if the payload was base64url-encoded twice." : "";
}

function hintForPayloadKeys(keys: readonly string[]): string {
  if (keys.includes("purpose")) return " The proof of an application is not a credential.";
  return keys.some((key) => PAYMENT_LINK_KEYS.includes(key)) ? " A signed payment link is not a credential." : "";
}
