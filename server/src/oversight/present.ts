import { MAIL_JOB, shownMailFailure } from "../outbox/mail.ts";
import type { StuckJob } from "../outbox/record.ts";
import type { JOB_KINDS } from "./job-schemas.ts";

export function presentJob(job: StuckJob) {
  const { lastError } = job;
  return {
    ...job,
    kind: job.kind as (typeof JOB_KINDS)[number],
    lastError: job.kind === MAIL_JOB && lastError !== null ? shownMailFailure(lastError) : lastError,
    createDate: job.createDate.toISOString(),
    nextAttemptDate: job.nextAttemptDate?.toISOString() ?? null,
  };
}
