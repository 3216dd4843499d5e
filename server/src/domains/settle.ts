// The registry is told what our tables say, and never the other way round. An origin of which the registry may know
// something else is unsettled, and a job settles it: it reads what is whitelisted at that moment, and adds or removes.
// So it does not matter in which order old calls failed or how: the last word is always the present state. Whoever calls
// the registry about an origin holds it for that time, which keeps a slow removal from overtaking a later addition.
import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { REGISTRY_LEASE_MARGIN_MS } from "../limits.ts";
import { enqueue } from "../outbox/outbox.ts";
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

export function registryHandlers(dependencies: SettleDependencies) {
  return { [SETTLE_JOB]: (job: SettleJob) => settle(dependencies, job) };
}

/**
 * Lets a job settle the origins at the due date. Those that were unsettled before keep their job, so there is one however
 * often a merchant retries; it is told the new date, unless it is under way: then it finds the change when its call is over.
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

/** A process that slept between taking origins and calling about them may have lost them: it must not call any more. */
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
      throw new RegistryError("Another call about these origins is under way.");
    }
    const leaseEnd = new Date(now.getTime() + leaseMs(registry));
    await holdUnsettled(transaction, merchantId, origins, { holder, leaseEnd, reservedDomain: null });
    return { heldAtMs, ...(await sortOut(transaction, merchantId, origins)) };
  });
  // An addition that succeeded has settled them itself.
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
    // When even this fails, the lease ends by itself.
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

// Both calls are waited for, whatever becomes of the other: the origins are held until neither is under way.
async function tell(
  registry: Registry,
  merchantId: string,
  { wanted, unwanted }: { wanted: readonly string[]; unwanted: readonly string[] },
): Promise<void> {
  const calls = await Promise.allSettled([
    wanted.length === 0 ? undefined : registry.add(merchantId, wanted),
    unwanted.length === 0 ? undefined : registry.remove(merchantId, unwanted),
  ]);
  for (const call of calls) if (call.status === "rejected") throw call.reason;
}
