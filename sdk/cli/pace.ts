import { setTimeout as wait } from "node:timers/promises";
import { MatchbookError } from "@matchbook/sdk";

const BASE_DELAY_MS = 100;
const DELAY_MAX_MS = 5_000;
const TEMPORARY_STATUSES: readonly (number | null)[] = [408, 429, 500, 502, 503, 504];
const TEMPORARY_CODES = ["CONNECTION_FAILED", "TIMEOUT"];

/**
 * The common pace of many parallel calls: when the service asks one of them to wait, or cannot be reached, all of
 * them wait, so that a service in trouble is not pressed by the others.
 */
export class Pace {
  readonly #patienceMs: number;
  readonly #waiting: (error: MatchbookError) => void;
  readonly #signal: AbortSignal | undefined;
  #resumeAt = 0;
  #heldTimes = 0;
  #lastAnswerAt = performance.now();

  /** `waiting` is called for every failure that is waited out. `signal` ends the waits. */
  constructor(patienceMs: number, waiting: (error: MatchbookError) => void = () => {}, signal?: AbortSignal) {
    this.#patienceMs = patienceMs;
    this.#waiting = waiting;
    this.#signal = signal;
  }

  /** Repeats the call until it is answered. A refusal is an answer; patience ends when there is none for too long. */
  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    for (;;) {
      for (let waitMs = this.#waitMs(); waitMs > 0; waitMs = this.#waitMs()) {
        await wait(waitMs, undefined, this.#signal === undefined ? {} : { signal: this.#signal });
      }
      try {
        const result = await call();
        this.#answered();
        return result;
      } catch (error) {
        if (!(error instanceof MatchbookError)) throw error;
        if (!isTemporary(error)) {
          this.#answered();
          throw error;
        }
        if (!this.#hold(error)) throw error;
        this.#waiting(error);
      }
    }
  }

  #answered(): void {
    this.#heldTimes = 0;
    this.#lastAnswerAt = performance.now();
  }

  /** Holds everyone back; false when there has been no answer for too long to go on. */
  #hold({ retryAfterMs }: MatchbookError): boolean {
    const waitedMs = performance.now() - this.#lastAnswerAt;
    if (waitedMs + (retryAfterMs ?? 0) > this.#patienceMs) return false;
    // Those that failed together count as one failure; only a failure after the wait makes the next one longer.
    if (this.#waitMs() > 0 && retryAfterMs === null) return true;
    const ownDelayMs = Math.min(DELAY_MAX_MS, BASE_DELAY_MS * 2 ** this.#heldTimes++) * (0.5 + Math.random() / 2);
    this.#resumeAt = Math.max(this.#resumeAt, performance.now() + (retryAfterMs ?? ownDelayMs));
    return true;
  }

  #waitMs(): number {
    return this.#resumeAt - performance.now();
  }
}

/** Whether the same request may well succeed later. */
function isTemporary({ code, status }: MatchbookError): boolean {
  return TEMPORARY_CODES.includes(code) || TEMPORARY_STATUSES.includes(status);
}
