import { type Bind, REQUEST_OPTIONS } from "./bind.ts";
import { explainBind, type KnownRequest } from "./explain-bind.ts";
import { explainForm, type Fault } from "./explain-form.ts";
import { explainEncoding, explainMismatch } from "./explain-signature.ts";
import { parseInstant } from "./instants.ts";
import { importPublicKey } from "./keys.ts";
import { findTimeProblem, type TimeProblem } from "./lifetime.ts";
import { refuseUnknownOptions } from "./options.ts";
import { KeyError } from "./pem.ts";
import type { WebCryptoKey } from "./platform.ts";
import { verifySignature } from "./signature.ts";
import { type Envelope, type HeaderRefusalCode, Refusal, readEnvelope } from "./verify-header.ts";

export interface KnownMerchant {
  merchantId?: string | undefined;
  publicKey?: string | WebCryptoKey | undefined;
}

export interface ExplainHeaderOptions extends KnownMerchant {
  /** The same merchant's account in the other environment, to tell a mix-up of the two from a wrong key. */
  otherEnvironment?: KnownMerchant | undefined;
  /** What is known of the request that the header is sent with; a bound header is compared with it. */
  request?: KnownRequest | undefined;
  /** Whether the merchant requires bound signatures; it does not unless said so. */
  requireBoundSignatures?: boolean | undefined;
  now?: Date | number | undefined;
}

export type HeaderExplanation =
  | {
      ok: true;
      code: null;
      problem: null;
      fix: null;
      signatureChecked: boolean;
      /** Only of a bound header: the request that it is good for. */
      bind?: Bind;
      /** Only of a bound header: whether all of it was compared with the request. */
      requestChecked?: boolean;
    }
  /** The code is what the service would answer; KEY_INVALID says that the key given here cannot be used. */
  | { ok: false; code: HeaderRefusalCode | "KEY_INVALID"; problem: string; fix: string };

const OPTIONS = ["merchantId", "publicKey", "otherEnvironment", "request", "requireBoundSignatures", "now"];

/** Why the service would refuse this header, in words, and what to do about it. The first fault counts, as it does there. */
export async function explainHeader(
  header: string | readonly string[] | null | undefined,
  options: ExplainHeaderOptions = {},
): Promise<HeaderExplanation> {
  refuseUnknownOptions("explainHeader", options, OPTIONS);
  if (options.request !== undefined) {
    refuseUnknownOptions("The request of explainHeader", options.request, REQUEST_OPTIONS);
  }
  const { merchantId, otherEnvironment } = options;
  if (otherEnvironment !== undefined) {
    refuseUnknownOptions("The otherEnvironment of explainHeader", otherEnvironment, ["merchantId", "publicKey"]);
  }
  let key: WebCryptoKey | null;
  let otherKey: WebCryptoKey | null;
  try {
    key = await readKey(options.publicKey);
    otherKey = await readKey(otherEnvironment?.publicKey);
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    const fix = "Give the public key as openssl pkey -in merchant.pem -pubout prints it, line ends included.";
    return refused("KEY_INVALID", { problem: error.message, fix });
  }

  let envelope: Envelope;
  try {
    envelope = readEnvelope(header);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const unknown = {
      problem: `The header cannot be read: ${error.message}.`,
      fix: "Compare with the steps of docs/authentication.md, or make the header with signHeader.",
    };
    return refused(error.code, explainForm(header) ?? unknown);
  }

  if (merchantId !== undefined && envelope.merchantId !== merchantId) {
    return refused("MERCHANT_NOT_REGISTERED", explainStranger(envelope.merchantId, otherEnvironment));
  }
  const nowMs = Number(options.now ?? Date.now());
  const late = findTimeProblem(envelope.signatureTimestamp, envelope.expiresAt, nowMs);
  if (late !== null) return refused(late.code, explainTime(envelope, late, nowMs));

  const data = new TextEncoder().encode(envelope.payload);
  if (key !== null && (await verifySignature(key, envelope.signature, data))) return judgeBind(envelope, options, true);
  const unreadable = explainEncoding(envelope.signature);
  if (unreadable !== null) return refused("MERCHANT_SIGNATURE_INVALID", unreadable);
  if (key === null) return judgeBind(envelope, options, false);
  if (otherKey !== null && (await verifySignature(otherKey, envelope.signature, data))) {
    return refused("MERCHANT_SIGNATURE_INVALID", {
      problem: "The key of the other environment signed this header.",
      fix: "Sandbox and production know different keys: sign with the one registered in this environment.",
    });
  }
  return refused("MERCHANT_SIGNATURE_INVALID", await explainMismatch(key, envelope.signature, envelope.payload));
}

