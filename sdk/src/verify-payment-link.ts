import { decodeBase64Url } from "./base64.ts";
import { fetchPublicKey } from "./client.ts";
import { MatchbookError } from "./errors.ts";
import { findRepeatedKey } from "./json-object.ts";
import { importPublicKey } from "./keys.ts";
import { findTimeProblem } from "./lifetime.ts";
import { refuseUnknownOptions } from "./options.ts";
import { type PaymentLinkPayload, readPaymentLink } from "./payment-link.ts";
import { verifySignature } from "./signature.ts";
import { CONNECTION_OPTIONS, type ConnectionOptions, openConnection } from "./transport.ts";

// For receivers of payment links: the hosted flow, or a merchant that checks its own signer. What is verified is the text
// that was received; it is never encoded again.

const MERCHANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LINK_KEYS = ["merchantId", "payload", "signature"] as const;

export interface PaymentLinkEnvelope {
  merchantId: string;
  payload: string;
  signature: string;
  preview?: object | undefined;
}

export type PaymentLinkRefusalCode =
  | "VALIDATION_ERROR"
  | "MERCHANT_NOT_REGISTERED"
  | "MERCHANT_AUTHORIZATION_EXPIRED"
  | "MERCHANT_SIGNATURE_TIMESTAMP_INVALID"
  | "MERCHANT_SIGNATURE_INVALID";

export type PaymentLinkVerdict =
  | { ok: true; merchantId: string; payment: PaymentLinkPayload }
  | { ok: false; code: PaymentLinkRefusalCode; problem: string };

interface LinkOptions {
  /** What a signer answered, as an object or as its JSON; or an address that carries its three parts as parameters. */
  link: PaymentLinkEnvelope | string;
  now?: Date | number | undefined;
}

/** The key comes from the service at `baseUrl`, or from wherever `fetchPublicKey` takes it; null means no such merchant. */
export type VerifyPaymentLinkOptions = LinkOptions &
  (
    | (ConnectionOptions & { fetchPublicKey?: undefined })
    | { fetchPublicKey: (merchantId: string) => Promise<string | null>; baseUrl?: undefined }
  );

const OPTIONS = ["link", "now", "fetchPublicKey", ...CONNECTION_OPTIONS];

/**
 * Whether a payment link was signed by an active merchant less than 15 minutes ago, and what it says. Show and use only the
 * `payment` of the verdict. Rejects when the key could not be fetched, for then nothing is known.
 */
export async function verifyPaymentLink(options: VerifyPaymentLinkOptions): Promise<PaymentLinkVerdict> {
  refuseUnknownOptions("verifyPaymentLink", options, OPTIONS);
  const envelope = readLink(options.link);
  if (typeof envelope === "string") return refuse("VALIDATION_ERROR", envelope);
  const signature = decodeBase64Url(envelope.signature);
  if (signature === null) return refuse("VALIDATION_ERROR", "The signature is not base64url.");
  const reading = readPaymentLink(envelope.payload);
  if (!reading.ok) return refuse("VALIDATION_ERROR", reading.problem);
  const { payment } = reading;
  if (!isTruePreview(envelope.preview, payment)) {
    return refuse("VALIDATION_ERROR", "The preview says something else than the signed payload.");
  }

  const pem = MERCHANT_ID.test(envelope.merchantId) ? await findPublicKey(options, envelope.merchantId) : null;
  if (pem === null) return refuse("MERCHANT_NOT_REGISTERED", "No active merchant has this merchantId.");
  const late = findTimeProblem(payment.signatureTimestamp, undefined, Number(options.now ?? Date.now()));
  if (late !== null) return refuse(late.code, `The link is refused: ${late.message}.`);
  const key = await importPublicKey(pem);
  if (!(await verifySignature(key, signature, new TextEncoder().encode(envelope.payload)))) {
    return refuse("MERCHANT_SIGNATURE_INVALID", "The signature does not match the payload and the merchant's key.");
  }
  return { ok: true, merchantId: envelope.merchantId, payment };
}

function refuse(code: PaymentLinkRefusalCode, problem: string): PaymentLinkVerdict {
  return { ok: false, code, problem };
}

async function findPublicKey(options: VerifyPaymentLinkOptions, merchantId: string): Promise<string | null> {
  if (options.fetchPublicKey !== undefined) return options.fetchPublicKey(merchantId);
  try {
    return (await fetchPublicKey(openConnection(options, null), merchantId)).publicKey;
  } catch (error) {
    if (error instanceof MatchbookError && error.code === "MERCHANT_NOT_REGISTERED") return null;
    throw error;
  }
}

/** The envelope, or a sentence that says why there is none. */
function readLink(link: PaymentLinkEnvelope | string): PaymentLinkEnvelope | string {
  if (typeof link !== "string") return readEnvelope(link);
  if (!link.trimStart().startsWith("{")) return readAddress(link);
  let value: unknown;
  try {
    value = JSON.parse(link);
  } catch {
    return "The link is not JSON.";
  }
  const repeated = findRepeatedKey(link);
  return repeated === null ? readEnvelope(value) : `The link holds the key ${JSON.stringify(repeated)} twice.`;
}

function readEnvelope(value: unknown): PaymentLinkEnvelope | string {
  if (!isRecord(value)) return "The link is not an object.";
  const envelope = value;
  for (const key of Object.keys(envelope)) {
    if (key !== "preview" && !(LINK_KEYS as readonly string[]).includes(key)) {
      return `A link may not hold the key ${JSON.stringify(key)}.`;
    }
  }
  for (const key of LINK_KEYS) {
    if (typeof envelope[key] !== "string") return `The link's ${key} is missing or not a string.`;
  }
  const { preview } = envelope;
  if (preview !== undefined && !isRecord(preview)) return "The preview is not an object.";
  return envelope as unknown as PaymentLinkEnvelope;
}

/** The parts stand in the query or, where they shall not reach a server's log, in the fragment. */
function readAddress(text: string): PaymentLinkEnvelope | string {
  // The URL parser would drop white space and turn backslashes: what is verified is then not what was received.
  if (/[^!-~]|\\/.test(text)) return "The link is neither JSON nor an address that is written as it is sent.";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "The link is neither JSON nor an address.";
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return "The link is not an http or https address.";
  const parameters = [...url.searchParams, ...new URLSearchParams(url.hash.slice(1))];
  const parts: Record<string, string> = {};
  for (const [name, value] of parameters) {
    if (!(LINK_KEYS as readonly string[]).includes(name)) continue;
    if (Object.hasOwn(parts, name)) return `The link holds ${name} twice.`;
    parts[name] = value;
  }
  return readEnvelope(parts);
}

/** The preview is not signed. One that misleads is refused rather than ignored. */
function isTruePreview(preview: object | undefined, payment: PaymentLinkPayload): boolean {
  if (preview === undefined) return true;
  const signed = new Map<string, unknown>(Object.entries(payment));
  return Object.entries(preview).every(([name, value]) => signed.has(name) && isSame(signed.get(name), value));
}

/** Equal by content. The metadata is an object of texts, and all other values are plain. */
function isSame(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && one[key] === other[key])
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
