import { randomUUID } from "node:crypto";
import type { Static } from "typebox";
import type { Clock } from "../clock.ts";
import { isUniqueViolation } from "../db/failures.ts";
import type { Database } from "../db/pool.ts";
import { parseHostname } from "../domains/origins.ts";
import { fail } from "../http/errors.ts";
import { enqueueMail } from "../outbox/mail.ts";
import { isEmail } from "./email.ts";
import { parsePublicKey } from "./public-key.ts";
import { insertPendingApplication, insertPendingMerchant, type NewApplication } from "./queries.ts";
import { activate } from "./review.ts";
import type { ApplicationRequest } from "./schemas.ts";

export interface ApplyDependencies {
  readonly db: Database;
  readonly clock: Clock;
  /** The sandbox approves by itself. */
  readonly autoApprove: boolean;
  readonly operatorEmail: string;
}

/** What an application says once every rule has been checked; nothing is stored before that. */
export function readApplication(request: Static<typeof ApplicationRequest>): NewApplication {
  if (!isEmail(request.email))
    fail("VALIDATION_ERROR", "email must be one plain mail address, such as name@shop.example.");
  const domain = parseHostname(request.domain);
  const publicKey = parsePublicKey(request.publicKey);
  return {
    applicationId: randomUUID(),
    merchantId: randomUUID(),
    email: request.email,
    domain,
    telegram: request.telegram?.replace(/^@/, "") ?? null,
    description: request.description,
    publicKey: publicKey.pem,
    publicKeyPoint: publicKey.point,
  };
}

/** Reserves a merchant id. It stays inert until an operator approves it. */
export async function apply(dependencies: ApplyDependencies, application: NewApplication) {
  const { db, clock, autoApprove } = dependencies;
  await db.transaction(async (transaction) => {
    const now = clock();
    await insertPendingMerchant(transaction, application, now);
    const isFirst = await insertPendingApplication(transaction, application, now);
    if (!isFirst) fail("MERCHANT_APPLICATION_DUPLICATE");
    if (autoApprove) {
      await activate(transaction, application, undefined, now).catch(refuseKeyInUse);
    } else {
      await enqueueMail(transaction, applicationMail(application, dependencies.operatorEmail), now);
    }
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
        message: "The application was received and waits for review. The decision will be sent by email.",
      };
}

// Where applications are approved at once, the one that holds the key is already a merchant.
function refuseKeyInUse(error: unknown): never {
  if (isUniqueViolation(error, "merchants_active_key")) {
    fail("MERCHANT_APPLICATION_DUPLICATE", "This public key is already registered here. Generate a new key pair.");
  }
  throw error;
}

function applicationMail(application: NewApplication, operatorEmail: string) {
  return {
    to: operatorEmail,
    subject: `Merchant application: ${application.domain}`,
    text: [
      "A merchant applied and waits for review.",
      "",
      `Domain:      ${application.domain}`,
      `Email:       ${application.email}`,
      `Telegram:    ${application.telegram ?? "-"}`,
      `Application: ${application.applicationId}`,
      `Merchant:    ${application.merchantId}`,
      "",
      application.description,
      "",
    ].join("\n"),
  };
}
