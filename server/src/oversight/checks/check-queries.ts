// The rules of the money, written a second time, in SQL, independent of the code that applies them. A check judges one row of a table
// by itself, with what belongs to it looked up by index. So the same statement checks all rows, or any few of them, at the same
// price for each.
import { type Sql, sql } from "../../db/compose.ts";

/** Checks that read the same rows share a statement. */
export interface CheckGroup {
  /** In the order of the conditions in the statement. */
  readonly names: readonly string[];
  /** Selects `checked`, and for each name how many rows are `wrong` and one of the `examples`. */
  readonly sql: Sql;
}

const COLUMNS = [sql`w1`, sql`w2`, sql`w3`, sql`w4`];

/** `rows` selects `example`, and one column for each name that is true when the row breaks the rule. Unknown counts as broken. */
export function group(names: readonly string[], rows: Sql): CheckGroup {
  const columns = COLUMNS.slice(0, names.length);
  const counts = listed(columns.map((wrong) => sql`count(*) filter (where ${wrong} is not false)`));
  const examples = listed(columns.map((wrong) => sql`min(example) filter (where ${wrong} is not false)`));
  return {
    names,
    sql: sql`select count(*) as checked, array[${counts}]::bigint[] as wrong, array[${examples}]::text[] as examples
      from (${rows}) judged`,
  };
}

function listed(items: readonly Sql[]): Sql {
  return items.reduce((list, item) => sql`${list}, ${item}`);
}

/** The rows behind one key, up to another, in the order of (merchant, id). */
export const inRange = (merchantId: Sql, id: Sql) =>
  sql`(${merchantId}, ${id}) > ($afterMerchant::uuid, $afterId::uuid) and (${merchantId}, ${id}) <= ($lastMerchant::uuid, $lastId::uuid)`;

/**
 * Whether the wallet `w` has a completed deposit of this date. Only the index by wallet has this order: by the date, all deposits of
 * that moment would be read for each wallet.
 */
export const hasCompletedDeposit = (merchantId: Sql, date: Sql) => sql`coalesce((
      select (d.wallet_key, d.chain_id, d.create_date) = (w.address_key, w.chain_id, ${date})
      from deposits d
      where d.merchant_id = ${merchantId} and d.status = 'completed'
        and (d.wallet_key, d.chain_id, d.create_date) >= (w.address_key, w.chain_id, ${date})
      order by d.wallet_key, d.chain_id, d.create_date
      limit 1
    ), false)`;
