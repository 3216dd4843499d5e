import type { Clock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import { clientOf } from "../http/client-address.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import { REFUSED_APPLICATIONS_FACTOR, THROTTLE_WINDOW_MS } from "../limits.ts";

type Outcome = "accepted" | "refused";

export type Throttle = ReturnType<typeof createThrottle>;

const MESSAGE = "Too many applications from this address. Retry after the Retry-After period.";

/** How many applications a client may send in an hour. Refused applications are counted apart and may be more. */
export function createThrottle({ db, clock, perHour }: { db: Queryable; clock: Clock; perHour: number }) {
  const limitOf = (outcome: Outcome, max: number) =>
    createRateLimit({
      db,
      clock,
      scope: `application ${outcome}`,
      max,
      windowMs: THROTTLE_WINDOW_MS,
      message: MESSAGE,
    });
  const limits = {
    accepted: limitOf("accepted", perHour),
    refused: limitOf("refused", perHour * REFUSED_APPLICATIONS_FACTOR),
  };
  return {
    async count(outcome: Outcome, address: string): Promise<void> {
      await limits[outcome].take(clientOf(address));
    },
  };
}
