import { parseInstant } from "./instants.ts";

// How long a signed text is valid: a header or a payment link.

const AGE_MAX_MS = 15 * 60_000;
const LEEWAY_AHEAD_MS = 60_000;

export interface TimeProblem {
  code: "MERCHANT_AUTHORIZATION_EXPIRED" | "MERCHANT_SIGNATURE_TIMESTAMP_INVALID";
  message: string;
}

/** What is wrong with the times that were signed, or null. */
export function findTimeProblem(
  signatureTimestamp: string,
  expiresAt: string | undefined,
  nowMs: number,
): TimeProblem | null {
  const invalid = (message: string): TimeProblem => ({ code: "MERCHANT_SIGNATURE_TIMESTAMP_INVALID", message });
  const unreadable = (name: string) => invalid(`${name} is not an ISO-8601 date and time with a zone`);
  const signedAtMs = parseInstant(signatureTimestamp);
  if (signedAtMs === null) return unreadable("signatureTimestamp");
  const endMs = expiresAt === undefined ? Infinity : parseInstant(expiresAt);
  if (endMs === null) return unreadable("expiresAt");
  if (nowMs > Math.min(signedAtMs + AGE_MAX_MS, endMs)) {
    const message = `it was signed ${(nowMs - signedAtMs) / 1_000} s ago and has expired`;
    return { code: "MERCHANT_AUTHORIZATION_EXPIRED", message };
  }
  if (signedAtMs > nowMs + LEEWAY_AHEAD_MS) {
    return invalid(`signatureTimestamp is ${(signedAtMs - nowMs) / 1_000} s in the future`);
  }
  return null;
}
