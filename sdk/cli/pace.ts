import { setTimeout as delay } from "node:timers/promises";
import type { MatchbookError } from "@matchbook/sdk";

const BASE_DELAY_MS = 100;
const DELAY_MAX_MS = 5_000;
const TEMPORARY_STATUSES: readonly (number | null)[] = [408, 429, 500, 502, 503, 504];
const TEMPORARY_CODES = ["CONNECTION_FAILED", "TIMEOUT"];

/** Whether the same request may well succeed later. */
export function isTemporary({ code, status }: MatchbookError): boolean {
  return TEMPORARY_CODES.includes(code) || TEMPORARY_STATUSES.includes(status);
}

/**
 * The common pace of many calls under way at once: when the service asks one of them to wait, or cannot be reached, all of
 * them wait, so that a service in trouble is not pressed by the others.
 */
export class Pace {
  readonly #patienceMs: number;
  #resumeAt = 0;
  #heldTimes = 0;
  #lastSuccessAt = performance.now();

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  async ready(): Promise<void> {
    for (let waitMs = this.#waitMs(); waitMs > 0; waitMs = this.#waitMs()) await delay(waitMs);
  }

  succeeded(): void {
    this.#heldTimes = 0;
    this.#lastSuccessAt = performance.now();
  }

  /** Holds everyone back; false when nothing has succeeded for too long to go on. */
  hold(error: MatchbookError): boolean {
    const waitedMs = performance.now() - this.#lastSuccessAt;
    if (waitedMs + (error.retryAfterMs ?? 0) > this.#patienceMs) return false;
    // Those that failed together count as one failure; only a failure after the wait makes the next one longer.
    if (this.#waitMs() > 0 && error.retryAfterMs === null) return true;
    const ownDelayMs = Math.min(DELAY_MAX_MS, BASE_DELAY_MS * 2 ** this.#heldTimes++) * (0.5 + Math.random() / 2);
    this.#resumeAt = Math.max(this.#resumeAt, performance.now() + (error.retryAfterMs ?? ownDelayMs));
    return true;
  }

  #waitMs(): number {
    return this.#resumeAt - performance.now();
  }
}
