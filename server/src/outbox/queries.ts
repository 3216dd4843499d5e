import type { Queryable } from "../db/pool.ts";

export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly attempts: number;
}

export async function insertJob(
  db: Queryable,
  job: { id: string; kind: string; payload: unknown },
  now: Date,
  due: Date,
): Promise<void> {
  await db.query(
    `insert into outbox (id, kind, payload, attempts, next_attempt_date, create_date)
     values ($1, $2, $3::text::jsonb, 0, $5, $4)`,
    [job.id, job.kind, JSON.stringify(job.payload), now, due],
  );
}

/** Claims due jobs until the lease ends. If this process dies, another one claims them after that. */
export async function claimJobs(db: Queryable, now: Date, leaseEnd: Date, count: number): Promise<Job[]> {
  return db.query<Job>(
    `update outbox set attempts = attempts + 1, next_attempt_date = $2, under_way = true
     where id in (
       select id from outbox
       where next_attempt_date <= $1
       order by next_attempt_date
       limit $3
       for update skip locked
     )
     returning id, kind, payload, attempts`,
    [now, leaseEnd, count],
  );
}

/** A running job keeps its lease, so that no other process runs it at the same time. */
export async function rescheduleJobs(db: Queryable, ids: readonly string[], due: Date): Promise<void> {
  await db.query("update outbox set next_attempt_date = $2 where id = any($1::uuid[]) and not under_way", [ids, due]);
}

/** False when the job is done, under way or given up. */
export async function replaceWaitingJob(db: Queryable, id: string, payload: unknown): Promise<boolean> {
  const rows = await db.query(
    `update outbox set payload = $2::text::jsonb
     where id = $1 and not under_way and next_attempt_date is not null
     returning id`,
    [id, JSON.stringify(payload)],
  );
  return rows.length === 1;
}

export async function deleteJob(db: Queryable, id: string): Promise<void> {
  await db.query("delete from outbox where id = $1", [id]);
}

/** A null date means that the job is given up. */
export async function postponeJob(db: Queryable, id: string, nextAttempt: Date | null, error: string): Promise<void> {
  await db.query("update outbox set next_attempt_date = $2, last_error = $3, under_way = false where id = $1", [
    id,
    nextAttempt,
    error,
  ]);
}

export interface StuckJob {
  readonly id: string;
  readonly kind: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createDate: string;
  readonly nextAttemptDate: string | null;
}

interface StuckJobRow {
  readonly id: string;
  readonly kind: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly create_date: Date;
  readonly next_attempt_date: Date | null;
}

// The payload is left out: it contains addresses and the text of mails.
function toStuckJob(row: StuckJobRow): StuckJob {
  return {
    id: row.id,
    kind: row.kind,
    attempts: row.attempts,
    lastError: row.last_error,
    createDate: row.create_date.toISOString(),
    nextAttemptDate: row.next_attempt_date?.toISOString() ?? null,
  };
}

/** Jobs that keep failing or were given up, oldest first. The condition is the same as the index's. */
export async function listStuckJobs(db: Queryable, kinds: readonly string[], count: number): Promise<StuckJob[]> {
  const rows = await db.query<StuckJobRow>(
    `select o.id, o.kind, o.attempts, o.last_error, o.create_date, o.next_attempt_date
     from unnest($1::text[]) as wanted (kind)
     cross join lateral (
       select *
       from outbox o
       where (o.attempts >= 3 or o.next_attempt_date is null) and o.kind = wanted.kind
       order by o.create_date, o.id
       limit $2
     ) o
     order by o.create_date, o.id
     limit $2`,
    [kinds, count],
  );
  return rows.map(toStuckJob);
}

export interface JobCounts {
  readonly kind: string;
  readonly waiting: number;
  readonly stuck: number;
  readonly givenUp: number;
}

/**
 * For each kind: jobs waiting, jobs that keep failing, and jobs given up, each counted up to `max`. A job that is planned for
 * after `soon` and was not tried yet does not count.
 */
export async function countJobsByKind(
  db: Queryable,
  kinds: readonly string[],
  max: number,
  soon: Date,
): Promise<JobCounts[]> {
  return db.query<JobCounts>(
    `select wanted.kind, (
              select count(*)
              from (
                select from outbox o
                where o.kind = wanted.kind and o.next_attempt_date is not null
                  and (o.attempts > 0 or o.next_attempt_date <= $3)
                limit $2
              ) w
            ) as waiting, troubled.stuck, troubled.given_up as "givenUp"
     from unnest($1::text[]) with ordinality as wanted (kind, place)
     cross join lateral (
       select count(o.next_attempt_date) as stuck, count(*) - count(o.next_attempt_date) as given_up
       from (
         select o.next_attempt_date
         from outbox o
         where (o.attempts >= 3 or o.next_attempt_date is null) and o.kind = wanted.kind
         limit $2
       ) o
     ) troubled
     order by wanted.place`,
    [kinds, max, soon],
  );
}

/** The job, and whether it is running right now. */
export async function lockJob(db: Queryable, id: string): Promise<{ job: StuckJob; underWay: boolean } | null> {
  const [row] = await db.query<StuckJobRow & { under_way: boolean }>(
    `select id, kind, attempts, last_error, create_date, next_attempt_date, under_way
     from outbox where id = $1 for update`,
    [id],
  );
  return row === undefined ? null : { job: toStuckJob(row), underWay: row.under_way };
}
