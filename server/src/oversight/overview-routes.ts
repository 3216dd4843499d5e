import { Type } from "typebox";
import { TokenAmount, UsdAmount } from "../amounts.ts";
import type { Listener } from "../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import {
  OVERVIEW_COUNT_MAX,
  OVERVIEW_DAYS_DEFAULT,
  OVERVIEW_DAYS_MAX,
  OVERVIEW_FAILED_COUNT_MAX,
  OVERVIEW_JOBS_MAX,
  OVERVIEW_ROWS_MAX,
} from "../limits.ts";
import { Job, JobKind } from "./job-schemas.ts";
import { type OverviewDependencies, readDays, readOverview } from "./overview.ts";
import { listAllFailedPayouts } from "./overview-queries.ts";

const Uuid = Type.String({ format: "uuid" });
const Instant = Type.String({ format: "date-time" });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

const FailedPayout = Type.Object(
  {
    merchantId: Uuid,
    campaignId: Uuid,
    campaignName: Type.String(),
    participantId: Uuid,
    merchantUserId: Type.String(),
    amountOwed: TokenAmount,
    updateDate: Instant,
  },
  { title: "FailedPayout" },
);

const Overview = Type.Object(
  {
    mailConfigured: Type.Boolean({ description: "Whether mail is sent. If not, it is only logged." }),
    date: Type.String({ format: "date-time", description: "When the snapshot was taken." }),
    applicationsPending: Count("Applications waiting for review."),
    merchants: Type.Object({ active: Type.Integer(), suspended: Type.Integer() }),
    campaigns: Type.Object({ active: Type.Integer(), paused: Type.Integer() }),
    jobs: Type.Array(
      Type.Object({
        kind: JobKind,
        waiting: Count("Still to be done."),
        stuck: Count("Those of them that failed at least three times."),
        givenUp: Count("Failed too often; an operator must retry them."),
      }),
    ),
    stuckJobs: Type.Array(Job, {
      maxItems: OVERVIEW_JOBS_MAX,
      description: "Stuck or given up, oldest first.",
    }),
    failedPayouts: Type.Object({
      count: Count(
        `Participants whose last payout failed after it was sent, counted up to ${OVERVIEW_FAILED_COUNT_MAX}.`,
      ),
      participants: Type.Array(FailedPayout, {
        maxItems: OVERVIEW_ROWS_MAX,
        description: "Those that changed last, newest first. GET /overview/failed-payouts lists all.",
      }),
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
        description: "Active campaigns that have committed at least 80%, fullest first.",
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

export async function overviewRoutes(
  app: Listener,
  options: OverviewDependencies & { readonly cursors: Cursors },
): Promise<void> {
  app.get(
    "/overview",
    {
      schema: {
        tags: ["Overview"],
        operationId: "getOverview",
        summary: "What needs an operator",
        description: `Counts stop at ${OVERVIEW_COUNT_MAX} where no other number is named, so that this is always quick.`,
        response: { 200: Overview },
      },
    },
    async () => readOverview(options),
  );

  app.get(
    "/overview/failed-payouts",
    {
      schema: {
        tags: ["Overview"],
        operationId: "listFailedPayouts",
        summary: "Every participant whose last payout failed",
        description:
          "Those of the newest participants first. Payouts that were cancelled before they were sent do not count.",
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: pageOf(FailedPayout) },
      },
    },
    async ({ query }) =>
      options.cursors.readPage(query, {
        scope: ["operator", "failed-payouts"],
        list: (after, count) => listAllFailedPayouts(options.db, after, count),
        positionOf: ({ position }) => position,
        present: ({ position: _, ...payout }) => payout,
      }),
  );

  app.get(
    "/overview/days",
    {
      schema: {
        tags: ["Overview"],
        operationId: "getOverviewDays",
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
    async ({ query }) => readDays(options, query.days ?? OVERVIEW_DAYS_DEFAULT),
  );
}
