import type { Queryable } from "../db/pool.ts";

export interface ThrottleWindow {
  readonly count: number;
  readonly endDate: Date;
}

/** One more application of the client: in its window, or in a new one when that has closed. */
export async function countInWindow(
  db: Queryable,
  client: string,
  outcome: string,
  { now, newEnd }: { now: Date; newEnd: Date },
): Promise<ThrottleWindow> {
  const [row] = await db.query<ThrottleWindow>(
    `insert into application_throttle as t (client, outcome, count, window_end_date)
     values ($1, $2, 1, $4)
     on conflict (client, outcome) do update set
       count = case when t.window_end_date <= $3 then 1 else t.count + 1 end,
       window_end_date = case when t.window_end_date <= $3 then excluded.window_end_date else t.window_end_date end
     returning count, window_end_date as "endDate"`,
    [client, outcome, now, newEnd],
  );
  return row as ThrottleWindow;
}

export async function deleteClosedWindows(db: Queryable, now: Date): Promise<void> {
  await db.query("delete from application_throttle where window_end_date <= $1", [now]);
}