async function readKey(key: string | WebCryptoKey | undefined): Promise<WebCryptoKey | null> {
  return typeof key === "string" ? importPublicKey(key) : (key ?? null);
}

/** The last check: whether the header is for this request. */
async function judgeBind(
  { bind, merchantId }: Envelope,
  { request = {}, requireBoundSignatures = false }: ExplainHeaderOptions,
  signatureChecked: boolean,
): Promise<HeaderExplanation> {
  const accepted = { ok: true, code: null, problem: null, fix: null, signatureChecked } as const;
  if (bind === undefined) {
    if (!requireBoundSignatures) return accepted;
    return refused("MERCHANT_SIGNATURE_INVALID", {
      problem: "The header is not bound to a request, and this merchant requires bound signatures.",
      fix: "Sign each header for its request: signHeader with request, or the SDK's client without bind: false.",
    });
  }
  const untrue = await explainBind(bind, merchantId, request);
  if (untrue !== null) return refused("MERCHANT_SIGNATURE_INVALID", untrue);
  const { environment, method, path } = request;
  const requestChecked = [environment, method, path].every((part) => part !== undefined) && "body" in request;
  return { ...accepted, bind, requestChecked };
}

function refused(code: HeaderRefusalCode | "KEY_INVALID", { problem, fix }: Fault): HeaderExplanation {
  return { ok: false, code, problem, fix };
}

function explainStranger(merchantId: string, otherEnvironment: KnownMerchant | undefined): Fault {
  if (merchantId === otherEnvironment?.merchantId) {
    return {
      problem: "The merchantId is the one of the other environment.",
      fix: "Sandbox and production know different merchants: use the id and the key of this environment.",
    };
  }
  return {
    problem: "The merchantId is not this merchant's.",
    fix: "Use the id from the application in this environment; sandbox and production each gave one of their own.",
  };
}

const MINUTE_MS = 60_000;
const HALF_HOUR_MS = 30 * MINUTE_MS;

function explainTime({ signatureTimestamp, expiresAt }: Envelope, { message }: TimeProblem, nowMs: number): Fault {
  const signedAtMs = parseInstant(signatureTimestamp);
  if (signedAtMs === null || (expiresAt !== undefined && parseInstant(expiresAt) === null)) {
    const hasZone = parseInstant(`${signatureTimestamp}Z`) === null;
    return {
      problem: hasZone || signedAtMs !== null ? `The time cannot be read: ${message}.` : "The time has no zone.",
      fix: "Write UTC with Z, such as 2026-01-15T12:00:00.000Z.",
    };
  }
  const aheadMs = signedAtMs - nowMs;
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const side = aheadMs > 0 ? "ahead of" : "behind";
  const distanceFromHalfHourMs = Math.abs(aheadMs - Math.round(aheadMs / HALF_HOUR_MS) * HALF_HOUR_MS);
  if (seconds * 1_000 >= HALF_HOUR_MS - MINUTE_MS && distanceFromHalfHourMs <= MINUTE_MS) {
    return {
      problem: `The time signed is ${seconds} s ${side} this clock, which is just the distance of a time zone.`,
      fix: "Local time was probably written as UTC. If not: sign right before sending, and synchronize the clock.",
    };
  }
  return {
    problem: `The time signed is ${seconds} s ${side} this clock: ${message}.`,
    fix: "Sign right before sending. If it was fresh, the signing machine's clock is wrong: synchronize it with NTP.",
  };
}
