import { isUtf8 } from "node:buffer";
import { fail } from "../http/errors.ts";
import { parseInstant } from "../instants.ts";
import {
  AUTHORIZATION_HEADER_LENGTH_MAX,
  MERCHANT_ID_LENGTH_MAX,
  SIGNATURE_AGE_MAX_MS,
  SIGNATURE_LEEWAY_AHEAD_MS,
} from "../limits.ts";
import { decodeBase64, decodeBase64Url } from "./base64.ts";

// The X-Merchant-Authorization header, read without a look at any merchant: base64 around a JSON envelope around a
// base64url payload around JSON. Every layer has exactly one reading. The payload may hold its own keys only: payment
// links are signed by the same key over the same kind of string and pass through browsers, so a link whose extra keys
// were ignored would be the merchant's credential in the hands of any end user.

/** A structurally sound header. Neither its merchant nor its times nor its signature have been checked. */
export interface Envelope {
  merchantId: string;
  /** The received base64url text, which is what was signed; never a re-serialization. */
  payload: string;
  /** The decoded bytes of the signature, in whichever encoding, if any. */
  signature: Uint8Array;
  signatureTimestamp: string;
  expiresAt: string | undefined;
}

const PAYLOAD_VERSION = "v1";
const ENVELOPE_KEYS: readonly string[] = ["merchantId", "payload", "signature"];
const PAYLOAD_KEYS: readonly string[] = ["version", "signatureTimestamp", "expiresAt"];
const PAYMENT_LINK_KEYS: readonly string[] = ["amount", "chainId", "address", "token", "idempotencyKey"];

// What PostgreSQL cannot hold is malformed, not merely unknown.
const NUL_OR_LONE_SURROGATE = /[\0\ud800-\udfff]/u;

// Callers' text is quoted back in messages, but never at length.
const QUOTED_LENGTH_MAX = 40;

/** Answers 401 without a header and 400, naming the layer that broke, for a malformed one. */
export function parseEnvelope(header: string | string[] | undefined): Envelope {
  const outer = singleValue(header);
  if (outer.length > AUTHORIZATION_HEADER_LENGTH_MAX) {
    refuse("header", `it is ${outer.length} characters long, and ${AUTHORIZATION_HEADER_LENGTH_MAX} is the maximum.`);
  }

  const envelope = readEnvelope(decodeBase64(outer) ?? refuse("outer base64", describeOuter(outer)));
  const { merchantId, payload } = envelope;
  const signature =
    decodeBase64Url(envelope.signature) ?? refuse("signature base64url", describeInner(envelope.signature));
  const payloadBytes = decodeBase64Url(payload) ?? refuse("payload base64url", describeInner(payload));
  const { signatureTimestamp, expiresAt } = readIdentity(payloadBytes);
  return { merchantId, payload, signature, signatureTimestamp, expiresAt };
}

// The two texts as nearly every client writes them. A pattern reads these at a fraction of a parser's cost; any other
// spelling takes the long way, to the same reading.
const USUAL_ENVELOPE =
  /^\{"merchantId": ?"([0-9a-f-]{36})", ?"payload": ?"([A-Za-z0-9_-]+)", ?"signature": ?"([A-Za-z0-9_-]+)"\}$/;
const USUAL_IDENTITY = /^\{"version": ?"v1", ?"signatureTimestamp": ?"([0-9T:.Z+-]+)"\}$/;

function readEnvelope(bytes: Buffer): { merchantId: string; payload: string; signature: string } {
  const usual = USUAL_ENVELOPE.exec(bytes.toString("latin1"));
  return usual === null
    ? parseEnvelopeJson(bytes)
    : { merchantId: usual[1] as string, payload: usual[2] as string, signature: usual[3] as string };
}

