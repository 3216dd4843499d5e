import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../db/pool.ts";
import type { Listener } from "../../http/listener.ts";
import { type Cursors, pageOf } from "../../http/pagination.ts";
import { readPayouts } from "./list.ts";
import { OperatorPayout, Owed, OwedQuery, PayoutsQuery } from "./list-schemas.ts";
import { readOwed } from "./owed-totals.ts";

export interface PayoutListOptions {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly cursors: Cursors;
}

export async function payoutListRoutes(app: Listener, options: PayoutListOptions): Promise<void> {
  app.get(
    "/payouts",
    {
      schema: {
        tags: ["Payouts"],
        operationId: "listPayouts",
        summary: "List payouts of all merchants, newest first",
        description:
          "Filters can be combined. What contradicts itself, such as the run of another merchant, finds nothing.",
        querystring: PayoutsQuery,
        response: { 200: pageOf(OperatorPayout) },
      },
    },
    async ({ query }) => readPayouts(options, query),
  );

  app.get(
    "/owed",
    {
      schema: {
        tags: ["Payouts"],
        operationId: "listOwed",
        summary: "What is owed, by campaign, merchant or token",
        description:
          "Only where something is owed: matched less open and confirmed payouts. It reserves nothing; to pay, create a " +
          "payout run.",
        querystring: OwedQuery,
        response: { 200: pageOf(Owed) },
      },
    },
    async ({ query }) => readOwed(options, query, options.clock()),
  );
}
