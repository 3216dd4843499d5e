import { arraysOf, sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import { ISO_DATES } from "../db/row-types.ts";
import type { Position } from "../http/pagination.ts";
import { DEPOSITS_OF_KEYS } from "./queries.ts";
import type { DepositBatch, DepositKey, KeptEvent, ShownEvent } from "./record.ts";

// A transaction is repeated when its COMMIT got no answer, and may then find its own batch.
const INSERT_BATCH = sql`insert into deposit_batches (id, date, actor) values ($id, $date, $actor) on conflict do nothing`;

export async function insertBatch(transaction: Queryable, { id, date, actor }: DepositBatch): Promise<void> {
  await transaction.query(...statement(INSERT_BATCH, { id, date, actor }));
}

const INSERT_CREATIONS = sql`insert into deposit_events
    (merchant_id, deposit_id, ordinal, batch_id, outcome, status, amount_micros, update_date)
  select d.merchant_id, d.id, 1, d.batch_id, 'created', d.status, d.amount_micros, d.update_date
  ${DEPOSITS_OF_KEYS}
  where d.batch_id is not null
  on conflict do nothing`;

/** Keeps the events that created these deposits. To be called before they change for the first time; later it does nothing. */
export async function insertCreations(transaction: Queryable, keys: readonly DepositKey[]): Promise<void> {
  await transaction.query(...statement(INSERT_CREATIONS, arraysOf(keys)));
}

// The deposits are locked, so no other transaction takes the same numbers.
const INSERT = sql`insert into deposit_events
    (merchant_id, deposit_id, ordinal, batch_id, outcome, status, amount_micros, update_date, code, reason)
  select given.merchant_id, given.deposit_id, coalesce(given.ordinal, given.place + greatest(1, (
      select max(known.ordinal)
      from deposit_events known
      where known.merchant_id = given.merchant_id and known.deposit_id = given.deposit_id
    ))), $batchId::uuid, given.outcome, given.status, given.amount_micros, given.update_date, given.code, given.reason
  from unnest($merchantId::uuid[], $depositId::text[], $ordinal::bigint[], $place::integer[], $outcome::text[],
              $status::text[], $amountMicros::numeric[], $updateDate::timestamptz[], $code::text[], $reason::text[])
    as given (merchant_id, deposit_id, ordinal, place, outcome, status, amount_micros, update_date, code, reason)`;

/** Adds events of one batch in their order. Their deposits are locked, where there are any. */
export async function insertEvents(
  transaction: Queryable,
  batchId: string,
  events: readonly KeptEvent[],
): Promise<void> {
  const rows = events.map((event, index) => ({ ...event, place: index + 1 }));
  await transaction.query(...statement(INSERT, { ...arraysOf(rows), batchId }));
}

const LIST = sql`select e.ordinal, e.batch_id as "batchId", e.outcome, e.status, e.amount_micros as "amountMicros",
    e.update_date as "updateDate", e.code, e.reason,
    (select b.date from deposit_batches b where b.id = e.batch_id) as date,
    (select b.actor from deposit_batches b where b.id = e.batch_id) as actor
  from (
    (select e.ordinal, e.batch_id, e.outcome, e.status, e.amount_micros, e.update_date, e.code, e.reason
     from deposit_events e
     where e.merchant_id = $merchantId and e.deposit_id = $id
       and (e.ordinal, e.batch_id) < ($ordinal::bigint, $batchId::uuid)
     order by e.ordinal desc, e.batch_id desc
     limit $count)
    union all
    select 1, d.batch_id, 'created', d.status, d.amount_micros, d.update_date, null, null
    from deposits d
    where d.merchant_id = $merchantId and d.id = $id and d.batch_id is not null
      and (1, d.batch_id) < ($ordinal::bigint, $batchId::uuid)
      and not exists (
        select from deposit_events e where e.merchant_id = $merchantId and e.deposit_id = $id and e.ordinal = 1
      )
  ) e
  order by e.ordinal desc, e.batch_id desc
  limit $count`;

/** After every event of a list that is newest first. */
const LAST: Position = ["9223372036854775807", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

/** The events about one deposit, newest first. */
export function listEvents(
  db: Queryable,
  { merchantId, id }: DepositKey,
  after: Position | null,
  count: number,
): Promise<ShownEvent[]> {
  const [ordinal = "", batchId = ""] = after ?? LAST;
  return db.query<ShownEvent>(...statement(LIST, { merchantId, id, ordinal, batchId, count }), ISO_DATES);
}
