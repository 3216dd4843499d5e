import type { Actor, ChangeDependencies } from "../audit/audit.ts";
import type { Queryable } from "../db/pool.ts";
import { fail } from "../http/errors.ts";
import { findMerchant } from "../merchants/queries.ts";
import { parseDomain, type SubmittedDomain } from "./origins.ts";
import { deleteDomain, findDomain, findWhitelisted, lockDomains } from "./queries.ts";
import { PRIMARY_SLOT } from "./record.ts";
import { settleAt } from "./settle.ts";

/** Frees the slot and closes the origins immediately. The registry is called after the commit and retried until it answers. */
export async function removeDomain(
  { db, clock, audit }: ChangeDependencies,
  merchantId: string,
  text: string,
  actor: Actor,
  reason?: string,
): Promise<void> {
  const { domain, origins } = readDomain(text);
  await db.transaction(async (transaction) => {
    const hasDomains = await lockDomains(transaction, merchantId);
    if (!hasDomains && (await findMerchant(transaction, merchantId)) === null) fail("MERCHANT_NOT_FOUND");
    const stored =
      (await findDomain(transaction, merchantId, domain)) ?? (await refuseUnknown(transaction, merchantId, origins));
    if (stored.slot === PRIMARY_SLOT) fail("DOMAIN_IS_PRIMARY");
    const now = clock();
    await deleteDomain(transaction, merchantId, domain);
    const kept = await findWhitelisted(transaction, merchantId, stored.origins);
    const removed = stored.origins.filter((origin) => !kept.has(origin));
    await settleAt(transaction, merchantId, removed, { now, due: now });
    await audit.record(transaction, {
      actor,
      action: "domain.remove",
      subject: domain,
      merchantId,
      detail: { origins: removed, reason },
      date: now,
    });
  });
}

// Accepts any spelling that a merchant can use. A text that is no domain today may have been stored under an older Public
// Suffix List, so it is also looked up as it is.
function readDomain(text: string): SubmittedDomain {
  try {
    return parseDomain(text);
  } catch {
    const domain = text.toLowerCase();
    return /^[a-z0-9.:-]+$/.test(domain) ? { domain, origins: [] } : fail("DOMAIN_NOT_FOUND");
  }
}

async function refuseUnknown(transaction: Queryable, merchantId: string, origins: readonly string[]): Promise<never> {
  const [domain] = (await findWhitelisted(transaction, merchantId, origins)).values();
  if (domain === undefined) fail("DOMAIN_NOT_FOUND");
  fail("DOMAIN_NOT_FOUND", `This merchant has no such domain, but ${domain} stands for the same origins.`);
}
