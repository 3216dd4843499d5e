import { readInstantOrDate } from "../instants.ts";
import type { DepositFilters } from "./deposit-queries.ts";
import type { DepositStatus } from "./record.ts";

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
    createdAfter: query.createdAfter === undefined ? null : readInstantOrDate(query.createdAfter, "createdAfter"),
    createdBefore: query.createdBefore === undefined ? null : readInstantOrDate(query.createdBefore, "createdBefore"),
  };
}

/** The filters that a cursor is bound to. Two spellings of the same date or id count as the same filter. */
export function scopeOf(filters: DepositFilters): (string | number | null)[] {
  const { userId, status, chainId, createdAfter, createdBefore } = filters;
  return [userId, status, chainId, createdAfter?.getTime() ?? null, createdBefore?.getTime() ?? null];
}
