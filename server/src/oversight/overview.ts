import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../db/pool.ts";
import {
  DAY_MS,
  OVERVIEW_COUNT_MAX,
  OVERVIEW_DAYS_REMEMBERED_MS,
  OVERVIEW_FAILED_COUNT_MAX,
  OVERVIEW_JOBS_MAX,
  OVERVIEW_ROWS_MAX,
} from "../limits.ts";
import { soonAfter } from "../outbox/figures.ts";
import { countJobsByKind, listStuckJobs } from "../outbox/queries.ts";
import { JOB_KINDS } from "./job-schemas.ts";
import {
  countOverview,
  listDepositDays,
  listFailedPayouts,
  listFullBudgets,
  listRewardDays,
} from "./overview-queries.ts";
import { presentJob } from "./present.ts";

export interface OverviewDependencies {
  readonly db: Database;
  readonly clock: Clock;
  /** Without a mail server, mail is only logged. The console then promises none. */
  readonly mailConfigured: boolean;
}

/** One snapshot, so that the parts agree. */
export async function readOverview({ db, clock, mailConfigured }: OverviewDependencies) {
  return db.transaction(
    async (transaction) => ({
      date: clock().toISOString(),
      mailConfigured,
      ...(await countOverview(transaction, OVERVIEW_COUNT_MAX)),
      jobs: await countJobsByKind(transaction, JOB_KINDS, OVERVIEW_COUNT_MAX, soonAfter(clock())).then((counts) =>
        counts.map((count) => ({ ...count, kind: count.kind as (typeof JOB_KINDS)[number] })),
      ),
      stuckJobs: (await listStuckJobs(transaction, JOB_KINDS, OVERVIEW_JOBS_MAX)).map(presentJob),
      failedPayouts: await listFailedPayouts(transaction, OVERVIEW_FAILED_COUNT_MAX, OVERVIEW_ROWS_MAX),
      budgetsNearlySpent: await listFullBudgets(transaction, OVERVIEW_COUNT_MAX, OVERVIEW_ROWS_MAX),
    }),
    { isolation: "repeatable read" },
  );
}

/**
 * The figures of the last days. They are made of every deposit and submission of these days, and the console asks after every
 * change; so a process reads them for one caller at a time and gives what it read to all who ask within a minute.
 */
export function createDays({ db, clock }: Pick<OverviewDependencies, "db" | "clock">) {
  const remembered = new Map<number, { readonly date: Date; readonly days: ReturnType<typeof readDays> }>();
  let last: Promise<unknown> = Promise.resolve();

  return (count: number): ReturnType<typeof readDays> => {
    const now = clock();
    const known = remembered.get(count);
    if (known !== undefined && now.getTime() - known.date.getTime() < OVERVIEW_DAYS_REMEMBERED_MS) return known.days;
    const days = last.then(() => readDays(db, now, count));
    remembered.set(count, { date: now, days });
    last = days.catch(() => remembered.delete(count));
    return days;
  };
}

async function readDays(db: Queryable, now: Date, count: number) {
  const todayMs = now.getTime() - (now.getTime() % DAY_MS);
  const first = new Date(todayMs - (count - 1) * DAY_MS);
  const dates = Array.from({ length: count }, (_, index) =>
    new Date(first.getTime() + index * DAY_MS).toISOString().slice(0, 10),
  );
  const rewards = await listRewardDays(db, first, new Date(todayMs + DAY_MS));
  const days = await listDepositDays(db, dates);
  return {
    days: days.map((day) => ({
      ...day,
      rewards: rewards.filter(({ date }) => date === day.date).map(({ reward }) => reward),
    })),
  };
}
