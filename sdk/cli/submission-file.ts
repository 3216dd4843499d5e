import { createHash } from "node:crypto";
import type { SubmitRequest } from "@matchbook/sdk";
import { parseUsdc } from "./amounts.ts";
import { Failure } from "./command.ts";
import { type CsvRecord, parseCsv } from "./csv.ts";
import { readInput } from "./input-files.ts";
import { parseWalletOnChain, type Wallet } from "./wallets.ts";

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
  const bytes = readInput(path);
  const text = decode(path, bytes);
  const records = parseCsv(text);
  if ("brokenLine" in records) {
    const [first = ""] = text.split(/\r|\n/, 1);
    if (/"[;\t]"/.test(first)) throw new Failure(`${path} ${describeHeader([first], [])}`);
    throw new Failure(`The quotes in ${path} do not match from line ${records.brokenLine} on.`);
  }
  const [header, ...body] = records;
  const places = COLUMNS.map((name) => header?.fields.indexOf(name) ?? -1);
  const missing = COLUMNS.filter((_, index) => places[index] === -1);
  const repeated = COLUMNS.find((name) => header?.fields.indexOf(name) !== header?.fields.lastIndexOf(name));
  if (header === undefined) throw new Failure(`${path} is empty.`);
  if (missing.length > 0) throw new Failure(`${path} ${describeHeader(header?.fields ?? [], missing)}`);

  if (repeated !== undefined) throw new Failure(`${path} has the column ${repeated} twice.`);

  const rows: SubmissionRow[] = [];
  const refusals: Refusal[] = [];
  const byLine = new Map<number, Row>();
  const linesOfUser = new Map<string, number[]>();
  // With one field too many, a profit of 1,500 would count as 1.
  const odd = new Map<number, string>();
  for (const record of body) {
    const row = readRow(record, places);
    byLine.set(row.line, row);
    const count = record.fields.length;
    if (count !== header.fields.length) {
      odd.set(
        row.line,
        `the row has ${count} fields and the first line ${header.fields.length}. Put a number with commas in quotes.`,
      );
    }
    linesOfUser.set(row.merchantUserId, [...(linesOfUser.get(row.merchantUserId) ?? []), row.line]);
  }
  for (const row of byLine.values()) {
    const submission = odd.get(row.line) ?? readSubmission(row);
    const others = (linesOfUser.get(row.merchantUserId) ?? []).filter((line) => line !== row.line);
    if (typeof submission === "string") refusals.push({ line: row.line, code: "ROW_INVALID", message: submission });
    else if (others.length > 0) {
      // A match never falls, so neither row is sent: the wrong one could not be taken back.
      const message = `The user is also on line ${others.join(", ")}; give one row per user, with the whole profit.`;
      refusals.push({ line: row.line, code: "ROW_DUPLICATE", message });
    } else {
      rows.push({ ...row, submission });
    }
  }
  return { rows, refusals, byLine, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** What is wrong with the first line. Spreadsheets in many countries put semicolons between columns. */
function describeHeader(fields: readonly string[], missing: readonly string[]): string {
  const [other] = Object.entries({ semicolons: ";", tabs: "\t" }).filter(([, mark]) => fields.join("").includes(mark));
  if (other !== undefined) {
    return (
      `has ${other[0]} between its columns. Save it with commas, and with a point in decimals (12.34); semicolons only ` +
      "separate the wallets of one user."
    );
  }
  return `has no column ${missing.join(", ")}. Its first line must name the columns ${COLUMNS.join(", ")}.`;
}

function readRow({ line, fields }: CsvRecord, places: readonly number[]): Row {
  const [merchantUserId = "", profit = "", wallets = ""] = places.map((place) => fields[place] ?? "");
  return { line, merchantUserId, profit, wallets };
}

/** What to send, or why it cannot be sent. */
function readSubmission({ merchantUserId, profit, wallets }: Row): SubmitRequest | string {
  if (merchantUserId === "") return "merchantUserId is empty.";
  const amount = parseUsdc(profit);
  if (amount === null && /^-/.test(profit.trim())) return "profit cannot be negative. Submit 0 for a loss.";
  if (amount === null) return "profit must be USDC in decimals, such as 12.34, with at most 6 decimals.";
  const read: Wallet[] = [];
  for (const text of wallets.split(";")) {
    const wallet = parseWalletOnChain(text);
    if (typeof wallet === "string")
      return `wallets must be CHAIN:ADDRESS, with semicolons between them; ${text === "" ? "one" : text} ${wallet}.`;
    read.push(wallet);
  }
  return { merchantUserId, wallets: read, amount };
}

/** A user id in another encoding would become another user. */
function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(`${path} is not UTF-8. Save it in that encoding.`);
  }
}
