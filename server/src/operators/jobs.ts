import { type Static, Type } from "typebox";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import { SETTLE_JOB } from "../domains/settle.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { NoBody } from "../http/validation.ts";
import { MAIL_JOB, shownMailFailure } from "../outbox/mail.ts";
import { type JobStanding, lockJob, rescheduleJobs } from "../outbox/queries.ts";
import type { Actor, Audit } from "./audit.ts";
import { actorOf } from "./authenticate.ts";

export const JOB_KINDS = [MAIL_JOB, SETTLE_JOB] as const;

export const JobKind = Type.Unsafe<(typeof JOB_KINDS)[number]>({
  type: "string",
  enum: [...JOB_KINDS],
  description: "mail: a notification. registry: a call to the domain registry, which is never given up.",
});

export const Job = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    kind: JobKind,
    attempts: Type.Integer({ description: "How often it was tried." }),
    lastError: Type.Union([Type.String(), Type.Null()], {
      description: "Why it failed last. It names no recipient.",
      examples: ["SMTP: CONN ECONNREFUSED failed"],
    }),
    createDate: Type.String({ format: "date-time" }),
    nextAttemptDate: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "null when it has been given up.",
    }),
  },
  { title: "Job" },
);

/** The job as operators see it. */
export function presentJob(job: JobStanding): Static<typeof Job> {
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
export async function retryJob({ db, clock, audit }: JobDependencies, id: string, actor: Actor): Promise<JobStanding> {
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

export async function jobRoutes(app: Listener, options: JobDependencies): Promise<void> {
  app.post(
    "/jobs/:jobId/retry",
    {
      schema: {
        tags: ["Overview"],
        summary: "Try a mail or a registry call again now",
        description:
          "For the stuck jobs of the overview. One that was given up is tried once more. One that is being tried right now is " +
          "left alone.",
        params: pathIds("jobId"),
        body: NoBody,
        response: { 200: Job },
      },
      config: { errors: ["JOB_NOT_FOUND"] },
    },
    async (request) =>
      presentJob(await retryJob(options, uuidOr("JOB_NOT_FOUND", request.params.jobId), actorOf(request))),
  );
}
