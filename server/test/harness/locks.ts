import type { Queryable } from "../../src/db/pool.ts";
import { until } from "./program.ts";

/** Waits until `count` statements, or more, that contain `text` wait for a lock in this database. */
export async function untilBlocked(db: Queryable, { text = "", count = 1 } = {}): Promise<void> {
  await until(async () => (await countBlocked(db, text)) >= count);
}

async function countBlocked(db: Queryable, text = ""): Promise<number> {
  const rows = await db.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
    [text],
  );
  return rows.length;
}
