import { createTransport } from "nodemailer";
import type { MailConfig } from "../config.ts";
import type { Queryable } from "../db/pool.ts";
import { MAIL_TIMEOUT_MS } from "../limits.ts";
import { enqueue } from "./outbox.ts";

const KIND = "mail";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail once the transaction has committed. */
export function enqueueMail(transaction: Queryable, mail: Mail, now: Date): Promise<void> {
  return enqueue(transaction, KIND, mail, now);
}

export function mailHandlers(config: MailConfig, log: { info(fields: object, message: string): void }) {
  const transport =
    config.smtpUrl === null
      ? null
      : createTransport({
          url: config.smtpUrl,
          connectionTimeout: MAIL_TIMEOUT_MS,
          greetingTimeout: MAIL_TIMEOUT_MS,
          socketTimeout: MAIL_TIMEOUT_MS,
          // Mail is text we wrote ourselves; nothing may make the transport read a file or an address.
          disableFileAccess: true,
          disableUrlAccess: true,
        });
  return {
    [KIND]: async (mail: Mail) => {
      if (transport === null) log.info({ mail }, "mail (SMTP_URL is not set, so it is only logged)");
      // An object, not a list: the address is one mailbox whatever characters it has.
      else
        await transport.sendMail({
          from: config.from,
          to: { name: "", address: mail.to },
          subject: mail.subject,
          text: mail.text,
        });
    },
  };
}
