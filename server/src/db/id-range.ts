import type { IdRange } from "../http/id-start.ts";
import { type Sql, sql } from "./compose.ts";

/** Whether an id is in the range of `rangeValues`. */
export function inIdRange(id: Sql): Sql {
  return sql`${id} between $rangeFirst::uuid and $rangeLast::uuid and ${id}::text like '%' || $rangeEnd`;
}

export function rangeValues(ids: IdRange | null) {
  return { rangeFirst: ids?.first ?? null, rangeLast: ids?.last ?? null, rangeEnd: ids?.end ?? null };
}
