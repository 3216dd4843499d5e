import type { FastifyReply, FastifyRequest } from "fastify";
import { type ErrorCode, fail } from "../http/errors.ts";
import { OPERATOR_TOKEN_LENGTH_MAX } from "../limits.ts";
import type { Actor } from "./audit.ts";
import type { Identities, Operator } from "./identities.ts";
import { mayCall } from "./roles.ts";
import { comesFromOurPages, readSessionCookie, sessionCookieName } from "./session-cookie.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the hook below, before any operator route runs. */
    operator: Operator | null;
  }
}

export const OPERATOR_ERRORS: readonly ErrorCode[] = [
  "OPERATOR_TOKEN_INVALID",
  "OPERATOR_SESSION_INVALID",
  "SESSION_ORIGIN_REFUSED",
  "OPERATOR_FORBIDDEN",
];

/** Lets in whoever sends a token, or the cookie of a session together with proof that our own page sent the request. */
export function authenticateOperator({ identities, environment }: { identities: Identities; environment: string }) {
  const cookieName = sessionCookieName(environment);

  async function bySession(request: FastifyRequest, sessionId: string | null): Promise<Operator> {
    const session = sessionId === null ? null : await identities.ofSession(sessionId);
    if (session === null) fail("OPERATOR_SESSION_INVALID");
    const changes = request.method !== "GET" && request.method !== "HEAD";
    if (changes && !comesFromOurPages(request)) fail("SESSION_ORIGIN_REFUSED");
    return session.operator;
  }

  async function byToken(request: FastifyRequest): Promise<Operator> {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || token.length > OPERATOR_TOKEN_LENGTH_MAX) fail("OPERATOR_TOKEN_INVALID");
    return (await identities.ofToken(token)) ?? fail("OPERATOR_TOKEN_INVALID");
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // What an operator reads is not for a cache on the way.
    reply.header("cache-control", "no-store");
    const sessionId = request.headers.authorization === undefined ? readSessionCookie(request, cookieName) : undefined;
    request.operator = await reply.server.places.whileUnknown(reply, () =>
      sessionId === undefined ? byToken(request) : bySession(request, sessionId),
    );
    request.isAuthenticated = true;
    const { method, config } = request.routeOptions;
    if (!mayCall(request.operator.role, String(method), config.roles)) fail("OPERATOR_FORBIDDEN");
  };
}

/** Who the audit log names for this request. Two tokens may share a name, so a token's id is part of it. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.operator === null) throw new Error("The route was reached without an operator.");
  const { id, name } = request.operator;
  return { name: id === null ? name : `${name} (${id})`, requestId: request.id };
}
