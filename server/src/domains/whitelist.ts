import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { recheck, type Signer } from "../auth/credential.ts";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { ADDITIONAL_DOMAINS_MAX, REGISTRY_LEASE_MARGIN_MS, REGISTRY_WAIT_INTERVAL_MS } from "../limits.ts";
import { deleteJob, rescheduleJobs } from "../outbox/queries.ts";
import { mailAddedDomain } from "./domain-mail.ts";
import { isFreeLocalhost, originsOf, type SubmittedDomain } from "./origins.ts";
import {
  countOtherSlots,
  deleteUnsettled,
  findHold,
  findSlot,
  findWhitelisted,
  holdUnsettled,
  insertDomain,
  listHeld,
  listSettlingJobs,
  lockDomains,
  releaseUnsettled,
  takeVersions,
} from "./queries.ts";
import { type Hold, PRIMARY_SLOT } from "./record.ts";
import { RegistryError } from "./registry.ts";
import { leaseMs, refuseStaleHold, type SettleDependencies, settleAt } from "./settle.ts";

export interface WhitelistDependencies extends SettleDependencies {
  readonly mailsMerchants: boolean;
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * The domain a merchant registered with is whitelisted by its approval and takes none of its slots. The registry is called
 * after the commit, and retried until it answers: an approval is not lost because the registry is down.
 */
export async function whitelistPrimaryDomain(
  transaction: Queryable,
  merchantId: string,
  domain: string,
  now: Date,
): Promise<void> {
  const origins = originsOf(domain);
  await insertDomain(transaction, { merchantId, domain, slot: PRIMARY_SLOT, origins }, now);
  await settleAt(transaction, merchantId, origins, { now, due: now });
}

/**
 * Whitelists an additional domain and returns the origins that this added: none when it was whitelisted before.
 *
 * No lock is held while the registry is called. First the slot is reserved and the origins are held; then the registry is
 * called; then the domain is stored. If this ends in between, even by a crash, unsettled origins are left with
 * a job that removes them from the registry, unless a retry has whitelisted them by then.
 */
export async function whitelist(
  dependencies: WhitelistDependencies,
  signer: Signer,
  submitted: SubmittedDomain,
): Promise<string[]> {
  const { merchantId } = signer;
  if (submitted.origins.every(isFreeLocalhost)) return [];
  const waitEndMs = performance.now() + leaseMs(dependencies.registry) + REGISTRY_LEASE_MARGIN_MS;
  for (;;) {
    const step = await dependencies.db.transaction((transaction) =>
      reserve(dependencies, transaction, merchantId, submitted),
    );
    if (step.outcome === "present") return [];
    if (step.outcome === "reserved") return register(dependencies, signer, submitted, step);
    await waitFor(step.hold, dependencies, merchantId, submitted.origins, waitEndMs);
  }
}

interface Reservation {
  readonly outcome: "reserved";
  readonly holder: string;
  readonly heldAtMs: number;
  readonly leaseEnd: Date;
  readonly missing: string[];
  readonly jobId: string;
  readonly version: number;
  /** Nothing was unsettled about the origins before. */
  readonly isFresh: boolean;
}

type Step = { readonly outcome: "present" } | { readonly outcome: "busy"; readonly hold: Hold } | Reservation;

async function reserve(
  { clock, registry }: WhitelistDependencies,
  transaction: Queryable,
  merchantId: string,
  { domain, origins }: SubmittedDomain,
): Promise<Step> {
  await lockDomains(transaction, merchantId);
  const whitelisted = await findWhitelisted(transaction, merchantId, origins);
  const missing = origins.filter((origin) => !whitelisted.has(origin));
  if (missing.length === 0) return { outcome: "present" };

  const now = clock();
  const heldAtMs = performance.now();
  const hold = await findHold(transaction, merchantId, origins, now);
  if (hold !== null) return { outcome: "busy", hold };
  // Calls in progress count, so that calls which race for the last slot cannot all get it.
  const taken = await countOtherSlots(transaction, merchantId, domain, now);
  if (taken >= ADDITIONAL_DOMAINS_MAX) fail("MERCHANT_DOMAIN_LIMIT_REACHED");

  const holder = randomUUID();
  const leaseEnd = new Date(now.getTime() + leaseMs(registry));
  const { jobId, isFresh } = await settleAt(transaction, merchantId, origins, { now, due: leaseEnd });
  await holdUnsettled(transaction, merchantId, origins, { holder, leaseEnd, reservedDomain: domain });
  const version = await takeVersions(transaction, merchantId, 1);
  return { outcome: "reserved", holder, heldAtMs, leaseEnd, missing, jobId, version, isFresh };
}

async function register(
  dependencies: WhitelistDependencies,
  signer: Signer,
  submitted: SubmittedDomain,
  reservation: Reservation,
): Promise<string[]> {
  const { merchantId } = signer;
  const { db, registry, log } = dependencies;
  try {
    refuseStaleHold(reservation.heldAtMs);
    await registry.add(merchantId, submitted.origins, reservation.version);
    await db.transaction(async (transaction) => {
      await confirm(dependencies, transaction, merchantId, submitted, reservation);
      // The registry may have taken its time. A refusal ends in `abandon`, whose job takes the origins back. It comes last, so
      // that no wait of this transaction lies between it and the commit.
      await recheck(transaction, signer);
    });
    return reservation.missing;
  } catch (error) {
    // When even this fails, the lease ends by itself.
    await db
      .transaction((transaction) => abandon(dependencies, transaction, merchantId, submitted, reservation))
      .catch(() => {});
    if (!(error instanceof RegistryError)) throw error;
    log.warn({ merchantId, reason: error.message }, "a domain could not be registered");
    fail("DOMAIN_REGISTRY_UNAVAILABLE");
  }
}

async function confirm(
  { clock, mailsMerchants }: WhitelistDependencies,
  transaction: Queryable,
  merchantId: string,
  { domain, origins }: SubmittedDomain,
  { holder, jobId, isFresh }: Reservation,
): Promise<void> {
  await lockDomains(transaction, merchantId);
  const held = await listHeld(transaction, merchantId, holder);
  if (held.length !== origins.length) throw new RegistryError("Another call took over: this one was too slow.");
  // A reservation that outlived its lease may find its slot taken.
  const slot = (await findSlot(transaction, merchantId, domain)) ?? fail("MERCHANT_DOMAIN_LIMIT_REACHED");
  const now = clock();
  await insertDomain(transaction, { merchantId, domain, slot, origins }, now);
  if (mailsMerchants) await mailAddedDomain(transaction, merchantId, domain, now);
  if (isFresh) {
    await deleteUnsettled(transaction, merchantId, holder);
    await deleteJob(transaction, jobId);
    return;
  }
  // The result of an earlier call is unknown, and it may have been a removal that takes effect only now. So the origins stay
  // unsettled, and the job calls the registry once more.
  const jobs = await listSettlingJobs(transaction, merchantId, origins);
  await releaseUnsettled(transaction, merchantId, holder);
  await rescheduleJobs(transaction, jobs, now);
}

/** Frees the slot immediately. The job finds out what the registry has. */
async function abandon(
  { clock }: WhitelistDependencies,
  transaction: Queryable,
  merchantId: string,
  { origins }: SubmittedDomain,
  { holder, leaseEnd }: Reservation,
): Promise<void> {
  await lockDomains(transaction, merchantId);
  await releaseUnsettled(transaction, merchantId, holder);
  // A call that outlived its lease may find that others have settled the origins; now they are unsettled again.
  await settleAt(transaction, merchantId, origins, { now: clock(), due: leaseEnd });
}

/**
 * Returns when the origins are free. A domain is reported as whitelisted only once it is, so a call for a domain that is being
 * added waits for that call and gets the same result.
 */
async function waitFor(
  hold: Hold,
  { db, clock }: WhitelistDependencies,
  merchantId: string,
  origins: readonly string[],
  waitEndMs: number,
): Promise<void> {
  for (;;) {
    if (performance.now() > waitEndMs) fail("DOMAIN_REGISTRY_UNAVAILABLE");
    await pause(REGISTRY_WAIT_INTERVAL_MS);
    const now = clock();
    const current = await findHold(db, merchantId, origins, now);
    if (current?.holder === hold.holder) continue;
    // A call whose lease ran out has crashed: the next one takes over.
    if (hold.reservedDomain === null || now >= hold.leaseEnd) return;
    const whitelisted = await findWhitelisted(db, merchantId, origins);
    if (whitelisted.size < origins.length) fail("DOMAIN_REGISTRY_UNAVAILABLE");
    return;
  }
}
