import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import { fail } from "../http/errors.ts";
import { Instant, Reason, Uuid } from "../http/fields.ts";
import { IdempotencyHeaders, idOfKey } from "../http/idempotency.ts";
import type { Listener } from "../http/listener.ts";
import { byDateAndId, type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { TOKEN_DAYS_DEFAULT, TOKEN_DAYS_MAX, TOKEN_NAME_LENGTH_MAX } from "../limits.ts";
import type { Approvals } from "./approvals/gate.ts";
import { presentWaiting } from "./approvals/present.ts";
import { WaitingAnswer } from "./approvals/schemas.ts";
import { actorOf } from "./authenticate.ts";
import { presentToken } from "./present.ts";
import { OPERATOR_ROLES, type OperatorRole } from "./roles.ts";
import { countUsableDescendants, findToken, listTokens } from "./token-queries.ts";
import { createToken, revokeToken, TOKEN_NAME_PATTERN, type TokenDependencies } from "./tokens.ts";

const Role = Type.Unsafe<OperatorRole>({
  title: "OperatorRole",
  type: "string",
  enum: [...OPERATOR_ROLES],
  description: "operator: everything. viewer: GET only. ingest: POST deposits and the origin check.",
});
const TokenName = Type.String({
  minLength: 1,
  maxLength: TOKEN_NAME_LENGTH_MAX,
  pattern: TOKEN_NAME_PATTERN,
  "x-rule": `must be 1 to ${TOKEN_NAME_LENGTH_MAX} characters on one line, at least one of them visible, without control or direction characters`,
  description: "Who or what uses the token. The audit log shows it.",
  examples: ["hosted flow"],
});

const tokenFields = {
  id: Uuid,
  name: Type.String(),
  role: Role,
  expiresAt: Instant,
};
const listedFields = {
  ...tokenFields,
  createDate: Instant,
  revokedAt: Type.Union([Instant, Type.Null()]),
  createdBy: Type.Union([Type.Object({ id: Uuid, name: Type.String() }, { title: "TokenCreator" }), Type.Null()], {
    description: "The token that made it. Null: made on the host, on the command line or with the bootstrap token.",
  }),
};
const Token = Type.Object(listedFields, { title: "OperatorToken" });
const TokenDetail = Type.Object(
  {
    ...listedFields,
    descendantCount: Type.Integer({
      description: "How many good tokens it made, those they made included. They end with it.",
    }),
  },
  { title: "OperatorTokenDetail" },
);
const CreatedToken = Type.Object(
  { ...tokenFields, token: Type.String({ description: "The token itself, shown this once." }) },
  { title: "CreatedOperatorToken" },
);

export interface TokenRouteOptions extends TokenDependencies {
  readonly cursors: Cursors;
  readonly approvals: Approvals;
}

interface TokenToCreate {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly expiresInDays: number;
  readonly idempotencyKey: string | undefined;
}

export async function tokenRoutes(app: Listener, options: TokenRouteOptions): Promise<void> {
  const { db, clock, cursors, approvals } = options;
  const create = approvals.cover("token.create", {
    apply: (on, { id, idempotencyKey, ...request }: TokenToCreate, actor) =>
      createToken({ ...options, db: on }, request, actor, { id, idempotencyKey }),
    // The secret is shown to the one who asked, so that call makes the token.
    isMadeByAsker: true,
  });

  app.get(
    "/tokens",
    {
      schema: {
        tags: ["Tokens"],
        operationId: "listTokens",
        summary: "List operator tokens",
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: pageOf(Token) },
      },
    },
    async ({ query }) =>
      cursors.readPage(query, {
        scope: ["operator", "tokens"],
        list: (after, count) => listTokens(db, after, count),
        positionOf: byDateAndId,
        present: presentToken,
      }),
  );

  app.get(
    "/tokens/:tokenId",
    {
      schema: {
        tags: ["Tokens"],
        operationId: "getToken",
        summary: "Read an operator token",
        params: pathIds("tokenId"),
        response: { 200: TokenDetail },
      },
      config: { errors: ["TOKEN_NOT_FOUND"] },
    },
    async ({ params }) => {
      const id = uuidOr("TOKEN_NOT_FOUND", params.tokenId);
      const token = (await findToken(db, id)) ?? fail("TOKEN_NOT_FOUND");
      return { ...presentToken(token), descendantCount: await countUsableDescendants(db, id, clock()) };
    },
  );

  app.post(
    "/tokens",
    {
      schema: {
        tags: ["Tokens"],
        operationId: "createToken",
        summary: "Create an operator token",
        description:
          "The token itself is shown this once. With an `Idempotency-Key` header, which belongs to the caller, the call can " +
          "be repeated: the same request makes no second token, and is answered without the token itself. With APPROVALS=on " +
          "the header is required: once a second person has approved the token, the same call again answers 201, once.",
        headers: IdempotencyHeaders,
        body: Type.Object(
          {
            name: TokenName,
            role: Role,
            expiresInDays: Type.Optional(
              Type.Integer({ minimum: 1, maximum: TOKEN_DAYS_MAX, default: TOKEN_DAYS_DEFAULT }),
            ),
          },
          {
            title: "CreateTokenRequest",
            additionalProperties: false,
            examples: [{ name: "hosted flow", role: "ingest", expiresInDays: 365 }],
          },
        ),
        response: { 200: Token, 201: CreatedToken, 202: WaitingAnswer },
      },
      config: { errors: ["IDEMPOTENCY_KEY_REUSED"] },
    },
    async (request, reply) => {
      const key = request.headers["idempotency-key"];
      if (key === undefined && approvals.isOn) {
        fail(
          "VALIDATION_ERROR",
          "Idempotency-Key is required: the same call again gets the token once it is approved.",
        );
      }
      const id = key === undefined ? randomUUID() : idOfKey(`token/${request.operator?.id ?? "bootstrap"}`, key);
      const { expiresInDays = TOKEN_DAYS_DEFAULT } = request.body;
      const outcome = await create(actorOf(request), { ...request.body, expiresInDays, id, idempotencyKey: key });
      if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
      const { token, secret } = outcome.result;
      const answer = presentToken(token);
      return secret === null ? reply.code(200).send(answer) : reply.code(201).send({ ...answer, token: secret });
    },
  );

  app.delete(
    "/tokens/:tokenId",
    {
      schema: {
        tags: ["Tokens"],
        operationId: "revokeToken",
        summary: "Revoke an operator token, and the tokens it made",
        description:
          "Once this is answered, no change that the token or one of its sessions asked for can be stored. The tokens that " +
          "it made, and those they made, are revoked with it, unless `cascade` is false.",
        params: pathIds("tokenId"),
        querystring: Type.Object(
          {
            cascade: Type.Optional(
              Type.Boolean({ default: true, description: "false: only this token; those it made stay." }),
            ),
            reason: Type.Optional(Reason),
          },
          { additionalProperties: false },
        ),
        response: { 204: Type.Null({ description: "Revoked, now or before." }) },
      },
      config: { errors: ["TOKEN_NOT_FOUND"] },
    },
    async (request, reply) => {
      const { cascade = true, reason } = request.query;
      await revokeToken(options, uuidOr("TOKEN_NOT_FOUND", request.params.tokenId), actorOf(request), {
        cascade,
        reason,
      });
      return reply.code(204).send(null);
    },
  );
}
