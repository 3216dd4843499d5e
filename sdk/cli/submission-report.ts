import { rmSync } from "node:fs";
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
  /** Users without a qualifying deposit. In a nightly run they are normal. */
  readonly notQualified: number;
  readonly refused: number;
}

export interface SubmissionReport {
  readonly path: string;
  readonly file: SubmissionFile;
  readonly entries: readonly Entry[];
  /** How many of the entries an earlier run noted. */
  readonly answeredBefore: number;
  readonly campaign: Campaign;
}

export interface ReportOptions {
  readonly json: boolean;
  readonly strict: boolean;
}

/** Refused rows make the exit code 1: they are mistakes. With --strict, so do users who do not qualify. */
export function reportSubmission(report: SubmissionReport, { json, strict }: ReportOptions): void {
  const { path, file, entries, answeredBefore, campaign } = report;
  const refusals = [...file.refusals, ...entries.filter((entry) => "code" in entry)].sort((a, b) => a.line - b.line);
  const counts = countEntries([...file.refusals, ...entries]);
  const refusedPath = `${path}.refused.csv`;
  // A file of an earlier run would look like a result of this one.
  if (refusals.length > 0) writeRefusals(refusedPath, file, refusals);
  else rmSync(refusedPath, { force: true });
  const { currentAmountTotal: committed, maxAmountTotal: budget } = campaign.perTradeProfitMatch;
  if (json) printJson({ rows: file.byLine.size, ...counts, answeredBefore, refusals, committed });
  else {
    print(`${file.byLine.size} ${file.byLine.size === 1 ? "row" : "rows"}: ${describeCounts(counts)}.`);
    print(`Committed: ${formatAmount(committed)} of ${formatAmount(budget)}.`);
    if (refusals.length > 0) printRefusals(refusedPath, file, refusals);
  }
  if (counts.refused > 0 || (strict && counts.notQualified > 0)) process.exitCode = 1;
}

export function countEntries(entries: Iterable<Entry>): Counts {
  const counts = { created: 0, updated: 0, notQualified: 0, refused: 0 };
  for (const entry of entries) counts[kindOf(entry)]++;
  return counts;
}

export function kindOf(entry: Entry): keyof Counts {
  if ("outcome" in entry) return entry.outcome;
  return entry.code === "NO_QUALIFYING_WALLET" ? "notQualified" : "refused";
}

export function describeCounts({ created, updated, notQualified, refused }: Counts): string {
  return `${created} created, ${updated} updated, ${notQualified} not qualified, ${refused} refused`;
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
  const fix = countEntries(refusals).refused === 0 ? "" : " Correct the refused ones and submit that file.";
  print(`${more > 0 ? `And ${more} more. ` : ""}All of them are in ${path}.${fix}`);
}
