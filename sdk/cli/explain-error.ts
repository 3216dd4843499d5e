import { KeyError, MatchbookError } from "@matchbook/sdk";
import { settingsUsed } from "./client.ts";
import { Failure, Interrupted, UsageError } from "./command.ts";
import { isJson, printable } from "./output.ts";
import { program } from "./program.ts";
import { describeSettings, settingsJson } from "./settings.ts";

/** What to do next, for the codes where the message alone does not say it. */
const nextSteps: Readonly<Record<string, string>> = {
  CAMPAIGN_NOT_ACTIVE: "Only an ACTIVE campaign takes submissions; ask the operator about its status.",
  CAMPAIGN_NOT_FOUND: `${program} campaigns lists yours.`,
  CONNECTION_FAILED: "Check the address and that the service runs.",
  INTERNAL_ERROR: "Repeat it; if it stays, report it with the request id.",
  MERCHANT_APPLICATION_DUPLICATE: `If the key is yours, ${program} profile list may show its merchant id. Otherwise make another pair with ${program} keygen --out FILE.`,
  MERCHANT_AUTHORIZATION_EXPIRED: `${program} doctor compares your clock with the server's.`,
  MERCHANT_DOMAIN_LIMIT_REACHED: "Ask the operator to remove one.",
  MERCHANT_NOT_ACTIVE: "Wait for the approval, or contact the operator.",
  MERCHANT_NOT_REGISTERED: "Check that merchant id and address are of the same environment.",
  MERCHANT_SIGNATURE_INVALID: `${program} doctor finds out why.`,
  MERCHANT_SIGNATURE_TIMESTAMP_INVALID: `${program} doctor compares your clock with the server's.`,
  NO_QUALIFYING_WALLET: `${program} wallets check shows which wallets qualify.`,
  OVERLOADED: "Repeat it a little later.",
  PARTICIPANT_NOT_FOUND: `Submit data for the user first: ${program} help submit.`,
  RATE_LIMITED: "Wait, then repeat it.",
  ROUTE_NOT_FOUND: "Only the sandbox has test helpers; otherwise check the address.",
  SERVICE_UNAVAILABLE: "Repeat it a little later.",
  TIMEOUT: "Repeat it; nothing is counted twice.",
  WALLET_CLAIMED: "Submit the user without this wallet, or check whose it is.",
};

/** Refusals that a wrong address, merchant id, key or environment can cause. */
const SETTINGS_AT_FAULT =
  /^(MERCHANT_(AUTHORIZATION|NOT|SIGNATURE)_\w+|CAMPAIGN_NOT_FOUND|ROUTE_NOT_FOUND|CONNECTION_FAILED|TIMEOUT|REDIRECT_REFUSED|RESPONSE_INVALID)$/;

/** A long run that ended early. The message says what is done and how to go on; the cause, why it ended. */
export class Unfinished extends Error {}

/** What `--json` prints on standard error, as `error`. docs/integration.md describes it. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly next: string | null;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly settings: ReturnType<typeof settingsJson> | null;
}

export function reportError(error: unknown): ErrorReport {
  if (error instanceof Unfinished) return { ...reportError(error.cause), next: error.message };
  const report = { next: null, status: null, requestId: null, retryAfterMs: null, settings: null };
  if (error instanceof MatchbookError) {
    const { code, message, status, requestId, retryAfterMs } = error;
    const settings = SETTINGS_AT_FAULT.test(code) ? settingsUsed() : null;
    const next = nextSteps[code] ?? null;
    return { code, message, next, status, requestId, retryAfterMs, settings: settings && settingsJson(settings) };
  }
  const { message } = error instanceof Error ? error : { message: String(error) };
  if (error instanceof UsageError) return { code: "USAGE", message, ...report };
  if (error instanceof Interrupted) return { code: "INTERRUPTED", message, ...report };
  if (error instanceof KeyError) {
    return { code: "KEY_INVALID", message, ...report, next: `${program} doctor examines your setup.` };
  }
  // The file system's own words are short and name the path.
  if (error instanceof Error && "syscall" in error) return { code: "FAILED", message: `${message}.`, ...report };
  return { code: error instanceof Failure ? "FAILED" : "BUG", message, ...report };
}

/** Writes the error on standard error, and returns the exit code. */
export function printError(error: unknown): number {
  const report = reportError(error);
  process.stderr.write(isJson ? `${JSON.stringify({ error: report })}\n` : `matchbook: ${explain(report, error)}\n`);
  if (error instanceof Interrupted) return error.exitCode;
  return error instanceof UsageError ? 2 : 1;
}

/** One line: what happened and what to do next. A second one has the settings; a mistake of ours comes with its trace. */
function explain({ code, message, next }: ErrorReport, error: unknown): string {
  const inner = error instanceof Unfinished ? error.cause : error;
  if (code === "BUG") return inner instanceof Error ? (inner.stack ?? message) : message;
  const what = inner instanceof MatchbookError ? describeError(inner) : printable(message);
  const isOurs = inner instanceof MatchbookError || error instanceof Unfinished;
  const step = next === null ? "" : isOurs ? ` Next: ${next}` : ` ${next}`;
  const settings = inner instanceof MatchbookError && SETTINGS_AT_FAULT.test(code) ? settingsUsed() : null;
  return `${what}${step}${settings === null ? "" : `\n${printable(describeSettings(settings))}`}`;
}

export function describeError({ code, message, requestId, retryAfterMs }: MatchbookError): string {
  const wait = retryAfterMs === null ? "" : ` Retry after ${Math.ceil(retryAfterMs / 1_000)} s.`;
  const request = requestId === null ? "" : ` (request ${requestId})`;
  return printable(`${code}: ${message}${wait}${request}`);
}
