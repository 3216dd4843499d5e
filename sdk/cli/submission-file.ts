import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { SubmitRequest } from "@matchbook/sdk";
import { parseUsdc } from "./amounts.ts";
import { Failure } from "./command.ts";
import { type CsvRecord, parseCsv } from "./csv.ts";
import { parseWallet } from "./wallets.ts";

export interface Row {
  /** The line it begins on; it names the row in reports and in the notes of what is done. */
  readonly line: number;
  readonly merchantUserId: string;
  readonly profit: string;
  readonly wallets: string;
}

export interface SubmissionRow extends Row {
  readonly submission: SubmitRequest;
}

export interface Refusal {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface SubmissionFile {
  readonly rows: readonly SubmissionRow[];
  /** Rows that cannot be sent at all. */
  readonly refusals: readonly Refusal[];
  /** Every row by its line, for the report. */
  readonly byLine: ReadonlyMap<number, Row>;
  /** A file that changed is another file. */
  readonly sha256: string;
}

const COLUMNS = ["merchantUserId", "profit", "wallets"] as const;

/** Reads and checks the whole file before anything is sent. */
export function readSubmissionFile(path: string): SubmissionFile {
  const bytes = readBytes(path);
  const records = parseCsv(decode(path, bytes));
  if ("brokenLine" in records)
    throw new Failure(`The quotes in ${path} do not match from line ${records.brokenLine} on.`);
  const [header, ...body] = records;
  const places = COLUMNS.map((name) => header?.fields.indexOf(name) ?? -1);
  if (places.includes(-1)) {
    throw new Failure(`${path} must begin with a line that names the columns ${COLUMNS.join(", ")}.`);
  }

  const rows: SubmissionRow[] = [];
  const refusals: Refusal[] = [];
  const byLine = new Map<number, Row>();
  const lineOfUser = new Map<string, number>();
  for (const record of body) {
    const row = readRow(record, places);
    byLine.set(row.line, row);
    const submission = readSubmission(row);
    const earlier = lineOfUser.get(row.merchantUserId);
    if (typeof submission === "string") refusals.push({ line: row.line, code: "ROW_INVALID", message: submission });
    else if (earlier !== undefined) {
      // A submission replaces the user's amount and rows are sent side by side, so two rows have no certain outcome.
      const message = `The user is already on line ${earlier}; give one row per user, with the whole profit.`;
      refusals.push({ line: row.line, code: "ROW_DUPLICATE", message });
    } else {
      lineOfUser.set(row.merchantUserId, row.line);
      rows.push({ ...row, submission });
    }
  }
  return { rows, refusals, byLine, sha256: createHash("sha256").update(bytes).digest("hex") };
}

function readRow({ line, fields }: CsvRecord, places: readonly number[]): Row {
  const [merchantUserId = "", profit = "", wallets = ""] = places.map((place) => fields[place] ?? "");
  return { line, merchantUserId, profit, wallets };
}

/** What to send, or why it cannot be sent. */
function readSubmission({ merchantUserId, profit, wallets }: Row): SubmitRequest | string {
  if (merchantUserId === "") return "merchantUserId is empty.";
  const amount = parseUsdc(profit);
  if (amount === null) return "profit must be USDC in decimals, such as 12.34, with at most 6 decimals.";
  const read = wallets.split(";").map(parseWallet);
  const valid = read.filter((wallet) => wallet !== null);
  if (valid.length < read.length) return "wallets must be chain:address, several of them separated by semicolons.";
  return { merchantUserId, wallets: valid, amount };
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new Failure(`The file ${path} cannot be read.`);
  }
}

/** A user id in another encoding would become another user. */
function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(`${path} is not UTF-8. Save it in that encoding.`);
  }
}
