import { createTransport } from "nodemailer";
import type { MailConfig } from "../config.ts";
import type { Queryable } from "../db/pool.ts";
import { MAIL_LANE_CONCURRENCY, MAIL_TIMEOUT_MS } from "../limits.ts";
import { enqueue, type Lane } from "./outbox.ts";
import { replaceWaitingJob } from "./queries.ts";

export const MAIL_JOB = "mail";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends a mail once the transaction has committed, and not before it is due. */
export function enqueueMail(
  transaction: Queryable,
  mail: Mail,
  now: Date,
  options: { id?: string; due?: Date } = {},
): Promise<void> {
  return enqueue(transaction, MAIL_JOB, mail, now, options);
}

/** Replaces a mail that still waits to be sent. False when it was sent, is being sent or was given up. */
export function replaceMail(transaction: Queryable, id: string, mail: Mail): Promise<boolean> {
  return replaceWaitingJob(transaction, id, mail);
}

/** One mail server receives every mail, so all mails share a lane. */
export function mailLane(config: MailConfig, log: { info(fields: object, message: string): void }): Lane<Mail> {
  const transport =
    config.smtpUrl === null
      ? null
      : createTransport({
          url: config.smtpUrl,
          requireTLS: config.requireTls,
          connectionTimeout: MAIL_TIMEOUT_MS,
          greetingTimeout: MAIL_TIMEOUT_MS,
          socketTimeout: MAIL_TIMEOUT_MS,
          // Our mail is plain text. The transport must never read a file or fetch an address.
          disableFileAccess: true,
          disableUrlAccess: true,
        });
  return {
    kind: MAIL_JOB,
    concurrency: MAIL_LANE_CONCURRENCY,
    async run(mail: Mail) {
      if (transport === null) {
        log.info({ mail }, "mail (SMTP_URL is not set, so it is only logged)");
        return;
      }
      await transport
        .sendMail({
          from: config.from,
          to: mailboxOf(mail.to),
          subject: mail.subject,
          text: mail.text,
        })
        .catch((error: unknown) => {
          throw new Error(failureOf(error));
        });
    },
  };
}

// An object, not a list, so that an address with odd characters stays one mailbox. Only the configured operator address may
// have a name before it; an applicant's address never ends in an angle bracket.
function mailboxOf(to: string): { name: string; address: string } {
  const [, name = "", address = to] = /^([^<>]+)<([^\s@<>]+@[^\s@<>]+)>$/.exec(to) ?? [];
  return { name: name.trim(), address };
}

// The reason is logged. A mail server's own message often repeats the recipient, so it is not used.
function failureOf(error: unknown): string {
  const { command, code, responseCode } = error as { command?: string; code?: string; responseCode?: number };
  return `SMTP: ${[command, code, responseCode].filter((part) => part !== undefined).join(" ")} failed`;
}

const SHOWN_FAILURE = /^SMTP: [A-Z0-9_ ]* failed$/;

/** Why a mail was not sent. A text of any other form may contain an address, so it is not shown. */
export function shownMailFailure(failure: string): string {
  return SHOWN_FAILURE.test(failure) ? failure : "The mail could not be sent.";
}
