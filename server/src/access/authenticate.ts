import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "../audit/audit.ts";
import type { Queryable } from "../db/pool.ts";
import { type ErrorCode, fail } from "../http/errors.ts";
import { OPERATOR_TOKEN_LENGTH_MAX } from "../limits.ts";
import { actorFor, type Identities, type Operator, operatorIdOf } from "./identities.ts";
import { mayCall } from "./roles.ts";
import { comesFromOurPages, readSessionCookie, sessionCookieName } from "./session-cookie.ts";
import type { WrongTokens } from "./wrong-tokens.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the hook below, before any operator route runs. */
    operator: Caller | null;
  }
}

/** The caller, and a check that its credential is still valid. */
interface Caller extends Operator {
  readonly recheck: (on: Queryable) => Promise<void>;
}

export const OPERATOR_ERRORS: readonly ErrorCode[] = [
  "OPERATOR_TOKEN_INVALID",
  "OPERATOR_SESSION_INVALID",
  "SESSION_ORIGIN_REFUSED",
  "OPERATOR_CHANGED",
  "OPERATOR_FORBIDDEN",
  "RATE_LIMITED",
];

const OPERATOR_HEADER = "x-matchbook-operator";

export interface AuthenticateOptions {
  readonly db: Queryable;
  readonly identities: Identities;
  readonly wrongTokens: WrongTokens;
  readonly environment: string;
}

/**
 * Accepts a token, or the cookie of a session together with proof that our own page sent the request. A change is checked
 * three times: when the headers have arrived, when the body has arrived, and in the transaction of the change, where the
 * audit log is written.
 */
export function authenticateOperator({ db, identities, wrongTokens, environment }: AuthenticateOptions) {
  const cookieName = sessionCookieName(environment);

  async function bySession(request: FastifyRequest, sessionId: string | null, on: Queryable): Promise<Operator> {
    const session = sessionId === null ? null : await identities.ofSession(sessionId, on);
    if (session === null) fail("OPERATOR_SESSION_INVALID");
    if (changes(request) && !comesFromOurPages(request)) fail("SESSION_ORIGIN_REFUSED");
    return session.operator;
  }

  async function byToken(request: FastifyRequest, on: Queryable): Promise<Operator> {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? "")?.[1];
    // A text that cannot be a token is refused without a look-up and does not count as a try.
    if (token === undefined || token.length > OPERATOR_TOKEN_LENGTH_MAX) fail("OPERATOR_TOKEN_INVALID");
    const operator = await identities.ofToken(token, on);
    if (operator !== null) return operator;
    // A token that was valid a moment ago does not count as a try either.
    if (request.operator === null) await wrongTokens.countBearer(request);
    fail("OPERATOR_TOKEN_INVALID");
  }

  async function identify(request: FastifyRequest, on: Queryable): Promise<Operator> {
    const sessionId = request.headers.authorization === undefined ? readSessionCookie(request, cookieName) : undefined;
    const operator = sessionId === undefined ? await byToken(request, on) : await bySession(request, sessionId, on);
    checkBelievedOperator(request, operator);
    const { method, config } = request.routeOptions;
    if (!mayCall(operator.role, String(method), config.roles)) fail("OPERATOR_FORBIDDEN");
    return operator;
  }

  return {
    async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      // No cache may store what an operator reads.
      reply.header("cache-control", "no-store");
      const operator = await reply.server.places.whileUnknown(reply, () => identify(request, db));
      request.isAuthenticated = true;
      request.operator = {
        ...operator,
        recheck: async (on) => {
          await identify(request, on);
        },
      };
    },

    /** Runs when the body has arrived. */
    async preValidation(request: FastifyRequest): Promise<void> {
      if (changes(request)) await request.operator?.recheck(db);
    },
  };
}

/**
 * All tabs of a browser share one cookie. After another tab signed in as someone else, a page would show one operator and act as
 * the other. So a page names its operator with every call, and a call for anyone else is refused.
 */
export function checkBelievedOperator({ headers }: FastifyRequest, operator: Operator): void {
  const believed = headers[OPERATOR_HEADER];
  if (believed === undefined || String(believed).toLowerCase() === operatorIdOf(operator)) return;
  fail(
    "OPERATOR_CHANGED",
    `You are now signed in as ${operator.name}. Nothing was changed. Check the page and try again.`,
  );
}

function changes({ method }: FastifyRequest): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Who the audit log names for this request. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.operator === null) throw new Error("The route was reached without an operator.");
  const { recheck } = request.operator;
  return { ...actorFor(request.operator, request.id), recheck };
}
