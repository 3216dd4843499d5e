import { randomUUID } from "node:crypto";
import type { Static } from "typebox";
import type { AuditEntry, ChangeDependencies } from "../audit/audit.ts";
import { isUniqueViolation } from "../db/failures.ts";
import type { Queryable } from "../db/pool.ts";
import { parseHostname } from "../domains/origins.ts";
import { fail } from "../http/errors.ts";
import { lockKeys } from "../merchants/key-locks.ts";
import { keyObject, parsePublicKey } from "../merchants/public-key.ts";
import { isRetired, updateMerchant } from "../merchants/queries.ts";
import { enqueueMail } from "../outbox/mail.ts";
import { isEmail } from "./email.ts";
import { applicationMail, displacementMail } from "./mails.ts";
import { checkProof } from "./proof.ts";
import {
  decideApplication,
  insertPendingApplication,
  insertPendingMerchant,
  isAppliedFor,
  isRegistered,
  lockUnprovenApplication,
  lockUnprovenMerchant,
} from "./queries.ts";
import type { NewApplication } from "./record.ts";
import { activate } from "./review.ts";
import type { ApplicationRequest } from "./schemas.ts";

export interface ApplyDependencies extends ChangeDependencies {
  /** The sandbox approves by itself. */
  readonly autoApprove: boolean;
  readonly operatorEmail: string;
  readonly mailsMerchants: boolean;
}

/** Checks every rule of an application. Nothing is stored before that. */
export function readApplication(request: Static<typeof ApplicationRequest>, now: Date): NewApplication {
  if (!isEmail(request.email))
    fail("VALIDATION_ERROR", "email must be one plain mail address, such as name@shop.example.");
  const domain = parseHostname(request.domain);
  const publicKey = parsePublicKey(request.publicKey);
  if (request.proof !== undefined) {
    const { domain: sentDomain, email, proof } = request;
    checkProof(proof, { publicKey: keyObject(publicKey.pem), domain: sentDomain, email }, now.getTime());
  }
  return {
    applicationId: randomUUID(),
    merchantId: randomUUID(),
    email: request.email,
    domain,
    telegram: request.telegram?.replace(/^@/, "") ?? null,
    description: request.description,
    publicKey: publicKey.pem,
    publicKeyPoint: publicKey.point,
    proven: request.proof !== undefined,
  };
}

/** Reserves a merchant id. It stays inert until an operator approves it. */
export async function apply(dependencies: ApplyDependencies, application: NewApplication, requestId: string | null) {
  const { db, clock, autoApprove } = dependencies;
  // Checked again under the lock. Most duplicates are refused here, so that they do not queue for the lock.
  await refuseTakenKey(db, application, autoApprove);
  await db.transaction(async (transaction) => {
    const now = clock();
    const displaced: AuditEntry[] = [];
    await lockKeys(transaction, [application.publicKeyPoint]);
    await refuseTakenKey(transaction, application, autoApprove);
    if (application.proven) displaced.push(...(await displace(dependencies, transaction, application, requestId, now)));
    await insertPendingMerchant(transaction, application, now);
    const isFirst = await insertPendingApplication(transaction, application, now);
    if (!isFirst) fail("MERCHANT_APPLICATION_DUPLICATE");
    if (await isRetired(transaction, application.publicKeyPoint)) fail("PUBLIC_KEY_RETIRED");
    if (autoApprove) {
      await activate(transaction, application, undefined, now).catch(refuseKeyInUse);
    } else {
      await enqueueMail(transaction, applicationMail(application, dependencies.operatorEmail), now);
    }
    for (const entry of displaced) await dependencies.audit.record(transaction, entry);
  });
  const { applicationId, merchantId } = application;
  return autoApprove
    ? {
        applicationId,
        merchantId,
        status: "ACTIVE",
        message: "The sandbox approved the application. Sign your first request.",
      }
    : {
        applicationId,
        merchantId,
        status: "PENDING",
        message: "The application was received and is waiting for review. The decision will be sent by email.",
      };
}

const DISPLACED =
  "Another applicant proved that it holds the private key of this public key. Apply again with a key pair of your own.";

/**
 * An applicant who holds the private key wins over one who only knows the public key. A pending application without proof is
 * rejected. Where applications are approved without review, a merchant that was registered without proof is suspended: its
 * data stays, and an operator can give it another key. Only the key's holder could ever sign for either.
 */
async function displace(
  { autoApprove, mailsMerchants }: ApplyDependencies,
  transaction: Queryable,
  { applicationId, publicKeyPoint }: NewApplication,
  requestId: string | null,
  now: Date,
): Promise<AuditEntry[]> {
  const displaced: AuditEntry[] = [];
  const note = (action: string, subject: string, merchantId: string) =>
    displaced.push({
      actor: { name: "matchbook (proof of a key)", requestId },
      action,
      subject,
      merchantId,
      detail: { reason: DISPLACED, provenApplicationId: applicationId },
      date: now,
    });
  const pending = await lockUnprovenApplication(transaction, publicKeyPoint);
  if (pending !== null) {
    await decideApplication(transaction, pending.applicationId, { status: "REJECTED", reason: DISPLACED }, now);
    await updateMerchant(transaction, pending.merchantId, { status: "REJECTED" }, now);
    if (mailsMerchants) await enqueueMail(transaction, displacementMail(pending, DISPLACED), now);
    note("application.reject", pending.applicationId, pending.merchantId);
  }
  const active = autoApprove ? await lockUnprovenMerchant(transaction, publicKeyPoint) : null;
  if (active !== null) {
    await updateMerchant(transaction, active.merchantId, { status: "SUSPENDED" }, now);
    note("merchant.suspend", active.merchantId, active.merchantId);
  }
  return displaced;
}

const REGISTERED = "This public key is already registered here. Generate a new key pair.";

// Where applications are approved without review, the one that has the key is already a merchant.
async function refuseTakenKey(
  db: Queryable,
  { publicKeyPoint, proven }: NewApplication,
  autoApprove: boolean,
): Promise<void> {
  if (await isAppliedFor(db, publicKeyPoint, proven)) fail("MERCHANT_APPLICATION_DUPLICATE");
  if (autoApprove && (await isRegistered(db, publicKeyPoint, proven)))
    fail("MERCHANT_APPLICATION_DUPLICATE", REGISTERED);
}

function refuseKeyInUse(error: unknown): never {
  if (isUniqueViolation(error, "merchants_active_key")) fail("MERCHANT_APPLICATION_DUPLICATE", REGISTERED);
  throw error;
}
