import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../db/pool.ts";
import {
  OUTBOX_ATTEMPTS_MAX,
  OUTBOX_BACKOFF_FIRST_MS,
  OUTBOX_BACKOFF_LAST_MS,
  OUTBOX_BATCH_MAX,
  OUTBOX_LEASE_MS,
} from "../limits.ts";
import { claimJobs, deleteJob, insertJob, type Job, postponeJob } from "./queries.ts";

/** Does one kind of job. It may be called again for a job it has already done: a crash forgets that it was. */
export type JobHandlers = Readonly<Record<string, (payload: never) => Promise<void>>>;

/** Written in the transaction of the change it follows from, so neither exists without the other. */
export async function enqueue(transaction: Queryable, kind: string, payload: object, now: Date): Promise<void> {
  await insertJob(transaction, { id: randomUUID(), kind, payload }, now);
}

export interface OutboxOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly handlers: JobHandlers;
  readonly pollIntervalMs: number;
  readonly log: { warn(fields: object, message: string): void };
}

/** Does due jobs until stopped. Every process runs one; a job is claimed by one of them. */
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
      await loop;
    },
  };
}

export async function doDueJobs({ db, clock, handlers, log }: OutboxOptions): Promise<number> {
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
        await postponeJob(db, job.id, nextAttempt(job.attempts, clock()), reason);
      }
    }),
  );
  return jobs.length;
}

/** Doubling waits with an upper bound; null when it has been tried often enough. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  if (attempts >= OUTBOX_ATTEMPTS_MAX) return null;
  const waitMs = Math.min(OUTBOX_BACKOFF_FIRST_MS * 2 ** Math.min(attempts - 1, 30), OUTBOX_BACKOFF_LAST_MS);
  return new Date(now.getTime() + waitMs);
}

function refuseUnknown(job: Job): never {
  throw new Error(`No handler does jobs of the kind ${job.kind}.`);
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
