import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import {
  DAY_MS,
  OVERVIEW_COUNT_MAX,
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

/** The figures of the last days, today included. */
export async function readDays({ db, clock }: Pick<OverviewDependencies, "db" | "clock">, count: number) {
  const todayMs = clock().getTime();
  const dates = Array.from({ length: count }, (_, index) =>
    new Date(todayMs - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
  const rewards = await listRewardDays(db, dates[0] ?? "", dates.at(-1) ?? "");
  const days = await listDepositDays(db, dates);
  return {
    days: days.map((day) => ({
      ...day,
      rewards: rewards.filter(({ date }) => date === day.date).map(({ reward }) => reward),
    })),
  };
}
