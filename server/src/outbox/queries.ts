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

/** Takes due jobs for a while: until the lease ends nobody else does them, and if we die somebody will. */
export async function claimJobs(db: Queryable, now: Date, leaseEnd: Date, count: number): Promise<Job[]> {
  return db.query<Job>(
    `update outbox set attempts = attempts + 1, next_attempt_date = $2
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

export async function rescheduleJobs(db: Queryable, ids: readonly string[], due: Date): Promise<void> {
  await db.query("update outbox set next_attempt_date = $2 where id = any($1::uuid[])", [ids, due]);
}

export async function deleteJob(db: Queryable, id: string): Promise<void> {
  await db.query("delete from outbox where id = $1", [id]);
}

/** A null date gives the job up. */
export async function postponeJob(db: Queryable, id: string, nextAttempt: Date | null, error: string): Promise<void> {
  await db.query("update outbox set next_attempt_date = $2, last_error = $3 where id = $1", [id, nextAttempt, error]);
}

export async function countJobs(db: Queryable): Promise<{ waiting: number; given_up: number }> {
  const [counts] = await db.query<{ waiting: number; given_up: number }>(
    `select count(next_attempt_date) as waiting, count(*) - count(next_attempt_date) as given_up from outbox`,
  );
  return counts ?? { waiting: 0, given_up: 0 };
}
