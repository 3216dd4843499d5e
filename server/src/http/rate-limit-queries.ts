import type { Queryable } from "../db/pool.ts";

export interface Window {
  readonly client: string;
  readonly count: number;
  readonly endDate: Date;
}

/** One more for each client: in its window, or in a new one when that has closed. Rows are locked in one order. */
export async function countInWindows(
  db: Queryable,
  scope: string,
  clients: readonly string[],
  { now, newEnd }: { now: Date; newEnd: Date },
): Promise<Window[]> {
  return db.query<Window>(
    `insert into rate_limits as t (scope, client, count, window_end_date)
     select $1, client, 1, $4 from unnest($2::text[]) as client order by client
     on conflict (client, scope) do update set
       count = case when t.window_end_date <= $3 then 1 else t.count + 1 end,
       window_end_date = case when t.window_end_date <= $3 then excluded.window_end_date else t.window_end_date end
     returning client, count, window_end_date as "endDate"`,
    [scope, clients, now, newEnd],
  );
}

/** Takes one back, unless its window has closed meanwhile. */
export async function uncountInWindows(db: Queryable, scope: string, windows: readonly Window[]): Promise<void> {
  await db.query(
    `update rate_limits t set count = t.count - 1
     from (
       select l.scope, l.client from rate_limits l
       join unnest($2::text[], $3::timestamptz[]) as w (client, end_date)
         on l.client = w.client and l.window_end_date = w.end_date
       where l.scope = $1 and l.count > 0
       order by l.client
       for update of l
     ) as counted
     where t.scope = counted.scope and t.client = counted.client`,
    [scope, windows.map(({ client }) => client), windows.map(({ endDate }) => endDate)],
  );
}

export async function deleteClosedWindows(db: Queryable, now: Date): Promise<void> {
  await db.query("delete from rate_limits where window_end_date <= $1", [now]);
}
