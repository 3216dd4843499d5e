import type { ErrorCode } from "../http/errors.ts";
import { parseInstant } from "../instants.ts";
import { SIGNATURE_AGE_MAX_MS, SIGNATURE_LEEWAY_AHEAD_MS } from "../limits.ts";
import { quote } from "./strict-json.ts";

export interface SignedTimes {
  readonly signatureTimestamp: string;
  readonly expiresAt?: string | undefined;
}

export interface TimeProblem {
  readonly code: Extract<ErrorCode, "MERCHANT_AUTHORIZATION_EXPIRED" | "MERCHANT_SIGNATURE_TIMESTAMP_INVALID">;
  readonly message: string;
}

/**
 * Null while what was signed is in force at `nowMs`. Its life is closed on both ends: it counts up to 60.000 s before
 * `signatureTimestamp`, up to and including 15:00.000 after it, and up to and including `expiresAt`, which can only shorten
 * that. A time that cannot be read comes first, since nothing can be measured against it.
 */
export function findTimeProblem({ signatureTimestamp, expiresAt }: SignedTimes, nowMs: number): TimeProblem | null {
  const signedAtMs = parseInstant(signatureTimestamp);
  if (signedAtMs === null) return unreadable("signatureTimestamp", signatureTimestamp, nowMs);
  const expiresAtMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : parseInstant(expiresAt);
  if (expiresAtMs === null) return unreadable("expiresAt", expiresAt ?? "", nowMs);

  const ageMs = nowMs - signedAtMs;
  if (ageMs > SIGNATURE_AGE_MAX_MS) {
    return {
      code: "MERCHANT_AUTHORIZATION_EXPIRED",
      message:
        `signatureTimestamp ${formatTime(signedAtMs)} is ${formatSeconds(ageMs)} behind the server's time ` +
        `${formatTime(nowMs)}; at most ${formatSeconds(SIGNATURE_AGE_MAX_MS)} are accepted. Sign a fresh envelope for ` +
        "every request. If this one is fresh, your clock is slow: synchronize it.",
    };
  }
  if (nowMs > expiresAtMs) {
    return {
      code: "MERCHANT_AUTHORIZATION_EXPIRED",
      message:
        `expiresAt ${formatTime(expiresAtMs)} is ${formatSeconds(nowMs - expiresAtMs)} behind the server's time ` +
        `${formatTime(nowMs)}. Sign a fresh envelope for every request, or leave expiresAt out.`,
    };
  }
  if (-ageMs > SIGNATURE_LEEWAY_AHEAD_MS) {
    return {
      code: "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
      message:
        `signatureTimestamp ${formatTime(signedAtMs)} is ${formatSeconds(-ageMs)} ahead of the server's time ` +
        `${formatTime(nowMs)}; at most ${formatSeconds(SIGNATURE_LEEWAY_AHEAD_MS)} are accepted. Your clock is fast, or ` +
        "local time was written as UTC.",
    };
  }
  return null;
}

function unreadable(name: string, text: string, nowMs: number): TimeProblem {
  return {
    code: "MERCHANT_SIGNATURE_TIMESTAMP_INVALID",
    message:
      `${name} ${quote(text)} is not an ISO-8601 date and time with a zone. The server's time, written as wanted, is ` +
      `${formatTime(nowMs)}.`,
  };
}

function formatTime(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

function formatSeconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(3)} s`;
}
