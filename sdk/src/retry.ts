import { follow } from "./deadline.ts";
import type { WebAbortSignal } from "./platform.ts";

// When a failed attempt is worth another one, and when to make it.

const BASE_DELAY_MS = 250;
const DELAY_MAX_MS = 8_000;
/** When the service asks for a longer wait than this, the call fails with the error instead of waiting. */
const RETRY_AFTER_MAX_MS = 60_000;

const RETRYABLE_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];

/** Every request of this API may be repeated, so only the answer decides; null stands for none. */
export function isRetryable(status: number | null): boolean {
  return status === null || RETRYABLE_STATUSES.includes(status);
}

/**
 * The wait before the next attempt, or null when the service asked for more patience than a call should have. The jitter is
 * full, so that callers that failed together do not come back together; what the service asked for is waited in any case.
 */
export function retryDelayMs(attempt: number, retryAfterMs: number | null, random: () => number): number | null {
  if (retryAfterMs !== null && retryAfterMs > RETRY_AFTER_MAX_MS) return null;
  const jitterMs = random() * Math.min(DELAY_MAX_MS, BASE_DELAY_MS * 2 ** attempt);
  return (retryAfterMs ?? 0) + jitterMs;
}

/** Retry-After is a number of seconds or a date. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function wait(delayMs: number, signal: WebAbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      unfollow?.();
      resolve();
    }, delayMs);
    const unfollow =
      signal &&
      follow(signal, () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
  });
}
