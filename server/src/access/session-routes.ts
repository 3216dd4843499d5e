import { Type } from "typebox";
import { clientAddress, clientOf } from "../http/client-address.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { OPERATOR_TOKEN_LENGTH_MAX, SESSION_LIFE_MS } from "../limits.ts";
import { checkBelievedOperator } from "./authenticate.ts";
import { type Identities, operatorIdOf } from "./identities.ts";
import type { OperatorRole } from "./roles.ts";
import { comesFromOurPages, readSessionCookie, sessionCookieName, writeSessionCookie } from "./session-cookie.ts";
import type { WrongTokens } from "./wrong-tokens.ts";

const Session = Type.Object(
  {
    operatorId: Type.String({
      description: "The id of the token that opened the session, or bootstrap. Pages send it as X-Matchbook-Operator.",
    }),
    name: Type.String({ description: "The name of the token that opened the session." }),
    role: Type.Unsafe<OperatorRole>({ type: "string", enum: ["operator", "viewer"] }),
    environment: Type.Unsafe<string>({ type: "string", enum: ["production", "sandbox"] }),
    expiresAt: Type.String({ format: "date-time" }),
    approvals: Type.Boolean({ description: "Whether some changes wait for a second operator (APPROVALS=on)." }),
  },
  { title: "OperatorSession" },
);

export interface SessionRouteOptions {
  readonly identities: Identities;
  readonly wrongTokens: WrongTokens;
  readonly environment: string;
  readonly approvalsOn: boolean;
}

/** The console's sign-in and sign-out. These routes identify the caller by body or cookie, not by a header. */
export async function sessionRoutes(
  app: Listener,
  { identities, wrongTokens, environment, approvalsOn }: SessionRouteOptions,
): Promise<void> {
  const cookieName = sessionCookieName(environment);

  async function describe(sessionId: string) {
    const session = await identities.ofSession(sessionId);
    if (session === null) return null;
    const { name, role } = session.operator;
    return {
      operatorId: operatorIdOf(session.operator),
      name,
      role,
      environment,
      expiresAt: session.expireDate.toISOString(),
      approvals: approvalsOn,
    };
  }

  app.addHook("onRequest", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });

  app.post(
    "/session",
    {
      schema: {
        tags: ["Sessions"],
        operationId: "createSession",
        summary: "Sign in to the console: exchange a token for a session cookie",
        description:
          "Beyond ten wrong tries a minute, of one client address or with one token, every try is answered 429, also one " +
          "with a right token. Sign-ins are in the audit log, wrong ones too.",
        body: Type.Object(
          { token: Type.String({ minLength: 1, maxLength: OPERATOR_TOKEN_LENGTH_MAX }) },
          { title: "CreateSessionRequest", additionalProperties: false },
        ),
        response: { 201: Session },
      },
      config: { errors: ["OPERATOR_TOKEN_INVALID", "OPERATOR_FORBIDDEN", "SESSION_ORIGIN_REFUSED", "RATE_LIMITED"] },
    },
    async (request, reply) => {
      if (request.headers.origin !== undefined && !comesFromOurPages(request)) fail("SESSION_ORIGIN_REFUSED");
      const { token } = request.body;
      const operator =
        (await wrongTokens.signIn(request, token, () => identities.ofToken(token))) ??
        fail("OPERATOR_TOKEN_INVALID", "This operator token is unknown or has expired.");
      if (operator.role === "ingest") {
        fail(
          "OPERATOR_FORBIDDEN",
          "An ingest token may only report deposits. Sign in with an operator or viewer token.",
        );
      }
      const sessionId = await identities.openSession(token, operator, {
        requestId: request.id,
        address: clientOf(clientAddress(request)),
        // The browser forgets the cookie it had, so that session could not be ended any more.
        replaced: readSessionCookie(request, cookieName) ?? null,
      });
      const cookie = writeSessionCookie(request, cookieName, sessionId, SESSION_LIFE_MS / 1_000);
      return reply
        .code(201)
        .header("set-cookie", cookie)
        .send((await describe(sessionId)) ?? fail("OPERATOR_TOKEN_INVALID"));
    },
  );

  // It is no error to ask without being signed in.
  app.get(
    "/session",
    {
      schema: {
        tags: ["Sessions"],
        operationId: "getSession",
        summary: "Whose session is this?",
        response: { 200: Type.Object({ session: Type.Union([Session, Type.Null()]) }, { title: "CurrentSession" }) },
      },
    },
    async (request) => {
      const sessionId = readSessionCookie(request, cookieName);
      return { session: sessionId ? await describe(sessionId) : null };
    },
  );

  app.delete(
    "/session",
    {
      schema: {
        tags: ["Sessions"],
        operationId: "deleteSession",
        summary: "Sign out",
        response: { 204: Type.Null({ description: "The session has ended, now or before." }) },
      },
      config: { errors: ["SESSION_ORIGIN_REFUSED", "OPERATOR_CHANGED"] },
    },
    async (request, reply) => {
      const sessionId = readSessionCookie(request, cookieName);
      if (sessionId !== undefined && !comesFromOurPages(request)) fail("SESSION_ORIGIN_REFUSED");
      const session = sessionId ? await identities.ofSession(sessionId) : null;
      if (session !== null) checkBelievedOperator(request, session.operator);
      if (sessionId) await identities.closeSession(sessionId, request.id);
      return reply
        .code(204)
        .header("set-cookie", writeSessionCookie(request, cookieName, "", 0))
        .send(null);
    },
  );
}
