import { Type } from "typebox";
import { TokenAmount, UsdAmount } from "../amounts.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import type { Listener } from "../http/listener.ts";
import {
  DAY_MS,
  OVERVIEW_COUNT_MAX,
  OVERVIEW_DAYS_DEFAULT,
  OVERVIEW_DAYS_MAX,
  OVERVIEW_FAILED_COUNT_MAX,
  OVERVIEW_JOBS_MAX,
  OVERVIEW_ROWS_MAX,
} from "../limits.ts";
import { countJobsByKind, listStuckJobs } from "../outbox/queries.ts";
import { JOB_KINDS, Job, JobKind, presentJob } from "./jobs.ts";
import {
  countStandings,
  listDepositDays,
  listFailedPayouts,
  listFullBudgets,
  listRewardDays,
} from "./overview-queries.ts";

const Uuid = Type.String({ format: "uuid" });
const Instant = Type.String({ format: "date-time" });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

const Overview = Type.Object(
  {
    date: Type.String({ format: "date-time", description: "When the snapshot was taken." }),
    applicationsPending: Count("Applications that wait for review."),
    merchants: Type.Object({ active: Type.Integer(), suspended: Type.Integer() }),
    campaigns: Type.Object({ active: Type.Integer(), paused: Type.Integer() }),
    jobs: Type.Array(
      Type.Object({
        kind: JobKind,
        waiting: Count("Still to be done."),
        stuck: Count("Those of them that failed at least three times."),
        givenUp: Count("Failed too often; they wait for an operator."),
      }),
    ),
    stuckJobs: Type.Array(Job, {
      maxItems: OVERVIEW_JOBS_MAX,
      description: "Stuck or given up, oldest first.",
    }),
    failedPayouts: Type.Object({
      count: Count(`Participants whose last payout failed, counted up to ${OVERVIEW_FAILED_COUNT_MAX}.`),
      participants: Type.Array(
        Type.Object({
          merchantId: Uuid,
          campaignId: Uuid,
          campaignName: Type.String(),
          participantId: Uuid,
          merchantUserId: Type.String(),
          amountOwed: TokenAmount,
          updateDate: Instant,
        }),
        { maxItems: OVERVIEW_ROWS_MAX, description: "Those that changed last, newest first." },
      ),
    }),
    budgetsNearlySpent: Type.Array(
      Type.Object({
        merchantId: Uuid,
        campaignId: Uuid,
        displayName: Type.String(),
        committed: TokenAmount,
        maxAmountTotal: TokenAmount,
        share: Type.Number({
          minimum: 0,
          maximum: 1,
          description: "The committed part of the budget, cut off after four digits.",
          examples: [0.9125],
        }),
      }),
      {
        maxItems: OVERVIEW_ROWS_MAX,
        description: "Active campaigns that have committed at least 80 %, fullest first.",
      },
    ),
  },
  { title: "Overview" },
);

const Day = Type.Object(
  {
    date: Type.String({ format: "date", description: "The day in UTC.", examples: ["2026-11-15"] }),
    deposits: Type.Object(
      { completed: Type.Integer(), pending: Type.Integer(), failed: Type.Integer() },
      { description: "How many deposits were created on this day, by the status they have now." },
    ),
    completedUsd: UsdAmount,
    rewards: Type.Array(TokenAmount, { description: "What was newly matched, one sum for each token." }),
  },
  { title: "OverviewDay" },
);

export interface OverviewRouteOptions {
  readonly db: Database;
  readonly clock: Clock;
}

export async function overviewRoutes(app: Listener, { db, clock }: OverviewRouteOptions): Promise<void> {
  app.get(
    "/overview",
    {
      schema: {
        tags: ["Overview"],
        summary: "What waits for an operator",
        description: `Counts stop at ${OVERVIEW_COUNT_MAX} where no other number is named, so that this is always quick.`,
        response: { 200: Overview },
      },
    },
    async () => readOverview(db, clock),
  );

  app.get(
    "/overview/days",
    {
      schema: {
        tags: ["Overview"],
        summary: "Deposits and rewards by day",
        description: "Every day in UTC, oldest first, today last.",
        querystring: Type.Object(
          {
            days: Type.Optional(
              Type.Integer({ minimum: 1, maximum: OVERVIEW_DAYS_MAX, default: OVERVIEW_DAYS_DEFAULT }),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Type.Object({ days: Type.Array(Day) }, { title: "OverviewDays" }) },
      },
    },
    async ({ query }) => readDays(db, clock(), query.days ?? OVERVIEW_DAYS_DEFAULT),
  );
}

// One snapshot, so that the parts agree.
async function readOverview(db: Database, clock: Clock) {
  return db.transaction(
    async (transaction) => ({
      date: clock().toISOString(),
      ...(await countStandings(transaction, OVERVIEW_COUNT_MAX)),
      jobs: await countJobsByKind(transaction, JOB_KINDS, OVERVIEW_COUNT_MAX).then((counts) =>
        counts.map((count) => ({ ...count, kind: count.kind as (typeof JOB_KINDS)[number] })),
      ),
      stuckJobs: (await listStuckJobs(transaction, JOB_KINDS, OVERVIEW_JOBS_MAX)).map(presentJob),
      failedPayouts: await listFailedPayouts(transaction, OVERVIEW_FAILED_COUNT_MAX, OVERVIEW_ROWS_MAX),
      budgetsNearlySpent: await listFullBudgets(transaction, OVERVIEW_COUNT_MAX, OVERVIEW_ROWS_MAX),
    }),
    { isolation: "repeatable read" },
  );
}

async function readDays(db: Database, now: Date, count: number) {
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
