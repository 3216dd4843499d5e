import { OVERLOADED_RETRY_AFTER_SECONDS } from "../limits.ts";

// The only catalogue of errors. Order is precedence: when several apply, the first is answered.
// A third member is the code that is shown where one code has two statuses.
// `docs/errors.md` explains each code to integrators and is tested against this table.
export const errors = {
  // The HTTP layer.
  OVERLOADED: [503, "The service is busy. Retry after the Retry-After period."],
  HEADERS_TOO_LARGE: [431, "The request headers are larger than 16 KB."],
  REQUEST_TIMEOUT: [408, "The request did not arrive within 10 seconds."],
  EXPECTATION_FAILED: [417, "The Expect header is not supported. Send the request without it."],
  ROUTE_NOT_FOUND: [404, "There is nothing at this address. See /docs for every endpoint."],
  METHOD_NOT_ALLOWED: [405, "This address does not answer that method. The Allow header lists those it does."],

  // Who calls.
  MERCHANT_AUTHORIZATION_MISSING: [401, "The X-Merchant-Authorization header is required."],
  OPERATOR_TOKEN_INVALID: [401, "A valid operator token is required: Authorization: Bearer <token>."],
  OPERATOR_SESSION_INVALID: [401, "The session has expired. Sign in again."],
  SESSION_ORIGIN_REFUSED: [403, "Only the console's own pages may make changes with a session. Scripts use a token."],
  OPERATOR_CHANGED: [
    409,
    "The session belongs to another operator. Nothing was changed. Check the page and try again.",
  ],
  OPERATOR_FORBIDDEN: [403, "This operator token's role does not allow the call."],
  // A malformed header is a VALIDATION_ERROR (400) and is answered here, before the merchant is looked up.
  MERCHANT_NOT_REGISTERED: [
    403,
    "No merchant with this id is registered in this environment. Sandbox and production merchants are separate.",
  ],
  MERCHANT_NOT_ACTIVE: [403, "This merchant is not active. Wait for the approval, or contact the operator."],
  MERCHANT_AUTHORIZATION_EXPIRED: [422, "The signed envelope has expired. Sign a fresh one for every request."],
  MERCHANT_SIGNATURE_TIMESTAMP_INVALID: [422, "signatureTimestamp is not a valid, current ISO-8601 time."],
  MERCHANT_SIGNATURE_INVALID: [422, "The signature does not match the payload and the registered public key."],

  // What was sent.
  BODY_TOO_LARGE: [413, "The request body is too large."],
  UNSUPPORTED_MEDIA_TYPE: [415, "Send the body as application/json, without a Content-Encoding."],
  VALIDATION_ERROR: [400, "The request is not valid."],
  RATE_LIMITED: [429, "Too many requests of this kind. Retry after the Retry-After period."],

  // What it is about.
  APPLICATION_NOT_FOUND: [404, "No such application."],
  MERCHANT_NOT_FOUND: [404, "No such merchant."],
  PUBLIC_KEY_NOT_FOUND: [404, "No active merchant with this id is registered here.", "MERCHANT_NOT_REGISTERED"],
  CAMPAIGN_NOT_FOUND: [404, "No such campaign."],
  PARTICIPANT_NOT_FOUND: [404, "No such participant."],
  USER_NOT_FOUND: [404, "No such user has deposited with the merchant."],
  DEPOSIT_NOT_FOUND: [404, "The merchant has no such deposit."],
  PAYOUT_NOT_FOUND: [404, "No such payout."],
  PAYOUT_RUN_NOT_FOUND: [404, "No such payout run."],
  DOMAIN_NOT_FOUND: [404, "This merchant has no such domain."],
  TOKEN_NOT_FOUND: [404, "No such operator token."],
  APPROVAL_NOT_FOUND: [404, "No such approval."],
  JOB_NOT_FOUND: [404, "No such job. One that is done is not kept."],

  // Whether it may happen now.
  APPROVAL_NEEDS_ANOTHER: [
    403,
    "You asked for this change, or the person who made your token did. Another must decide.",
  ],
  APPROVAL_ALREADY_DECIDED: [409, "This request has already been decided, or has expired."],
  APPROVAL_OUTDATED: [409, "The change is no longer the one that was shown. Reject the request and ask again."],
  MERCHANT_APPLICATION_DUPLICATE: [409, "An application with this public key is already waiting for review."],
  APPLICATION_ALREADY_DECIDED: [409, "This application has already been decided."],
  PUBLIC_KEY_RETIRED: [
    409,
    "This public key was swapped out before and cannot be used again. Generate a new key pair.",
  ],
  PUBLIC_KEY_IN_USE: [409, "Another active merchant uses this public key. Every merchant needs its own."],
  MERCHANT_TRANSITION_INVALID: [409, "The merchant's status does not allow this."],
  CAMPAIGN_TRANSITION_INVALID: [409, "The campaign's status does not allow this move."],
  CAMPAIGN_EDIT_INVALID: [409, "This change is not allowed in the campaign's status."],
  DOMAIN_IS_PRIMARY: [409, "The primary domain stays. Suspend the merchant to close all of its origins."],
  DEPOSIT_CONFLICT: [409, "A deposit's payer, chain, wallet, token and createDate never change."],
  PAYOUT_TRANSITION_INVALID: [409, "The payout's status does not allow this move."],
  PAYOUT_RUN_TRANSITION_INVALID: [409, "The payout run's status does not allow this move."],
  PARTICIPANT_HELD: [409, "An operator holds this participant, so it gets no payout. Release it first."],
  IDEMPOTENCY_KEY_REUSED: [409, "This Idempotency-Key was used with another request."],
  CAMPAIGN_NOT_ACTIVE: [422, "The campaign is not active, so it accepts no data."],
  NO_QUALIFYING_WALLET: [422, "No submitted wallet has a qualifying deposit in the campaign window."],
  WALLET_CLAIMED: [422, "A submitted wallet is already claimed by as many participants as the campaign allows."],
  MERCHANT_DOMAIN_LIMIT_REACHED: [
    422,
    "The merchant already has 10 additional domains. Ask the operator to remove one.",
  ],
  PARTICIPANT_WITHOUT_RECEIVER: [
    422,
    "The participant has no receiver: no submitted wallet can receive on the payout chain. Set one first.",
  ],
  PAYOUT_EXCEEDS_MATCH: [422, "Open and confirmed payouts would exceed the participant's match."],
  NOTHING_OWED: [422, "Nothing is owed that could be paid now."],
  PAYOUT_TOKEN_AMBIGUOUS: [422, "The merchant's campaigns pay several tokens. Name one by chainId and tokenAddress."],
  PAYOUT_RESULTS_INVALID: [422, "Some of the lines are wrong, so nothing was applied. See error.details."],

  // What went wrong on our side.
  DOMAIN_REGISTRY_UNAVAILABLE: [502, "The domain registry could not be reached. Nothing was changed; retry."],
  SERVICE_UNAVAILABLE: [503, "The database cannot be reached right now. Retry after the Retry-After period."],
  INTERNAL_ERROR: [500, "Something failed on our side. Quote the X-Request-Id when you report it."],
} as const satisfies Record<string, readonly [status: number, message: string, shownCode?: string]>;

export type ErrorCode = keyof typeof errors;

export function shownCode(code: ErrorCode): string {
  const entry: readonly [number, string, string?] = errors[code];
  return entry[2] ?? code;
}

// Every 503 carries `Retry-After`.
const headersOf = (code: ErrorCode): Record<string, string> =>
  errors[code][0] === 503 ? { "retry-after": String(OVERLOADED_RETRY_AFTER_SECONDS) } : {};

/** An expected outcome that is not a success. It carries its own status, so no handler maps anything. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** What is wrong with each line or item, by its index. */
  readonly details: readonly object[] | undefined;

  constructor(
    code: ErrorCode,
    message: string = errors[code][1],
    headers: Record<string, string> = headersOf(code),
    details?: readonly object[],
  ) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.status = errors[code][0];
    this.headers = headers;
    this.details = details;
  }

  get body() {
    const { message, details } = this;
    return { error: { code: shownCode(this.code), message, ...(details && { details }) } };
  }
}

export function fail(code: ErrorCode, message?: string, headers?: Record<string, string>): never {
  throw new AppError(code, message, headers);
}
