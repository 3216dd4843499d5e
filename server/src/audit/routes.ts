import { Type } from "typebox";
import { Instant, Uuid } from "../http/fields.ts";
import type { Listener } from "../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { AUDIT_VERIFICATION_TIMEOUT_MS } from "../limits.ts";
import type { ChangeDependencies } from "./audit.ts";
import { presentAuditRow } from "./present.ts";
import { listAuditRows } from "./queries.ts";

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
  readonly cursors: Cursors;
}

export async function auditRoutes(app: Listener, { db, clock, audit, cursors }: AuditRouteOptions): Promise<void> {
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
          },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(AuditEntry) },
      },
    },
    async ({ query }) => {
      const merchantId = query.merchantId?.toLowerCase() ?? null;
      return cursors.readPage(query, {
        scope: ["operator", "audit-log", merchantId],
        list: (after, count) => listAuditRows(db, merchantId, after, count),
        positionOf: ({ position }) => [String(position)],
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
        description: "The same as `matchbook-server audit verify`. It reads the whole log, one run at a time.",
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
