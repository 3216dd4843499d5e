import type { Queryable } from "../db/pool.ts";
import { fail } from "./errors.ts";
import { countInWindows, deleteClosedWindows, uncountInWindows, type Window } from "./rate-limit-queries.ts";

export type RateLimit = ReturnType<typeof createRateLimit>;

interface RateLimitOptions {
  readonly db: Queryable;
  readonly clock: () => Date;
  /** What is counted. Each scope has its own counts. */
  readonly scope: string;
  readonly max: number;
  readonly windowMs: number;
  readonly message: string;
}

/**
 * Counts per client in the database, so that all processes share the count. A client's window opens with the first of what
 * is counted and closes after its time, whatever comes meanwhile.
 */
export function createRateLimit({ db, clock, scope, max, windowMs, message }: RateLimitOptions) {
  const isOver = ({ count }: Window) => count > max;

  function refuse({ endDate }: Window): never {
    const waitMs = endDate.getTime() - clock().getTime();
    fail("RATE_LIMITED", message, { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1_000))) });
  }

  const countOn = (on: Queryable, clients: readonly string[]) => {
    const now = clock();
    return countInWindows(on, scope, clients, { now, newEnd: new Date(now.getTime() + windowMs) });
  };

  return {
    isOver,
    refuse,

    /** Counts and tells how often it was. Nobody is refused. */
    count: (...clients: string[]): Promise<Window[]> => countOn(db, clients),
    countOn: (on: Queryable, ...clients: string[]): Promise<Window[]> => countOn(on, clients),

    /** Counts, and refuses whoever is over the limit now. */
    async take(...clients: string[]): Promise<Window[]> {
      const windows = await countOn(db, clients);
      const over = windows.find(isOver);
      return over === undefined ? windows : refuse(over);
    },

    /** For what turned out not to count. */
    giveBack: (windows: readonly Window[]): Promise<void> => uncountInWindows(db, scope, windows),
  };
}

/** Forgets all clients whose window has closed. */
export function sweepRateLimits(db: Queryable, now: Date): Promise<void> {
  return deleteClosedWindows(db, now);
}
