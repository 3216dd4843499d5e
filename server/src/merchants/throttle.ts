import type { Clock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import { clientOf } from "../http/client-address.ts";
import { fail } from "../http/errors.ts";
import { REFUSED_APPLICATIONS_FACTOR, THROTTLE_WINDOW_MS } from "../limits.ts";
import { countInWindow, deleteClosedWindows } from "./throttle-queries.ts";

type Outcome = "accepted" | "refused";

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * Counts a client's applications in the database, so that all processes share the count. Its window opens with the
 * first application and closes an hour later. Refused applications are counted apart and may be more.
 */
export function createThrottle({ db, clock, perHour }: { db: Queryable; clock: Clock; perHour: number }) {
  const limits: Record<Outcome, number> = {
    accepted: perHour,
    refused: perHour * REFUSED_APPLICATIONS_FACTOR,
  };

  return {
    async count(outcome: Outcome, address: string): Promise<void> {
      const now = clock();
      const newEnd = new Date(now.getTime() + THROTTLE_WINDOW_MS);
      const window = await countInWindow(db, clientOf(address), outcome, { now, newEnd });
      if (window.count > limits[outcome]) {
        const waitMs = window.endDate.getTime() - now.getTime();
        fail("RATE_LIMITED", undefined, { "retry-after": String(Math.max(1, Math.ceil(waitMs / 1_000))) });
      }
    },

    /** Forgets addresses whose window has closed. */
    sweep: (): Promise<void> => deleteClosedWindows(db, clock()),
  };
}
