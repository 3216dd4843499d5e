import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../db/pool.ts";
import {
  OUTBOX_ATTEMPT_MAX_MS,
  OUTBOX_ATTEMPTS_MAX,
  OUTBOX_BACKOFF_FIRST_MS,
  OUTBOX_BACKOFF_LAST_MS,
  OUTBOX_LEASE_MS,
  SHUTDOWN_OUTBOX_MS,
} from "../limits.ts";
import { claimJobs, deleteJob, insertJob, postponeJob, repeatJob } from "./queries.ts";
import type { Job } from "./record.ts";

/**
 * Runs the jobs of one kind. Each lane claims its own jobs and has its own places, so a receiver that hangs delays only the
 * jobs of its lane.
 */
export interface Lane<Payload = never> {
  readonly kind: string;
  /** How many jobs one process runs at the same time. */
  readonly concurrency: number;
  /** Jobs of other lanes are given up after many attempts. */
  readonly neverGivesUp?: boolean;
  /**
   * After a crash this may run again for a job that is already done, so it must be idempotent. If it returns a date,
   * the job is not done, and runs again then.
   */
  run(payload: Payload): Promise<unknown>;
}

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
  readonly lanes: readonly Lane[];
  readonly pollIntervalMs: number;
  readonly log: { warn(fields: object, message: string): void };
}

export interface Outbox {
  /** How many jobs of the lane this process is running. */
  running(kind: string): number;
  stop(): Promise<void>;
}

/** Runs due jobs until stopped. Every process has these lanes; each job is claimed by one of them. */
export function startOutbox(options: OutboxOptions): Outbox {
  const stopping = new AbortController();
  const running = new Map(options.lanes.map(({ kind }) => [kind, new Set<Promise<void>>()]));
  const lanes = options.lanes.map((lane) =>
    runLane(options, lane, running.get(lane.kind) ?? new Set(), stopping.signal),
  );
  return {
    running: (kind) => running.get(kind)?.size ?? 0,
    async stop() {
      stopping.abort();
      // A job that hangs is retried by another process when its lease ends.
      const ended = new AbortController();
      await Promise.race([Promise.all(lanes), pauseUntil(SHUTDOWN_OUTBOX_MS, ended.signal)]);
      ended.abort();
    },
  };
}

// Claims no more jobs than it has free places, so every claimed job starts immediately. While all places are taken, the next
// claim comes as soon as one is free. It waits for the next poll only when nothing more is due.
async function runLane(
  options: OutboxOptions,
  lane: Lane,
  running: Set<Promise<void>>,
  stopping: AbortSignal,
): Promise<void> {
  let wake = () => {};
  stopping.addEventListener("abort", () => wake());
  while (!stopping.aborted) {
    const free = lane.concurrency - running.size;
    const jobs = await claimDue(options, lane, free).catch((error: Error) => {
      options.log.warn({ lane: lane.kind, reason: error.message }, "the outbox could not be read");
      return [];
    });
    for (const job of jobs) {
      const attempt: Promise<void> = attemptJob(options, lane, job).finally(() => {
        running.delete(attempt);
        wake();
      });
      running.add(attempt);
    }
    if (running.size === lane.concurrency) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    } else if (jobs.length < free) {
      await pauseUntil(options.pollIntervalMs, stopping);
    }
  }
  await Promise.all(running);
}

/** Runs the jobs of a lane that are due now, as many as it has places. Returns how many there were. */
export async function runDueJobs(options: Omit<OutboxOptions, "lanes">, lane: Lane): Promise<number> {
  const jobs = await claimDue(options, lane, lane.concurrency);
  await Promise.all(jobs.map((job) => attemptJob(options, lane, job)));
  return jobs.length;
}

function claimDue({ db, clock }: Pick<OutboxOptions, "db" | "clock">, lane: Lane, count: number): Promise<Job[]> {
  const now = clock();
  return claimJobs(db, lane.kind, now, new Date(now.getTime() + OUTBOX_LEASE_MS), count);
}

async function attemptJob(
  { db, clock, log }: Pick<OutboxOptions, "db" | "clock" | "log">,
  lane: Lane,
  job: Job,
): Promise<void> {
  try {
    const again = await withinLease(lane.run(job.payload as never));
    if (again instanceof Date) await repeatJob(db, job, again);
    else await deleteJob(db, job.id);
  } catch (error) {
    const reason = (error as Error).message.slice(0, 500);
    log.warn({ job: job.id, kind: job.kind, attempts: job.attempts, reason }, "a job failed and will be retried");
    const attemptsMax = lane.neverGivesUp === true ? Number.POSITIVE_INFINITY : OUTBOX_ATTEMPTS_MAX;
    // If this fails too, the job is due again when its lease ends.
    await postponeJob(db, job, nextAttempt(job.attempts, clock(), attemptsMax), reason).catch(() => {});
  }
}

// A receiver that answers a little now and then keeps every timeout of its own from ending. Its place must become free before
// another process takes the job over.
async function withinLease<Result>(run: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The attempt took too long.")), OUTBOX_ATTEMPT_MAX_MS);
  });
  return Promise.race([run, tooLong]).finally(() => clearTimeout(timer));
}

/** The wait doubles up to a maximum. Null after the last attempt. */
export function nextAttempt(attempts: number, now: Date, attemptsMax: number = OUTBOX_ATTEMPTS_MAX): Date | null {
  if (attempts >= attemptsMax) return null;
  const waitMs = Math.min(OUTBOX_BACKOFF_FIRST_MS * 2 ** Math.min(attempts - 1, 30), OUTBOX_BACKOFF_LAST_MS);
  return new Date(now.getTime() + waitMs);
}

function pauseUntil(durationMs: number, signal: AbortSignal): Promise<void> {
  return pause(durationMs, undefined, { signal }).catch(() => {});
}
