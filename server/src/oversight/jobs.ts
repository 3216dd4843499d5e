import type { Actor, ChangeDependencies } from "../audit/audit.ts";
import { fail } from "../http/errors.ts";
import { lockJob, rescheduleJobs } from "../outbox/queries.ts";
import type { StuckJob } from "../outbox/record.ts";

/**
 * Makes the job due now. One that was given up gets a single attempt, and is given up again if that fails. A job that is
 * running stays as it is: to make it due would run it twice.
 */
export async function retryJob({ db, clock, audit }: ChangeDependencies, id: string, actor: Actor): Promise<StuckJob> {
  return db.transaction(async (transaction) => {
    const now = clock();
    const { isRunning, ...job } = (await lockJob(transaction, id)) ?? fail("JOB_NOT_FOUND");
    if (isRunning) return job;
    await rescheduleJobs(transaction, [id], now);
    await audit.record(transaction, {
      actor,
      action: "job.retry",
      subject: id,
      merchantId: null,
      detail: { kind: job.kind, attempts: job.attempts },
      date: now,
    });
    return { ...job, nextAttemptDate: now };
  });
}
