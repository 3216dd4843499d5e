import { type Matchbook, MatchbookError } from "@matchbook/sdk";
import type { Pace } from "./pace.ts";
import type { SubmissionRow } from "./submission-file.ts";
import type { Entry } from "./submission-journal.ts";

export interface SubmitRowsOptions {
  readonly client: Matchbook;
  readonly campaignId: string;
  readonly concurrency: number;
  readonly pace: Pace;
  /** Ends the run; calls in progress are dropped. Sending their rows again changes nothing. */
  readonly signal?: AbortSignal;
  /** Called with every answer, in the order in which they come. */
  answered(entry: Entry): void;
}

/**
 * Submits all rows, a limited number of them in parallel. A row that the service refuses is an answer like any other; an error
 * that no row is to blame for ends the whole run, after the calls in progress have been answered and noted.
 */
export async function submitRows(rows: readonly SubmissionRow[], options: SubmitRowsOptions): Promise<void> {
  const queue = rows.values();
  let failed = false;
  const work = async () => {
    // One iterator feeds all of them, so each row is taken once.
    for (const row of queue) {
      if (failed) return;
      try {
        options.answered(await submitRow(row, options));
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: options.concurrency }, work));
  const failure = results.find((result) => result.status === "rejected");
  if (failure !== undefined) throw failure.reason;
}

async function submitRow({ line, submission }: SubmissionRow, options: SubmitRowsOptions): Promise<Entry> {
  const { client, campaignId, pace, signal } = options;
  try {
    const { created } = await pace.run(() => client.participants.submit(campaignId, submission, { signal }));
    return { line, outcome: created ? "created" : "updated" };
  } catch (error) {
    if (!(error instanceof MatchbookError) || !isRowAtFault(error)) throw error;
    return { line, code: error.code, message: error.message };
  }
}

/** A malformed header is a VALIDATION_ERROR too, but the client that made the header makes no such thing. */
function isRowAtFault({ code }: MatchbookError): boolean {
  return ["VALIDATION_ERROR", "NO_QUALIFYING_WALLET", "WALLET_CLAIMED", "BODY_TOO_LARGE"].includes(code);
}
