import { Type } from "typebox";
import { Instant, Uuid, visibleAscii } from "../http/fields.ts";
import type { Listener } from "../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { isUuid } from "../http/path-ids.ts";
import { readInstantOrDate } from "../instants.ts";
import {
  ACTION_LENGTH_MAX,
  ACTOR_LENGTH_MAX,
  AUDIT_VERIFICATION_TIMEOUT_MS,
  INSTANT_LENGTH_MAX,
  SUBJECT_LENGTH_MAX,
} from "../limits.ts";
import type { ChangeDependencies } from "./audit.ts";
import { presentAuditRow } from "./present.ts";
import { type AuditFilters, auditPositionOf, listAuditRows } from "./queries.ts";

const AuditEntry = Type.Object(
  {
    position: Type.Integer({ description: "Its place in the chain, from 1." }),
    date: Instant,
    actor: Type.String({ description: "The name and the id of the token that made the change." }),
    action: Type.String({ examples: ["application.approve"] }),
    subject: Type.String({ description: "The id of what was changed." }),
    merchantId: Type.Union([Uuid, Type.Null()]),
    detail: Type.Record(Type.String(), Type.Unknown()),
    requestId: Type.Union([Type.String(), Type.Null()]),
    mac: Type.String({ description: "The link of the chain, in hexadecimal digits." }),
  },
  { title: "AuditEntry" },
);
const DateFilter = (description: string) =>
  Type.String({
    format: "date-time",
    maxLength: INSTANT_LENGTH_MAX,
    description: `${description} A date alone means 00:00 UTC.`,
    examples: ["2026-11-15T09:30:00.000Z"],
  });

const AuditVerification = Type.Object(
  {
    ok: Type.Boolean(),
    entries: Type.Integer({ description: "How many entries are as they were written, from the first on." }),
    head: Type.String({
      description:
        "The MAC of the last of them, empty when there is none. Noted elsewhere, it also shows a log that was cut short.",
    }),
    problem: Type.Union([Type.String(), Type.Null()], { description: "Where the chain breaks first, and how." }),
    date: Instant,
  },
  {
    title: "AuditVerification",
    examples: [
      {
        ok: true,
        entries: 128,
        head: "6f1c7a0de2b94835a1c0d7e8f9b2a3c4d5e6f708192a3b4c5d6e7f8091a2b3c4",
        problem: null,
        date: "2026-11-15T09:30:00.000Z",
      },
    ],
  },
);

export interface AuditRouteOptions extends ChangeDependencies {
  /** How the log names the token with this id. An unknown one has no entries. */
  readonly actorOfToken: (tokenId: string) => Promise<string>;
  readonly cursors: Cursors;
}

export async function auditRoutes(
  app: Listener,
  { db, clock, audit, cursors, actorOfToken }: AuditRouteOptions,
): Promise<void> {
  app.get(
    "/audit-log",
    {
      schema: {
        tags: ["Audit log"],
        operationId: "listAuditLog",
        summary: "List operator changes, newest first",
        querystring: Type.Object(
          {
            ...pageQuery,
            merchantId: Type.Optional(
              Type.String({ format: "uuid", description: "Only changes of this merchant and what belongs to it." }),
            ),
            actor: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: ACTOR_LENGTH_MAX,
                description: "Who made the change, exactly as the log names it, or the id of the token.",
                examples: ["Ada (8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10)"],
              }),
            ),
            action: Type.Optional(
              Type.String({ ...visibleAscii(ACTION_LENGTH_MAX), examples: ["application.approve"] }),
            ),
            subject: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: SUBJECT_LENGTH_MAX,
                description:
                  "What was changed, exactly as the log names it: the id of a payout, a payout run or a campaign.",
              }),
            ),
            createdAfter: Type.Optional(DateFilter("At this time or later.")),
            createdBefore: Type.Optional(DateFilter("At this time or earlier.")),
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(AuditEntry) },
      },
    },
    async ({ query }) => {
      const { actor = null, action = null, subject = null, createdAfter, createdBefore } = query;
      const filters: AuditFilters = {
        merchantId: query.merchantId?.toLowerCase() ?? null,
        actor: actor !== null && isUuid(actor) ? await actorOfToken(actor.toLowerCase()) : actor,
        action,
        subject,
        createdAfter: createdAfter === undefined ? null : readInstantOrDate(createdAfter, "createdAfter"),
        createdBefore: createdBefore === undefined ? null : readInstantOrDate(createdBefore, "createdBefore"),
      };
      return cursors.readPage(query, {
        scope: ["operator", "audit-log", ...Object.values(filters)],
        list: (after, count) => listAuditRows(db, filters, after, count),
        positionOf: (row) => auditPositionOf(filters, row),
        present: presentAuditRow,
      });
    },
  );

  app.get(
    "/audit-log/verification",
    {
      schema: {
        tags: ["Audit log"],
        operationId: "verifyAuditLog",
        summary: "Recompute the chain of the audit log",
        description: "The same as `npx @matchbook/server audit verify`. It reads the whole log, one run at a time.",
        response: { 200: AuditVerification },
      },
      config: { handlerTimeoutMs: AUDIT_VERIFICATION_TIMEOUT_MS },
    },
    async () => {
      const date = clock().toISOString();
      const { ok, rows, head, problem } = await audit.verify(db, { alone: true });
      return { ok, entries: rows, head, problem, date };
    },
  );
}
