import { fail } from "../http/errors.ts";
import { parseInstantOrDate } from "../instants.ts";
import type { DepositFilters } from "./deposit-queries.ts";
import type { DepositStatus } from "./merge.ts";

interface DepositQuery {
  readonly userId?: string;
  readonly status?: DepositStatus;
  readonly chainId?: number;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

export function readDepositFilters(query: DepositQuery): DepositFilters {
  return {
    userId: query.userId?.toLowerCase() ?? null,
    status: query.status ?? null,
    chainId: query.chainId ?? null,
    createdAfter: readDate(query.createdAfter, "createdAfter"),
    createdBefore: readDate(query.createdBefore, "createdBefore"),
  };
}

/** What a cursor is bound to: the filters by their meaning, not by how they were written. */
export function scopeOf(filters: DepositFilters): (string | number | null)[] {
  const { userId, status, chainId, createdAfter, createdBefore } = filters;
  return [userId, status, chainId, createdAfter?.getTime() ?? null, createdBefore?.getTime() ?? null];
}

function readDate(text: string | undefined, name: string): Date | null {
  if (text === undefined) return null;
  const instantMs = parseInstantOrDate(text);
  if (instantMs === null) {
    fail(
      "VALIDATION_ERROR",
      `${name} must be an ISO-8601 date (2026-01-15) or a date and time with a zone (2026-01-15T12:00:00Z).`,
    );
  }
  return new Date(instantMs);
}
