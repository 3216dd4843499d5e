import { Type } from "typebox";
import { CHAIN_JOB } from "../campaigns/payouts/proofs/prove.ts";
import { SETTLE_JOB } from "../domains/settle.ts";
import { MAIL_JOB } from "../outbox/mail.ts";

export const JOB_KINDS = [MAIL_JOB, SETTLE_JOB, CHAIN_JOB] as const;

export const JobKind = Type.Unsafe<(typeof JOB_KINDS)[number]>({
  title: "JobKind",
  type: "string",
  enum: [...JOB_KINDS],
  description:
    "mail: a notification. registry: a call to the domain registry. chain: the look at one chain of CHAIN_RPC_URLS, which " +
    "repeats and so is always there. Only mails are given up.",
});

export const Job = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    kind: JobKind,
    attempts: Type.Integer({ description: "How often it was tried." }),
    lastError: Type.Union([Type.String(), Type.Null()], {
      description: "Why it failed last. It names no recipient.",
      examples: ["SMTP: CONN ECONNREFUSED failed"],
    }),
    createDate: Type.String({ format: "date-time" }),
    nextAttemptDate: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "null when it has been given up.",
    }),
  },
  { title: "Job" },
);