function parseEnvelopeJson(bytes: Buffer) {
  const text = readUtf8(bytes, "envelope JSON");
  const envelope = readObject(text, "envelope JSON", hintForEnvelope);
  refuseOtherKeys(envelope, ENVELOPE_KEYS, "envelope JSON", hintForEnvelopeKeys);
  const merchantId = requireString(envelope, "merchantId", "envelope");
  const payload = requireString(envelope, "payload", "envelope");
  const signature = requireString(envelope, "signature", "envelope");
  refuseRepeatedKeys(text, ENVELOPE_KEYS.length, "envelope JSON");
  if (merchantId === "") refuse("envelope.merchantId", "it is empty.");
  if (merchantId.length > MERCHANT_ID_LENGTH_MAX) {
    refuse("envelope.merchantId", `it is longer than ${MERCHANT_ID_LENGTH_MAX} characters.`);
  }
  if (NUL_OR_LONE_SURROGATE.test(merchantId)) {
    refuse("envelope.merchantId", "it holds a NUL or half of a surrogate pair.");
  }
  return { merchantId, payload, signature };
}

function readIdentity(bytes: Buffer): { signatureTimestamp: string; expiresAt: string | undefined } {
  const usual = USUAL_IDENTITY.exec(bytes.toString("latin1"));
  return usual === null ? parseIdentityJson(bytes) : { signatureTimestamp: usual[1] as string, expiresAt: undefined };
}

function parseIdentityJson(bytes: Buffer) {
  const text = readUtf8(bytes, "payload JSON");
  const identity = readObject(text, "payload JSON", hintForPayload);
  refuseOtherKeys(identity, PAYLOAD_KEYS, "payload JSON", hintForPayloadKeys);
  const version = requireString(identity, "version", "payload");
  const signatureTimestamp = requireString(identity, "signatureTimestamp", "payload");
  const expiresAt = "expiresAt" in identity ? requireString(identity, "expiresAt", "payload") : undefined;
  refuseRepeatedKeys(text, expiresAt === undefined ? 2 : 3, "payload JSON");
  if (version !== PAYLOAD_VERSION) {
    refuse("payload.version", `it is ${quote(version)} and must be "${PAYLOAD_VERSION}".`);
  }
  return { signatureTimestamp, expiresAt };
}

/**
 * Answers 422 unless the envelope is in force at `nowMs`. Its life is closed on both ends: it counts up to 60.000 s before
 * `signatureTimestamp`, up to and including 15:00.000 after it, and up to and including `expiresAt`, which can only
 * shorten that. A time nobody can read comes first, since nothing can be measured against it.
 */
export function checkTime(envelope: Envelope, nowMs: number): void {
  const signedAtMs = readTime("signatureTimestamp", envelope.signatureTimestamp, nowMs);
  const expiresAtMs =
    envelope.expiresAt === undefined ? Number.POSITIVE_INFINITY : readTime("expiresAt", envelope.expiresAt, nowMs);

  const ageMs = nowMs - signedAtMs;
  if (ageMs > SIGNATURE_AGE_MAX_MS) {
    fail(
      "MERCHANT_AUTHORIZATION_EXPIRED",
      `signatureTimestamp ${formatTime(signedAtMs)} is ${formatSeconds(ageMs)} behind the server's time ` +
        `${formatTime(nowMs)}; at most ${formatSeconds(SIGNATURE_AGE_MAX_MS)} are accepted. Sign a fresh envelope for ` +
        "every request. If this one is fresh, your clock is slow: synchronize it.",
    );
  }
  if (nowMs > expiresAtMs) {
    fail(
      "MERCHANT_AUTHORIZATION_EXPIRED",
      `expiresAt ${formatTime(expiresAtMs)} is ${formatSeconds(nowMs - expiresAtMs)} behind the server's time ` +
        `${formatTime(nowMs)}. Sign a fresh envelope for every request, or leave expiresAt out.`,
    );
  }
  if (-ageMs > SIGNATURE_LEEWAY_AHEAD_MS) {
    fail(
      "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
      `signatureTimestamp ${formatTime(signedAtMs)} is ${formatSeconds(-ageMs)} ahead of the server's time ` +
        `${formatTime(nowMs)}; at most ${formatSeconds(SIGNATURE_LEEWAY_AHEAD_MS)} are accepted. Your clock is fast, or ` +
        "local time was written as UTC.",
    );
  }
}

