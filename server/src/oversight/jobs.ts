import type { Static } from "typebox";
import type { Actor, Audit } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { MAIL_JOB, shownMailFailure } from "../outbox/mail.ts";
import { lockJob, rescheduleJobs, type StuckJob } from "../outbox/queries.ts";
import type { JOB_KINDS, Job } from "./job-schemas.ts";

/** The job as operators see it. */
export function presentJob(job: StuckJob): Static<typeof Job> {
  const isMail = job.kind === MAIL_JOB;
  const lastError = isMail && job.lastError !== null ? shownMailFailure(job.lastError) : job.lastError;
  return { ...job, kind: job.kind as (typeof JOB_KINDS)[number], lastError };
}

export interface JobDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}

/**
 * Lets the job be tried at once. One that was given up gets a single attempt, and is given up again if that fails too. A job
 * that somebody is doing right now stays as it is: to make it due would do it twice.
 */
export async function retryJob({ db, clock, audit }: JobDependencies, id: string, actor: Actor): Promise<StuckJob> {
  return db.transaction(async (transaction) => {
    const now = clock();
    const { job, underWay } = (await lockJob(transaction, id)) ?? fail("JOB_NOT_FOUND");
    if (underWay) return job;
    await rescheduleJobs(transaction, [id], now);
    await audit.record(transaction, {
      actor,
      action: "job.retry",
      subject: id,
      merchantId: null,
      detail: { kind: job.kind, attempts: job.attempts },
      date: now,
    });
    return { ...job, nextAttemptDate: now.toISOString() };
  });
}
