import type { Queryable } from "../db/pool.ts";
import { countJobsByKind, type JobCounts } from "./queries.ts";

/** How many jobs are waiting and how many were given up, counted up to `max` per kind. Both figures share one read. */
export function createJobFigures(db: Queryable, kinds: readonly string[], max: number) {
  let underWay: Promise<JobCounts[]> | null = null;
  const sumOf = async (figure: "waiting" | "givenUp"): Promise<number> => {
    underWay ??= countJobsByKind(db, kinds, max).finally(() => {
      underWay = null;
    });
    return (await underWay).reduce((sum, counts) => sum + counts[figure], 0);
  };
  return { waiting: () => sumOf("waiting"), givenUp: () => sumOf("givenUp") };
}
