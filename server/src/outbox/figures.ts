import type { Clock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import { OUTBOX_SOON_MS } from "../limits.ts";
import { countJobsByKind } from "./queries.ts";
import type { JobCounts } from "./record.ts";

/** How many jobs of each kind are waiting and how many were given up, counted up to `max`. Both figures share one read. */
export function createJobFigures(db: Queryable, clock: Clock, kinds: readonly string[], max: number) {
  let running: Promise<JobCounts[]> | null = null;
  const read = async (figure: "waiting" | "givenUp"): Promise<Map<string, number>> => {
    running ??= countJobsByKind(db, kinds, max, soonAfter(clock())).finally(() => {
      running = null;
    });
    return new Map((await running).map((counts) => [counts.kind, counts[figure]]));
  };
  return { waiting: () => read("waiting"), givenUp: () => read("givenUp") };
}

/** Up to when a planned job counts as waiting. */
export function soonAfter(now: Date): Date {
  return new Date(now.getTime() + OUTBOX_SOON_MS);
}
