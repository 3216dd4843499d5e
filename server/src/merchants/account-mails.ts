// What a merchant's contact is told when something about its account changes. It is who would notice that the change was
// not wanted.
import type { Mail } from "../outbox/mail.ts";

interface Addressee {
  readonly email: string;
  readonly domain: string;
  readonly merchantId: string;
}

const UNWANTED = "If you did not ask for this, contact the operator.";

export function keySwapMail(merchant: Addressee, from: string, to: string): Mail {
  return mail(merchant, `The public key of your merchant account for ${merchant.domain} was replaced`, [
    "The operator replaced the public key of your merchant account.",
    `Old key: ${from}\nNew key: ${to}`,
    `Requests and payment links signed with the old key are refused from now on. ${UNWANTED}`,
  ]);
}

export function suspensionMail(merchant: Addressee): Mail {
  return mail(merchant, `Your merchant account for ${merchant.domain} was suspended`, [
    "The operator suspended your merchant account. Signed requests are refused and your pages cannot embed the deposit flow.",
    "Contact the operator to learn why.",
  ]);
}

export function reinstatementMail(merchant: Addressee): Mail {
  return mail(merchant, `Your merchant account for ${merchant.domain} is active again`, [
    "The operator reinstated your merchant account. Signed requests are accepted again.",
  ]);
}

export function displacementMail(application: Addressee, reason: string): Mail {
  return mail(application, `Your application for ${application.domain} was not approved`, [
    `The application for ${application.domain} was not approved.`,
    `Reason: ${reason}`,
    "You may apply again.",
  ]);
}

function mail({ email, merchantId }: Addressee, subject: string, paragraphs: readonly string[]): Mail {
  return { to: email, subject, text: `${[...paragraphs, `Merchant id: ${merchantId}`].join("\n\n")}\n` };
}
