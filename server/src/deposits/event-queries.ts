import { arraysOf, sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import { ISO_DATES } from "../db/row-types.ts";
import type { Position } from "../http/pagination.ts";
import type { DepositKey } from "./queries.ts";
import type { KeptEvent, ShownEvent } from "./record.ts";

// A deposit's lock is held, so nobody else counts on. Where no deposit is stored, two requests may give the same number; the id of
// the request tells them apart.
const INSERT = sql`insert into deposit_events
    (merchant_id, deposit_id, ordinal, request_id, date, actor, outcome, status, amount_micros, update_date, code, reason)
  select given.merchant_id, given.deposit_id, given.place + coalesce((
      select max(known.ordinal)
      from deposit_events known
      where known.merchant_id = given.merchant_id and known.deposit_id = given.deposit_id
    ), 0), given.request_id, given.date, given.actor, given.outcome, given.status, given.amount_micros, given.update_date,
    given.code, given.reason
  from unnest($merchantId::uuid[], $depositId::text[], $place::integer[], $requestId::uuid[], $date::timestamptz[],
              $actor::text[], $outcome::text[], $status::text[], $amountMicros::numeric[], $updateDate::timestamptz[],
              $code::text[], $reason::text[])
    as given (merchant_id, deposit_id, place, request_id, date, actor, outcome, status, amount_micros, update_date, code,
              reason)`;

/** Adds events in their order. Those deposits of theirs that are stored must be locked. */
export async function insertEvents(transaction: Queryable, events: readonly KeptEvent[]): Promise<void> {
  const places = new Map<string, number>();
  const rows = events.map((event) => {
    const key = `${event.merchantId}/${event.depositId}`;
    const place = (places.get(key) ?? 0) + 1;
    places.set(key, place);
    return { ...event, place };
  });
  await transaction.query(...statement(INSERT, arraysOf(rows)));
}

const LIST = sql`select e.ordinal, e.request_id as "requestId", e.date, e.actor, e.outcome, e.status,
    e.amount_micros as "amountMicros", e.update_date as "updateDate", e.code, e.reason
  from deposit_events e
  where e.merchant_id = $merchantId and e.deposit_id = $id
    and (e.ordinal, e.request_id) < ($ordinal::integer, $requestId::uuid)
  order by e.ordinal desc, e.request_id desc
  limit $count`;

/** Behind every event of a list that is newest first. */
const LAST: Position = ["2147483647", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

/** The events about one deposit, newest first. */
export function listEvents(
  db: Queryable,
  { merchantId, id }: DepositKey,
  after: Position | null,
  count: number,
): Promise<ShownEvent[]> {
  const [ordinal = "", requestId = ""] = after ?? LAST;
  return db.query<ShownEvent>(...statement(LIST, { merchantId, id, ordinal, requestId, count }), ISO_DATES);
}
