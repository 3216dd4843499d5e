import type { Queryable } from "../../db/pool.ts";
import { fail } from "../../http/errors.ts";
import { byDateAndId, type Cursors, type PageQuery } from "../../http/pagination.ts";
import { DAY_MS, OWED_AGES_DAYS } from "../../limits.ts";
import { listOwedByCampaign, listOwedByToken, type OwedFilters, tokenPositionOf } from "./owed-queries.ts";
import { presentOwed } from "./present.ts";
import type { OwedGroup } from "./record.ts";

export interface OwedQuery extends PageQuery {
  readonly groupBy?: OwedGroup;
  readonly merchantId?: string;
  readonly campaignId?: string;
}

export async function readOwed(
  { db, cursors }: { db: Queryable; cursors: Cursors },
  { groupBy = "campaign", ...query }: OwedQuery,
  now: Date,
) {
  const filters: OwedFilters = {
    merchantId: query.merchantId?.toLowerCase() ?? null,
    campaignId: query.campaignId?.toLowerCase() ?? null,
    firstDays: firstDaysOf(now),
  };
  if (filters.campaignId !== null && groupBy !== "campaign") {
    fail("VALIDATION_ERROR", "campaignId goes with groupBy=campaign.");
  }
  const scope = ["operator", "owed", groupBy, filters.merchantId, filters.campaignId];
  if (groupBy === "campaign") {
    return cursors.readPage(query, {
      scope,
      list: (after, count) => listOwedByCampaign(db, filters, after, count),
      positionOf: ({ createDate, campaignId }) => byDateAndId({ createDate: createDate ?? now, id: campaignId ?? "" }),
      present: presentOwed,
    });
  }
  return cursors.readPage(query, {
    scope,
    list: (after, count) => listOwedByToken(db, filters, groupBy === "merchant", after, count),
    positionOf: tokenPositionOf,
    present: presentOwed,
  });
}

/** What was matched today is 0 days old, so that of the last 7 days is 0 to 6 days old. */
function firstDaysOf(now: Date): OwedFilters["firstDays"] {
  const [week, month, quarter] = OWED_AGES_DAYS;
  const day = (daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  return [day(week - 1), day(month - 1), day(quarter - 1)];
}
