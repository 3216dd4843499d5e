import type { Mail } from "../outbox/mail.ts";
import type { Application, NewApplication } from "./record.ts";

/** To the operator. */
export function applicationMail(application: NewApplication, operatorEmail: string): Mail {
  return {
    to: operatorEmail,
    subject: `Merchant application: ${application.domain}`,
    text: [
      "A merchant applied and is waiting for review.",
      "",
      `Domain:      ${application.domain}`,
      `Email:       ${application.email}`,
      `Telegram:    ${application.telegram ?? "-"}`,
      `Application: ${application.applicationId}`,
      `Merchant:    ${application.merchantId}`,
      `Key:         ${application.proven ? "the applicant proved that it holds the private key" : "not proven"}`,
      "",
      application.description,
      "",
    ].join("\n"),
  };
}

export function approvalMail({ email, domain, merchantId }: Application): Mail {
  return {
    to: email,
    subject: `Your merchant account for ${domain} is active`,
    text: `The application for ${domain} was approved.\n\nMerchant id: ${merchantId}\n\nYou can now sign requests with your private key.\n`,
  };
}

export function rejectionMail({ email, domain, reason }: Application): Mail {
  return {
    to: email,
    subject: `Your application for ${domain} was not approved`,
    text: `The application for ${domain} was not approved.\n\nReason: ${reason}\n\nYou may apply again.\n`,
  };
}

/** To the applicant whose pending application lost its key to an application with proof. */
export function displacementMail({ email, domain, merchantId }: Application, reason: string): Mail {
  return {
    to: email,
    subject: `Your application for ${domain} was not approved`,
    text: `The application for ${domain} was not approved.\n\nReason: ${reason}\n\nYou may apply again.\n\nMerchant id: ${merchantId}\n`,
  };
}
