import type { Campaign } from "@matchbook/sdk";
import { formatAmount } from "./amounts.ts";
import { formatCsv } from "./csv.ts";
import { print, printJson, printTable } from "./output.ts";
import { replacePrivateFile } from "./private-files.ts";
import type { Refusal, SubmissionFile } from "./submission-file.ts";
import type { Entry } from "./submission-journal.ts";

const REFUSALS_PRINTED_MAX = 20;

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly refused: number;
}

export interface SubmissionReport {
  readonly path: string;
  readonly file: SubmissionFile;
  readonly entries: readonly Entry[];
  readonly campaign: Campaign;
}

/** Refused rows make the exit code 1: a nightly job must not pass over them in silence. */
export function reportSubmission({ path, file, entries, campaign }: SubmissionReport, asJson: boolean): void {
  const refusals = [...file.refusals, ...entries.filter((entry) => "code" in entry)].sort((a, b) => a.line - b.line);
  const count = (outcome: string) => entries.filter((entry) => "outcome" in entry && entry.outcome === outcome).length;
  const counts = { created: count("created"), updated: count("updated"), refused: refusals.length };
  const refusedPath = `${path}.refused.csv`;
  if (refusals.length > 0) writeRefusals(refusedPath, file, refusals);
  const { currentAmountTotal: committed, maxAmountTotal: budget } = campaign.perTradeProfitMatch;
  if (asJson) printJson({ rows: file.byLine.size, ...counts, refusals, committed });
  else {
    print(`${file.byLine.size} rows: ${describeCounts(counts)}.`);
    print(`Committed: ${formatAmount(committed)} of ${formatAmount(budget)}.`);
    if (refusals.length > 0) printRefusals(refusedPath, file, refusals);
  }
  if (refusals.length > 0) process.exitCode = 1;
}

export function describeCounts({ created, updated, refused }: Counts): string {
  return `${created} created, ${updated} updated, ${refused} refused`;
}

/** The same columns as the file, so that corrected rows can be submitted from it. */
function writeRefusals(path: string, file: SubmissionFile, refusals: readonly Refusal[]): void {
  const lines = refusals.map(({ line, code, message }) => {
    const row = file.byLine.get(line);
    return formatCsv([row?.merchantUserId ?? "", row?.profit ?? "", row?.wallets ?? "", line, code, message]);
  });
  const header = formatCsv(["merchantUserId", "profit", "wallets", "line", "code", "message"]);
  replacePrivateFile(path, header + lines.join(""));
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
