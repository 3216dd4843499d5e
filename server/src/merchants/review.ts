import type { Actor, Audit } from "../audit/audit.ts";
import type { Clock } from "../clock.ts";
import { isUniqueViolation } from "../db/failures.ts";
import type { Database, Queryable } from "../db/pool.ts";
import { whitelistPrimaryDomain } from "../domains/whitelist.ts";
import { fail } from "../http/errors.ts";
import { enqueueMail } from "../outbox/mail.ts";
import { lockKeys } from "./key-locks.ts";
import { parsePublicKey } from "./public-key.ts";
import {
  type Application,
  decideApplication,
  findApplication,
  isRetired,
  lockApplication,
  updateMerchant,
} from "./queries.ts";

export interface ReviewDependencies {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
}

export async function approve(
  { db, clock, audit }: ReviewDependencies,
  applicationId: string,
  displayName: string | undefined,
  actor: Actor,
): Promise<Application> {
  return db.transaction(async (transaction) => {
    const now = clock();
    const { publicKey } = (await findApplication(transaction, applicationId)) ?? fail("APPLICATION_NOT_FOUND");
    const { point } = parsePublicKey(publicKey);
    await lockKeys(transaction, [point]);
    const pending = await lockPending(transaction, applicationId);
    if (await isRetired(transaction, point)) fail("PUBLIC_KEY_RETIRED");
    const approved = await activate(transaction, pending, displayName, now).catch((error: unknown) => {
      if (isUniqueViolation(error, "merchants_active_key")) fail("PUBLIC_KEY_IN_USE");
      throw error;
    });
    await enqueueMail(transaction, approvalMail(approved), now);
    await audit.record(transaction, {
      actor,
      action: "application.approve",
      subject: applicationId,
      merchantId: approved.merchantId,
      detail: { domain: approved.domain, displayName: displayName ?? approved.domain },
      date: now,
    });
    return approved;
  });
}

export async function reject(
  { db, clock, audit }: ReviewDependencies,
  applicationId: string,
  reason: string,
  actor: Actor,
): Promise<Application> {
  return db.transaction(async (transaction) => {
    const now = clock();
    const pending = await lockPending(transaction, applicationId);
    const rejected = await decideApplication(transaction, applicationId, { status: "REJECTED", reason }, now);
    await updateMerchant(transaction, pending.merchantId, { status: "REJECTED" }, now);
    await enqueueMail(transaction, rejectionMail(rejected), now);
    await audit.record(transaction, {
      actor,
      action: "application.reject",
      subject: applicationId,
      merchantId: rejected.merchantId,
      detail: { domain: rejected.domain, reason },
      date: now,
    });
    return rejected;
  });
}

/** Makes the merchant ACTIVE and its primary domain whitelisted. */
export async function activate(
  transaction: Queryable,
  application: { applicationId: string; merchantId: string; domain: string },
  displayName: string | undefined,
  now: Date,
): Promise<Application> {
  const { applicationId, merchantId, domain } = application;
  const approved = await decideApplication(transaction, applicationId, { status: "APPROVED", reason: null }, now);
  await updateMerchant(transaction, merchantId, { status: "ACTIVE", displayName }, now);
  await whitelistPrimaryDomain(transaction, merchantId, domain, now);
  return approved;
}

async function lockPending(transaction: Queryable, applicationId: string): Promise<Application> {
  const application = (await lockApplication(transaction, applicationId)) ?? fail("APPLICATION_NOT_FOUND");
  if (application.status !== "PENDING") fail("APPLICATION_ALREADY_DECIDED");
  return application;
}

function approvalMail({ email, domain, merchantId }: Application) {
  return {
    to: email,
    subject: `Your merchant account for ${domain} is active`,
    text: `The application for ${domain} was approved.\n\nMerchant id: ${merchantId}\n\nYou can now sign requests with your private key.\n`,
  };
}

function rejectionMail({ email, domain, reason }: Application) {
  return {
    to: email,
    subject: `Your application for ${domain} was not approved`,
    text: `The application for ${domain} was not approved.\n\nReason: ${reason}\n\nYou may apply again.\n`,
  };
}
