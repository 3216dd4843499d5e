import { randomUUID } from "node:crypto";
import type { Queryable } from "../db/pool.ts";
import { DOMAIN_MAIL_INTERVAL_MS } from "../limits.ts";
import { findMerchant, type Merchant } from "../merchants/queries.ts";
import { enqueueMail, type Mail, replaceMail } from "../outbox/mail.ts";
import { findDomainMail, upsertDomainMail } from "./queries.ts";

/**
 * Tells the merchant's contact of an added domain: the first at once, then at most one mail an hour that lists all domains
 * added since the last one. The caller holds the lock on the merchant's domains, so there is one mail to add to.
 */
export async function mailAddedDomain(
  transaction: Queryable,
  merchantId: string,
  domain: string,
  now: Date,
): Promise<void> {
  const merchant = await findMerchant(transaction, merchantId);
  if (merchant === null) return;
  const last = await findDomainMail(transaction, merchantId);
  // A mail that waits, for its hour or for the mail server, takes the domain along.
  if (last !== null) {
    const domains = [...last.domains, domain];
    if (await replaceMail(transaction, last.jobId, domainMail(merchant, domains))) {
      await upsertDomainMail(transaction, merchantId, { ...last, domains });
      return;
    }
  }
  const nextMs = last === null ? 0 : last.dueDate.getTime() + DOMAIN_MAIL_INTERVAL_MS;
  const mail = { jobId: randomUUID(), dueDate: new Date(Math.max(now.getTime(), nextMs)), domains: [domain] };
  await enqueueMail(transaction, domainMail(merchant, mail.domains), now, { id: mail.jobId, due: mail.dueDate });
  await upsertDomainMail(transaction, merchantId, mail);
}

function domainMail({ email, domain, merchantId }: Merchant, domains: readonly string[]): Mail {
  return {
    to: email,
    subject: `New domains of your merchant account for ${domain}`,
    text: [
      "These domains were added to your merchant account. Their pages can embed the deposit flow for your account:",
      "",
      ...domains.map((added) => `  ${added}`),
      "",
      "If you did not add them, somebody else can sign requests for you: contact the operator at once, to have the domains",
      "removed and your key replaced.",
      "",
      `Merchant id: ${merchantId}`,
      "",
    ].join("\n"),
  };
}
