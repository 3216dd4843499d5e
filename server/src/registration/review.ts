import type { Actor, ChangeDependencies } from "../audit/audit.ts";
import { isUniqueViolation } from "../db/failures.ts";
import type { Queryable } from "../db/pool.ts";
import { whitelistPrimaryDomain } from "../domains/whitelist.ts";
import { fail } from "../http/errors.ts";
import { lockKeys } from "../merchants/key-locks.ts";
import { parsePublicKey } from "../merchants/public-key.ts";
import { isRetired, updateMerchant } from "../merchants/queries.ts";
import { enqueueMail } from "../outbox/mail.ts";
import { approvalMail, rejectionMail } from "./mails.ts";
import { decideApplication, findApplication, lockApplication } from "./queries.ts";
import type { Application } from "./record.ts";

export async function approve(
  { db, clock, audit }: ChangeDependencies,
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
  { db, clock, audit }: ChangeDependencies,
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
