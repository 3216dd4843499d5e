import { Type } from "typebox";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/pool.ts";
import type { Listener } from "../http/listener.ts";
import { type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import {
  AUDIT_VERIFICATION_TIMEOUT_MS,
  PAGE_LIMIT_DEFAULT,
  TOKEN_DAYS_DEFAULT,
  TOKEN_DAYS_MAX,
  TOKEN_NAME_LENGTH_MAX,
} from "../limits.ts";
import type { Audit } from "./audit.ts";
import { actorOf } from "./authenticate.ts";
import { listAuditEntries, listTokens } from "./queries.ts";
import { OPERATOR_ROLES, type OperatorRole } from "./roles.ts";
import { createToken, revokeToken, TOKEN_NAME_PATTERN } from "./tokens.ts";

const Role = Type.Unsafe<OperatorRole>({
  type: "string",
  enum: [...OPERATOR_ROLES],
  description: "operator: everything. viewer: GET only. ingest: POST deposits and the origin check.",
});
const TokenName = Type.String({
  minLength: 1,
  maxLength: TOKEN_NAME_LENGTH_MAX,
  pattern: TOKEN_NAME_PATTERN,
  "x-rule": `must be 1 to ${TOKEN_NAME_LENGTH_MAX} characters on one line, not all of them spaces`,
  description: "Who or what uses the token. The audit log shows it.",
  examples: ["hosted flow"],
});

const tokenFields = {
  id: Type.String({ format: "uuid" }),
  name: Type.String(),
  role: Role,
  expiresAt: Type.String({ format: "date-time" }),
};
const Token = Type.Object(
  {
    ...tokenFields,
    createDate: Type.String({ format: "date-time" }),
    revokedAt: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  },
  { title: "OperatorToken" },
);
const CreatedToken = Type.Object(
  { ...tokenFields, token: Type.String({ description: "The token itself, shown this once." }) },
  { title: "CreatedOperatorToken" },
);
const AuditEntry = Type.Object(
  {
    position: Type.Integer({ description: "Its place in the chain, from 1." }),
    date: Type.String({ format: "date-time" }),
    actor: Type.String({ description: "The name and the id of the token that made the change." }),
    action: Type.String({ examples: ["application.approve"] }),
    subject: Type.String({ description: "The id of what was changed." }),
    merchantId: Type.Union([Type.String({ format: "uuid" }), Type.Null()]),
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
    date: Type.String({ format: "date-time" }),
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

export interface OperatorRouteOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly cursors: Cursors;
}

export async function operatorRoutes(app: Listener, options: OperatorRouteOptions): Promise<void> {
  const { db, clock, audit, cursors } = options;

  app.get(
    "/tokens",
    {
      schema: {
        tags: ["Tokens"],
        summary: "List operator tokens",
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: pageOf(Token) },
      },
    },
    async ({ query: { limit = PAGE_LIMIT_DEFAULT, cursor } }) => {
      const scope = ["operator", "tokens"];
      const tokens = await listTokens(db, cursors.open(scope, cursor), limit + 1);
      return cursors.page(scope, tokens, limit, ({ createDate, id }) => [createDate, id]);
    },
  );

  app.post(
    "/tokens",
    {
      schema: {
        tags: ["Tokens"],
        summary: "Create an operator token",
        body: Type.Object(
          {
            name: TokenName,
            role: Role,
            expiresInDays: Type.Optional(
              Type.Integer({ minimum: 1, maximum: TOKEN_DAYS_MAX, default: TOKEN_DAYS_DEFAULT }),
            ),
          },
          {
            additionalProperties: false,
            examples: [{ name: "hosted flow", role: "ingest", expiresInDays: 365 }],
          },
        ),
        response: { 201: CreatedToken },
      },
    },
    async (request, reply) => {
      return reply.code(201).send(await createToken(options, request.body, actorOf(request)));
    },
  );

  app.delete(
    "/tokens/:tokenId",
    {
      schema: {
        tags: ["Tokens"],
        summary: "Revoke an operator token",
        params: pathIds("tokenId"),
        response: { 204: Type.Null({ description: "Revoked, now or before." }) },
      },
      config: { errors: ["TOKEN_NOT_FOUND"] },
    },
    async (request, reply) => {
      await revokeToken(options, uuidOr("TOKEN_NOT_FOUND", request.params.tokenId), actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    "/audit-log",
    {
      schema: {
        tags: ["Audit log"],
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
      const { limit = PAGE_LIMIT_DEFAULT, cursor } = query;
      const merchantId = query.merchantId?.toLowerCase() ?? null;
      const scope = ["operator", "audit-log", merchantId];
      const entries = await listAuditEntries(db, merchantId, cursors.open(scope, cursor), limit + 1);
      return cursors.page(scope, entries, limit, ({ position }) => [String(position)]);
    },
  );

  app.get(
    "/audit-log/verification",
    {
      schema: {
        tags: ["Audit log"],
        summary: "Recompute the chain of the audit log",
        description: "The same as `matchbook-server audit verify`. It reads the whole log, one run at a time.",
        response: { 200: AuditVerification },
      },
      handlerTimeout: AUDIT_VERIFICATION_TIMEOUT_MS,
    },
    async () => {
      const date = clock().toISOString();
      const { ok, rows, head, problem } = await audit.verify(db, { alone: true });
      return { ok, entries: rows, head, problem, date };
    },
  );
}
