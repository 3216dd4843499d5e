import { type Sql, sql } from "./compose.ts";

/** The ids that begin and end with what was typed. */
export interface IdRange {
  readonly first: string;
  readonly last: string;
  /** The last digits, or empty. */
  readonly end: string;
}

/** Whether an id is in the range of `rangeValues`. */
export function inIdRange(id: Sql): Sql {
  return sql`${id} between $rangeFirst::uuid and $rangeLast::uuid and ${id}::text like '%' || $rangeEnd`;
}

export function rangeValues(ids: IdRange | null) {
  return { rangeFirst: ids?.first ?? null, rangeLast: ids?.last ?? null, rangeEnd: ids?.end ?? null };
}
