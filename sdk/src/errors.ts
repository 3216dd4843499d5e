import { brand } from "./brand.ts";

/** What went wrong before the service gave an answer that could be read. */
export type ClientErrorCode =
  | "CONNECTION_FAILED"
  | "TIMEOUT"
  | "REDIRECT_REFUSED"
  | "RESPONSE_INVALID"
  /** The `sign` callback failed, or answered something else than a signature. Nothing was sent. */
  | "SIGNING_FAILED";

export interface MatchbookErrorDetails {
  code: string;
  message: string;
  status?: number | null | undefined;
  requestId?: string | null | undefined;
  retryAfterMs?: number | null | undefined;
  cause?: unknown;
}

/** A call that did not succeed, after the attempts it was worth. */
export class MatchbookError extends Error {
  override readonly name = "MatchbookError";
  /** The service's error code, or a `ClientErrorCode` when there was no answer. Decide by this, never by the message. */
  readonly code: string;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Quote it to the operator: it finds the request in the service's log. */
  readonly requestId: string | null;
  /** How long the service asked to wait; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor({ code, message, status, requestId, retryAfterMs, cause }: MatchbookErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status ?? null;
    this.requestId = requestId ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}
brand(MatchbookError, "MatchbookError");
