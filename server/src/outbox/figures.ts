import type { Clock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import { OUTBOX_SOON_MS } from "../limits.ts";
import { countJobsByKind, type JobCounts } from "./queries.ts";

/** How many jobs are waiting and how many were given up, counted up to `max` per kind. Both figures share one read. */
export function createJobFigures(db: Queryable, clock: Clock, kinds: readonly string[], max: number) {
  let underWay: Promise<JobCounts[]> | null = null;
  const sumOf = async (figure: "waiting" | "givenUp"): Promise<number> => {
    underWay ??= countJobsByKind(db, kinds, max, soonAfter(clock())).finally(() => {
      underWay = null;
    });
    return (await underWay).reduce((sum, counts) => sum + counts[figure], 0);
  };
  return { waiting: () => sumOf("waiting"), givenUp: () => sumOf("givenUp") };
}

/** Up to when a planned job counts as waiting. */
export function soonAfter(now: Date): Date {
  return new Date(now.getTime() + OUTBOX_SOON_MS);
}
