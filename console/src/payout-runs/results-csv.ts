import type { Schemas } from "../api/client.ts";
import { UUID } from "../ui/uuid.ts";

// Reads the results of a run from a CSV or from cells that were copied from a spreadsheet.

export type Result = Schemas["PayoutResultsRequest"]["results"][number];

export interface LineProblem {
  /** Of the text, counted from 1, where the record starts. */
  readonly line: number;
  readonly message: string;
}

interface ReadResults {
  readonly results: readonly Result[];
  /** The line of each result. */
  readonly lines: readonly number[];
  readonly problems: readonly LineProblem[];
}

type ColumnName = "payoutId" | "status" | "transactionHash" | "reason";

const NO_HEADER: readonly ColumnName[] = ["payoutId", "status", "transactionHash", "reason"];
const COLUMN_OF: Record<string, ColumnName> = {
  payoutid: "payoutId",
  status: "status",
  transactionhash: "transactionHash",
  hash: "transactionHash",
  reason: "reason",
};

/**
 * Without a line of names the columns are payout id, status, hash and reason. With one they may stand in any order among others,
 * so that an exported CSV with a status column can be read.
 */
export function readResults(text: string): ReadResults {
  const [first, ...others] = recordsOf(text);
  if (first === undefined) return { results: [], lines: [], problems: [] };
  const named = first.cells.map((name) => COLUMN_OF[name.toLowerCase().replaceAll(/[^a-z]/g, "")]);
  const hasHeader = named.includes("payoutId");
  const columns = hasHeader ? named : NO_HEADER;
  if (hasHeader && !named.includes("status")) {
    return { results: [], lines: [], problems: [{ line: first.line, message: "There is no column named status." }] };
  }
  const results: Result[] = [];
  const lines: number[] = [];
  const problems: LineProblem[] = [];
  for (const { cells, line } of hasHeader ? others : [first, ...others]) {
    const cell = (name: ColumnName) => cells[columns.indexOf(name)] ?? "";
    const payoutId = cell("payoutId").toLowerCase();
    const status = cell("status").toUpperCase();
    const [transactionHash, reason] = [cell("transactionHash"), cell("reason")];
    if (!UUID.test(payoutId)) problems.push({ line, message: "The first value is not a payout id." });
    else if (status !== "CONFIRMED" && status !== "FAILED") {
      problems.push({ line, message: "The status must be CONFIRMED or FAILED." });
    } else {
      results.push({
        payoutId,
        status,
        ...(transactionHash !== "" && { transactionHash }),
        ...(reason !== "" && { reason }),
      });
      lines.push(line);
    }
  }
  return { results, lines, problems };
}

interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Cells may be quoted, and a quoted one may have separators, line breaks and doubled quotes. Empty lines are skipped. */
function recordsOf(text: string): CsvRecord[] {
  const separator = separatorOf(text);
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let line = 1;
  let start = 1;
  const endCell = () => {
    cells.push(cell.trim());
    cell = "";
  };
  const endRecord = () => {
    endCell();
    if (cells.some((one) => one !== "")) records.push({ cells, line: start });
    cells = [];
  };
  // Without the mark that spreadsheets put at the start of a file.
  const characters = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    if (character === "\n") line++;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (characters[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === "") {
      isQuoted = true;
      cell = "";
    } else if (character === separator) endCell();
    else if (character === "\n") {
      endRecord();
      start = line;
    } else cell += character;
  }
  endRecord();
  return records;
}

/** Copied cells have tabs between them. Spreadsheets write semicolons where commas are decimal points. */
function separatorOf(text: string): string {
  const [first = ""] = text.trimStart().split("\n", 1);
  return ["\t", ",", ";"].find((one) => first.includes(one)) ?? ",";
}