function singleValue(header: string | string[] | undefined): string {
  const value = Array.isArray(header) && header.length < 2 ? header[0] : header;
  // An empty value is what an unset variable leaves in a client's template: nothing was sent.
  if (value === undefined || value === "") fail("MERCHANT_AUTHORIZATION_MISSING");
  if (Array.isArray(value)) refuse("header", "it was sent more than once.");
  return value;
}

// JSON cannot hold a byte order mark, and a decoder that replaces broken UTF-8 would give two headers one reading.
function readUtf8(bytes: Buffer, layer: string): string {
  if (!isUtf8(bytes)) refuse(layer, "the decoded bytes are not UTF-8.");
  return bytes.toString("utf8");
}

function readObject(text: string, layer: string, hint: (text: string) => string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse(layer, `the decoded text is not JSON.${hint(text)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    refuse(layer, `the decoded text is not a JSON object.${hint(text)}`);
  }
  return value as Record<string, unknown>;
}

// `__proto__` is a key like any other here: JSON.parse makes it an own property, which Object.keys lists.
function refuseOtherKeys(
  object: Record<string, unknown>,
  allowed: readonly string[],
  layer: string,
  hint: (keys: readonly string[]) => string,
): void {
  const keys = Object.keys(object);
  for (const key of keys) {
    if (!allowed.includes(key)) refuse(layer, `it may not hold the key ${quote(key)}.${hint(keys)}`);
  }
}

function requireString(object: Record<string, unknown>, key: string, layer: string): string {
  const value = object[key];
  if (typeof value === "string") return value;
  if (value === undefined) refuse(`${layer}.${key}`, "it is missing.");
  return refuse(`${layer}.${key}`, "it must be a string.");
}

/**
 * JSON.parse keeps the last of two members of one name, other languages the first: two readings of one signed text. The
 * object is known to be flat and to hold `keyCount` distinct strings, so it is written with four quotation marks for each;
 * any further member, whatever its value, brings more.
 */
function refuseRepeatedKeys(text: string, keyCount: number, layer: string): void {
  let marks = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) {
    if (!isEscaped(text, at)) marks++;
  }
  if (marks !== 4 * keyCount) refuse(layer, "a key appears twice.");
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}

function readTime(name: string, text: string, nowMs: number): number {
  return (
    parseInstant(text) ??
    fail(
      "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
      `${name} ${quote(text)} is not an ISO-8601 date and time with a zone. The server's time, written as wanted, is ` +
        `${formatTime(nowMs)}.`,
    )
  );
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
  return describeBase64(text, /[^A-Za-z0-9+/=_-]/u);
}

function describeInner(text: string): string {
  if (text.startsWith("{")) return "this is JSON. Send the base64url text that was signed.";
  if (/[+/]/.test(text)) return 'this is standard base64. Write "-" for "+" and "_" for "/".';
  return describeBase64(text, /[^A-Za-z0-9=_-]/u);
}

function describeBase64(text: string, stranger: RegExp): string {
  const character = stranger.exec(text);
  if (character !== null)
    return `character ${character.index + 1} is ${quote(character[0])}, which is not in its alphabet.`;
  return "no encoder writes this text: its length, padding or last character is wrong. Was it cut?";
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
  return keys.some((key) => PAYMENT_LINK_KEYS.includes(key)) ? " A signed payment link is not a credential." : "";
}

function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED_LENGTH_MAX ? `${text.slice(0, QUOTED_LENGTH_MAX)}…` : text);
}

function formatTime(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(3)} s`;
}
