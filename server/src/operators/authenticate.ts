import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Queryable } from "../db/pool.ts";
import { type ErrorCode, fail } from "../http/errors.ts";
import type { Actor } from "./audit.ts";
import { findUsableToken } from "./queries.ts";
import { mayCall, type OperatorRole } from "./roles.ts";
import { hashToken } from "./tokens.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set by the hook below, before any operator route runs. */
    operator: Operator | null;
  }
}

interface Operator {
  /** Null for the bootstrap token, which is in no table. */
  readonly id: string | null;
  readonly name: string;
  readonly role: OperatorRole;
}

export const OPERATOR_ERRORS: readonly ErrorCode[] = ["OPERATOR_TOKEN_INVALID", "OPERATOR_FORBIDDEN"];

const TOKEN_LENGTH_MAX = 512;

/** Lets in whoever holds the bootstrap token or a token of the database that is neither revoked nor expired. */
export function authenticateOperator(dependencies: { db: Queryable; clock: Clock; bootstrapToken: string }) {
  const bootstrapHash = hashToken(dependencies.bootstrapToken);
  return async (request: FastifyRequest): Promise<void> => {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined || token.length > TOKEN_LENGTH_MAX) fail("OPERATOR_TOKEN_INVALID");
    const hash = hashToken(token);
    request.operator = timingSafeEqual(hash, bootstrapHash)
      ? { id: null, name: "bootstrap token", role: "operator" }
      : ((await findUsableToken(dependencies.db, hash, dependencies.clock())) ?? fail("OPERATOR_TOKEN_INVALID"));
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
