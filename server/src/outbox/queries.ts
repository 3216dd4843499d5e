import { sql, statement } from "../db/compose.ts";
import type { Queryable } from "../db/pool.ts";
import type { Job, JobCounts, StuckJob } from "./record.ts";

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

/**
 * Claims due jobs of one kind until the lease ends. If this process dies, another one claims them after that. The ids are an
 * array, because a plan made without values would read the whole table to join it with a subquery.
 */
export async function claimJobs(db: Queryable, kind: string, now: Date, leaseEnd: Date, count: number): Promise<Job[]> {
  return db.query<Job>(
    `update outbox set attempts = attempts + 1, next_attempt_date = $3, under_way = true
     where id = any (array(
       select id from outbox
       where kind = $1 and next_attempt_date <= $2
       order by next_attempt_date
       limit $4
       for update skip locked
     ))
     returning id, kind, payload, attempts`,
    [kind, now, leaseEnd, count],
  );
}

/** A running job keeps its lease, so that no other process runs it at the same time. */
export async function rescheduleJobs(db: Queryable, ids: readonly string[], due: Date): Promise<void> {
  await db.query("update outbox set next_attempt_date = $2 where id = any($1::uuid[]) and not under_way", [ids, due]);
}

/** False when the job is done, running or given up. */
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

/**
 * A null date means that the job is given up. An attempt that outlived its lease changes nothing: by now the job may be another
 * process's.
 */
export async function postponeJob(
  db: Queryable,
  { id, attempts }: Pick<Job, "id" | "attempts">,
  nextAttempt: Date | null,
  error: string,
): Promise<void> {
  await db.query(
    `update outbox set next_attempt_date = $3, last_error = $4, under_way = false
     where id = $1 and attempts = $2`,
    [id, attempts, nextAttempt, error],
  );
}

/** The job succeeded and is due again. As above, an attempt that outlived its lease changes nothing. */
export async function repeatJob(
  db: Queryable,
  { id, attempts }: Pick<Job, "id" | "attempts">,
  nextAttempt: Date,
): Promise<void> {
  await db.query(
    `update outbox set attempts = 0, next_attempt_date = $3, last_error = null, under_way = false
     where id = $1 and attempts = $2`,
    [id, attempts, nextAttempt],
  );
}

/** Adds jobs that do not exist yet. */
export async function insertMissingJobs(
  db: Queryable,
  kind: string,
  jobs: readonly { readonly id: string; readonly payload: unknown }[],
  now: Date,
): Promise<void> {
  await db.query(
    `insert into outbox (id, kind, payload, attempts, next_attempt_date, create_date)
     select given.id, $1, given.payload::jsonb, 0, $4::timestamptz, $4::timestamptz
     from unnest($2::uuid[], $3::text[]) as given (id, payload)
     on conflict (id) do nothing`,
    [kind, jobs.map(({ id }) => id), jobs.map(({ payload }) => JSON.stringify(payload)), now],
  );
}

/** Deletes the jobs of this kind but these. */
export async function deleteOtherJobs(db: Queryable, kind: string, ids: readonly string[]): Promise<void> {
  await db.query("delete from outbox where kind = $1 and id <> all($2::uuid[])", [kind, ids]);
}

// Without the payload, which contains addresses and the text of mails.
const STUCK_COLUMNS = sql`o.id, o.kind, o.attempts, o.last_error as "lastError", o.create_date as "createDate",
  o.next_attempt_date as "nextAttemptDate"`;

const LIST_STUCK = sql`select ${STUCK_COLUMNS}
  from unnest($kinds::text[]) as wanted (kind)
  cross join lateral (
    select *
    from outbox o
    where (o.attempts >= 3 or o.next_attempt_date is null) and o.kind = wanted.kind
    order by o.create_date, o.id
    limit $count
  ) o
  order by o.create_date, o.id
  limit $count`;

/** Jobs that keep failing or were given up, oldest first. The condition is the same as the index's. */
export async function listStuckJobs(db: Queryable, kinds: readonly string[], count: number): Promise<StuckJob[]> {
  return db.query<StuckJob>(...statement(LIST_STUCK, { kinds, count }));
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

const LOCK_JOB = sql`select ${STUCK_COLUMNS}, o.under_way as "isRunning" from outbox o where o.id = $id for update`;

export async function lockJob(db: Queryable, id: string): Promise<(StuckJob & { isRunning: boolean }) | null> {
  const [job] = await db.query<StuckJob & { isRunning: boolean }>(...statement(LOCK_JOB, { id }));
  return job ?? null;
}
