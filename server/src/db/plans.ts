import type { Queryable } from "./pool.ts";

/**
 * Makes the planner look rows up by index for the rest of the transaction. For statements that check a range of keys: it may be a
 * few rows or all, the planner sees only that it is a range, and would read and hash whole tables for a thousand rows.
 */
export async function useIndexes(transaction: Queryable): Promise<void> {
  await transaction.query(`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true)`);
}
