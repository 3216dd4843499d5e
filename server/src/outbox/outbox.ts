import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../db/pool.ts";
import {
  OUTBOX_ATTEMPTS_MAX,
  OUTBOX_BACKOFF_FIRST_MS,
  OUTBOX_BACKOFF_LAST_MS,
  OUTBOX_BATCH_MAX,
  OUTBOX_LEASE_MS,
  SHUTDOWN_OUTBOX_MS,
} from "../limits.ts";
import { claimJobs, deleteJob, insertJob, type Job, postponeJob } from "./queries.ts";

/** Runs one kind of job. After a crash it may run again for a job that is already done, so it must be idempotent. */
export type JobHandlers = Readonly<Record<string, (payload: never) => Promise<void>>>;

/** Stores a job in the transaction of the change that causes it, so neither exists without the other. */
export async function enqueue(
  transaction: Queryable,
  kind: string,
  payload: object,
  now: Date,
  { id = randomUUID(), due = now }: { id?: string; due?: Date } = {},
): Promise<void> {
  await insertJob(transaction, { id, kind, payload }, now, due);
}

export interface OutboxOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly handlers: JobHandlers;
  /** The kinds that are retried until they succeed. */
  readonly neverGivenUp?: readonly string[];
  readonly pollIntervalMs: number;
  readonly log: { warn(fields: object, message: string): void };
}

/** Runs due jobs until stopped. Every process has this loop; each job is claimed by one of them. */
export function startOutbox(options: OutboxOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const done = await doDueJobs(options).catch((error: Error) => {
        options.log.warn({ reason: error.message }, "the outbox could not be read");
        return 0;
      });
      if (done === 0) await pause(options.pollIntervalMs, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      // A job that hangs is retried by another process when its lease ends.
      const ended = new AbortController();
      await Promise.race([loop, pause(SHUTDOWN_OUTBOX_MS, ended.signal)]);
      ended.abort();
    },
  };
}

export async function doDueJobs({ db, clock, handlers, neverGivenUp = [], log }: OutboxOptions): Promise<number> {
  const now = clock();
  const jobs = await claimJobs(db, now, new Date(now.getTime() + OUTBOX_LEASE_MS), OUTBOX_BATCH_MAX);
  await Promise.all(
    jobs.map(async (job) => {
      try {
        const handler = handlers[job.kind] ?? refuseUnknown(job);
        await handler(job.payload as never);
        await deleteJob(db, job.id);
      } catch (error) {
        const reason = (error as Error).message.slice(0, 500);
        log.warn({ job: job.id, kind: job.kind, attempts: job.attempts, reason }, "a job failed and will be retried");
        const attemptsMax = neverGivenUp.includes(job.kind) ? Number.POSITIVE_INFINITY : OUTBOX_ATTEMPTS_MAX;
        await postponeJob(db, job.id, nextAttempt(job.attempts, clock(), attemptsMax), reason);
      }
    }),
  );
  return jobs.length;
}

/** The wait doubles up to a maximum. Null after the last attempt. */
export function nextAttempt(attempts: number, now: Date, attemptsMax: number = OUTBOX_ATTEMPTS_MAX): Date | null {
  if (attempts >= attemptsMax) return null;
  const waitMs = Math.min(OUTBOX_BACKOFF_FIRST_MS * 2 ** Math.min(attempts - 1, 30), OUTBOX_BACKOFF_LAST_MS);
  return new Date(now.getTime() + waitMs);
}

function refuseUnknown(job: Job): never {
  throw new Error(`No handler does jobs of the kind ${job.kind}.`);
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener("abort", end);
  });
}
