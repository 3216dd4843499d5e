// Our tables decide; the registry follows. An origin is unsettled while the registry may differ from our tables. A job settles
// it: it reads what is whitelisted at that moment, and adds or removes. So the order in which earlier calls failed does not
// matter. A call holds its origins while it runs, so that a slow removal cannot overtake a later addition. It carries a version
// that is taken with the hold: of two calls about an origin, the later one has the higher version.
import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { REGISTRY_LANE_CONCURRENCY, REGISTRY_LEASE_MARGIN_MS } from "../limits.ts";
import { enqueue, type Lane } from "../outbox/outbox.ts";
import { rescheduleJobs } from "../outbox/queries.ts";
import {
  deleteUnsettled,
  findHold,
  findWhitelisted,
  holdUnsettled,
  insertUnsettled,
  listHeld,
  listSettlingJobs,
  listUnsettled,
  lockDomains,
  releaseUnsettled,
  takeVersions,
} from "./queries.ts";
import { type Registry, RegistryError } from "./registry.ts";

export const SETTLE_JOB = "registry";

interface SettleJob {
  readonly merchantId: string;
  readonly jobId: string;
}

export interface SettleDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly registry: Registry;
}

/** The registry may have what our tables no longer have, so its jobs are retried until they succeed. */
export function registryLane(dependencies: SettleDependencies): Lane<SettleJob> {
  return {
    kind: SETTLE_JOB,
    concurrency: REGISTRY_LANE_CONCURRENCY,
    neverGivesUp: true,
    run: (job: SettleJob) => settle(dependencies, job),
  };
}

/**
 * Schedules a job that settles the origins at the due date. Origins that were already unsettled keep their job, so there is one
 * job no matter how often a merchant retries. It gets the new date unless it is running: then it sees the change afterwards.
 */
export async function settleAt(
  transaction: Queryable,
  merchantId: string,
  origins: readonly string[],
  { now, due }: { now: Date; due: Date },
): Promise<{ jobId: string; isFresh: boolean }> {
  const jobId = randomUUID();
  const inserted = await insertUnsettled(transaction, merchantId, origins, jobId);
  const isFresh = inserted.length === origins.length;
  if (!isFresh) await rescheduleJobs(transaction, await listSettlingJobs(transaction, merchantId, origins), due);
  if (inserted.length > 0) {
    await enqueue(transaction, SETTLE_JOB, { merchantId, jobId } satisfies SettleJob, now, { id: jobId, due });
  }
  return { jobId, isFresh };
}

export function leaseMs(registry: Registry): number {
  return registry.timeoutMs + REGISTRY_LEASE_MARGIN_MS;
}

/** A process that slept between holding origins and calling the registry may have lost them, so it must not call. */
export function refuseStaleHold(heldAtMs: number): void {
  if (performance.now() - heldAtMs > REGISTRY_LEASE_MARGIN_MS) {
    throw new RegistryError("The call to the domain registry came too late.");
  }
}

async function settle({ db, clock, registry }: SettleDependencies, { merchantId, jobId }: SettleJob): Promise<void> {
  const holder = randomUUID();
  const held = await db.transaction(async (transaction) => {
    await lockDomains(transaction, merchantId);
    const origins = await listUnsettled(transaction, merchantId, jobId);
    if (origins.length === 0) return null;
    const now = clock();
    const heldAtMs = performance.now();
    if ((await findHold(transaction, merchantId, origins, now)) !== null) {
      throw new RegistryError("Another call about these origins is in progress.");
    }
    const leaseEnd = new Date(now.getTime() + leaseMs(registry));
    await holdUnsettled(transaction, merchantId, origins, { holder, leaseEnd, reservedDomain: null });
    const { wanted, unwanted } = await sortOut(transaction, merchantId, origins);
    // One for each of the two calls.
    const version = await takeVersions(transaction, merchantId, 2);
    return { heldAtMs, wanted, unwanted, version };
  });
  // A successful addition has already settled them.
  if (held === null) return;

  try {
    refuseStaleHold(held.heldAtMs);
    await tell(registry, merchantId, held);
    await db.transaction(async (transaction) => {
      await lockDomains(transaction, merchantId);
      const now = await sortOut(transaction, merchantId, await listHeld(transaction, merchantId, holder));
      if (now.wanted.join() !== held.wanted.join() || now.unwanted.join() !== held.unwanted.join()) {
        throw new RegistryError("The domain was changed during the call.");
      }
      await deleteUnsettled(transaction, merchantId, holder);
    });
  } catch (error) {
    // If this fails too, the lease ends by itself.
    await releaseUnsettled(db, merchantId, holder).catch(() => {});
    throw error;
  }
}

async function sortOut(transaction: Queryable, merchantId: string, origins: readonly string[]) {
  const whitelisted = await findWhitelisted(transaction, merchantId, origins);
  return {
    wanted: origins.filter((origin) => whitelisted.has(origin)),
    unwanted: origins.filter((origin) => !whitelisted.has(origin)),
  };
}

// Waits for both calls even if one fails: the origins are held until neither is running.
async function tell(
  registry: Registry,
  merchantId: string,
  { wanted, unwanted, version }: { wanted: readonly string[]; unwanted: readonly string[]; version: number },
): Promise<void> {
  const calls = await Promise.allSettled([
    wanted.length === 0 ? undefined : registry.add(merchantId, wanted, version - 1),
    unwanted.length === 0 ? undefined : registry.remove(merchantId, unwanted, version),
  ]);
  for (const call of calls) if (call.status === "rejected") throw call.reason;
}
