import { type Matchbook, MatchbookError } from "@matchbook/sdk";
import { formatAmount } from "./amounts.ts";
import { Failure } from "./command.ts";
import { formatCsv } from "./csv.ts";
import { describeError } from "./explain-error.ts";
import { note, print, printJson, printTable } from "./output.ts";
import { Pace } from "./pace.ts";
import { replacePrivateFile } from "./private-files.ts";
import { startProgress } from "./progress.ts";
import { type Refusal, readSubmissionFile, type SubmissionFile } from "./submission-file.ts";
import { type Entry, openJournal } from "./submission-journal.ts";
import { submitRows } from "./submit-rows.ts";

const REFUSALS_PRINTED_MAX = 20;

export interface SubmitFileOptions {
  readonly client: Matchbook;
  readonly campaignId: string;
  readonly path: string;
  readonly concurrency: number;
  readonly patienceMs: number;
  readonly restart: boolean;
  readonly json: boolean;
}

/** Submits every row of a CSV file, going on where an earlier run stopped, and reports what was refused. */
export async function submitFile({ client, campaignId, path, ...options }: SubmitFileOptions): Promise<void> {
  const file = readSubmissionFile(path);
  // A mistake in the campaign is told before the first row.
  const { status } = await client.campaigns.get(campaignId);
  if (status !== "ACTIVE") throw new Failure(`The campaign is ${status}; only an ACTIVE one takes submissions.`);

  const owner = { baseUrl: client.baseUrl, merchantId: client.merchantId, campaignId, sha256: file.sha256 };
  const journal = openJournal(`${path}.progress`, owner, options.restart);
  const answers = new Map<number, Entry>(journal.entries.map((entry) => [entry.line, entry]));
  if (answers.size > 0) note(`Going on after ${answers.size} rows that were answered before.`);
  const left = file.rows.filter(({ line }) => !answers.has(line));
  const progress = startProgress("Submitting", file.rows.length);
  const counts = { created: 0, updated: 0, refused: 0 };
  const count = (entry: Entry) => counts["code" in entry ? "refused" : entry.outcome]++;
  for (const entry of answers.values()) count(entry);
  const show = (remark = "") => progress.show(answers.size, `${describeCounts(counts)}${remark}`);
  try {
    await submitRows(left, {
      client,
      campaignId,
      concurrency: options.concurrency,
      pace: new Pace(options.patienceMs),
      answered(entry) {
        journal.append(entry);
        answers.set(entry.line, entry);
        count(entry);
        show();
      },
      waiting: ({ code }) => show(`, waiting (${code})`),
    });
  } catch (error) {
    if (!(error instanceof MatchbookError)) throw error;
    throw new Failure(
      `${describeError(error)} ${answers.size} of ${file.rows.length} rows were answered; repeat the command to go on.`,
    );
  } finally {
    journal.close();
  }

  progress.finish(describeCounts(counts));
  const refusedRows = [...answers.values()].filter((entry) => "code" in entry);
  const refusals = [...file.refusals, ...refusedRows].sort((a, b) => a.line - b.line);
  counts.refused = refusals.length;
  const refusedPath = refusals.length === 0 ? null : `${path}.refused.csv`;
  if (refusedPath !== null) writeRefusals(refusedPath, file, refusals);
  // Only now: until the report is written, a repeated command still knows everything.
  journal.remove();
  const { perTradeProfitMatch: terms } = await client.campaigns.get(campaignId);
  if (options.json) printJson({ rows: file.byLine.size, ...counts, refusals, committed: terms.currentAmountTotal });
  else {
    print(`${file.byLine.size} rows: ${describeCounts(counts)}.`);
    print(`Committed: ${formatAmount(terms.currentAmountTotal)} of ${formatAmount(terms.maxAmountTotal)}.`);
    if (refusedPath !== null) printRefusals(refusedPath, file, refusals);
  }
  if (refusals.length > 0) process.exitCode = 1;
}

interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly refused: number;
}

function describeCounts({ created, updated, refused }: Counts): string {
  return `${created} created, ${updated} updated, ${refused} refused`;
}

/** The same columns as the file, so that corrected rows can be submitted from it. */
function writeRefusals(path: string, file: SubmissionFile, refusals: readonly Refusal[]): void {
  const lines = refusals.map(({ line, code, message }) => {
    const row = file.byLine.get(line);
    return formatCsv([row?.merchantUserId ?? "", row?.profit ?? "", row?.wallets ?? "", line, code, message]);
  });
  replacePrivateFile(
    path,
    formatCsv(["merchantUserId", "profit", "wallets", "line", "code", "message"]) + lines.join(""),
  );
}

function printRefusals(path: string, file: SubmissionFile, refusals: readonly Refusal[]): void {
  print();
  printTable(
    ["LINE", "USER", "CODE", "MESSAGE"],
    refusals
      .slice(0, REFUSALS_PRINTED_MAX)
      .map(({ line, code, message }) => [String(line), file.byLine.get(line)?.merchantUserId ?? "", code, message]),
  );
  const more = refusals.length - REFUSALS_PRINTED_MAX;
  print(`${more > 0 ? `And ${more} more. ` : ""}All refused rows are in ${path}; correct them and submit that file.`);
}
