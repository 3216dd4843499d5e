import { KeyError, MatchbookError } from "@matchbook/sdk";
import { Failure, UsageError } from "./command.ts";
import { printable } from "./output.ts";

/** What to do next, for the codes where the message alone does not say it. */
const nextSteps: Readonly<Record<string, string>> = {
  CAMPAIGN_NOT_ACTIVE: "Only an ACTIVE campaign takes submissions; ask the operator about its status.",
  CAMPAIGN_NOT_FOUND: "matchbook campaigns lists yours.",
  CONNECTION_FAILED: "Check --base-url and that the service runs.",
  INTERNAL_ERROR: "Repeat it; if it stays, report it with the request id.",
  MERCHANT_APPLICATION_DUPLICATE: "Wait for the decision, or make another pair with matchbook keygen.",
  MERCHANT_AUTHORIZATION_EXPIRED: "matchbook doctor compares your clock with the server's.",
  MERCHANT_DOMAIN_LIMIT_REACHED: "Ask the operator to remove one.",
  MERCHANT_NOT_ACTIVE: "Wait for the approval, or contact the operator.",
  MERCHANT_NOT_REGISTERED: "Check that merchant id and address are of the same environment: matchbook profile list.",
  MERCHANT_SIGNATURE_INVALID: "matchbook doctor finds out why.",
  MERCHANT_SIGNATURE_TIMESTAMP_INVALID: "matchbook doctor compares your clock with the server's.",
  NO_QUALIFYING_WALLET: "matchbook wallets check shows which wallets qualify.",
  OVERLOADED: "Repeat it a little later.",
  PARTICIPANT_NOT_FOUND: "Submit data for the user first: matchbook help submit.",
  RATE_LIMITED: "Wait, then repeat it.",
  ROUTE_NOT_FOUND: "Only the sandbox has test helpers; otherwise check --base-url.",
  SERVICE_UNAVAILABLE: "Repeat it a little later.",
  TIMEOUT: "Repeat it; nothing is counted twice.",
};

/** One line: what happened and what to do next. A mistake of ours comes with its trace. */
export function explainError(error: unknown): string {
  if (error instanceof UsageError || error instanceof Failure) return printable(error.message);
  if (error instanceof KeyError) return `${error.message} matchbook doctor examines your setup.`;
  if (error instanceof MatchbookError) {
    const next = nextSteps[error.code];
    return next === undefined ? describeError(error) : `${describeError(error)} Next: ${next}`;
  }
  // The file system's own words are short and name the path.
  if (error instanceof Error && "syscall" in error) return `${error.message}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function describeError({ code, message, requestId, retryAfterMs }: MatchbookError): string {
  const wait = retryAfterMs === null ? "" : ` Retry after ${Math.ceil(retryAfterMs / 1_000)} s.`;
  const request = requestId === null ? "" : ` (request ${requestId})`;
  return printable(`${code}: ${message}${wait}${request}`);
}
