import type { FastifyReply, FastifyRequest } from "fastify";
import pg from "pg";
import { DatabaseFailure, isBusy, isTooSlow, isUnavailable } from "../db/failures.ts";
import { AppError, type ErrorCode } from "./errors.ts";

/** The one place where an error becomes an answer. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = toAppError(error);
  if (answer.status >= 500 && answer !== error) {
    request.server.serviceLog.error(
      { requestId: request.id, code: answer.code, failure: describeFailure(error) },
      "a request failed",
    );
  }
  reply.header("x-request-id", request.id).headers(answer.headers).code(answer.status).send(answer.body);
}

/** For an answer that failed after its status was sent: only the log can say so. */
export function logBrokenAnswer(error: unknown, request: FastifyRequest): void {
  request.server.serviceLog.error({ requestId: request.id, failure: describeFailure(error) }, "an answer broke off");
}

const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, message?: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["BODY_TOO_LARGE"],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["UNSUPPORTED_MEDIA_TYPE"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["VALIDATION_ERROR", "The body is not as long as Content-Length says."],
  FST_ERR_BAD_URL: ["VALIDATION_ERROR", "The address is not valid percent-encoded UTF-8."],
  FST_ERR_NOT_FOUND: ["ROUTE_NOT_FOUND"],
  FST_ERR_MAX_PARAM_LENGTH: ["ROUTE_NOT_FOUND"],
};

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isBusy(error)) return new AppError("OVERLOADED");
  if (isUnavailable(error)) return new AppError("SERVICE_UNAVAILABLE");
  if (isTooSlow(error)) return new AppError("OVERLOADED");
  const { code = "", statusCode = 500 } = error as { code?: string; statusCode?: number };
  const [known, message] = FRAMEWORK_ERRORS[code] ?? [];
  if (known !== undefined) return new AppError(known, message);
  if (statusCode >= 400 && statusCode < 500) return new AppError("VALIDATION_ERROR", "The request could not be read.");
  return new AppError("INTERNAL_ERROR");
}

// PostgreSQL quotes values in its message and detail, so only the names in its errors are logged.
export function describeFailure(error: unknown): object {
  if (error instanceof DatabaseFailure && error.cause instanceof pg.DatabaseError) {
    const { code, table, constraint, column, routine } = error.cause;
    return { sqlState: code, table, constraint, column, routine, stack: framesOf(error) };
  }
  if (error instanceof Error) return { name: error.name, message: error.message, stack: framesOf(error) };
  return { name: typeof error };
}

function framesOf(error: Error): string {
  return (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .join("\n");
}
