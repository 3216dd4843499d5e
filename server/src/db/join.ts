import type { Database, Queryable } from "./pool.ts";

/** The database as work sees it that must be part of this transaction: its own transactions join it. */
export function joinTransaction(db: Database, transaction: Queryable): Database {
  return {
    query: (text, values, types) => transaction.query(text, values, types),
    transaction: (work) => work(transaction),
    get counts() {
      return db.counts;
    },
    end: () => db.end(),
  };
}
