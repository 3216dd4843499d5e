// Judges each line of what an operator says about a run's rows. Either every line is good, or nothing is applied.
import { problemWithTransactionHash } from "@matchbook/addresses";
import type { ErrorCode } from "../../../http/errors.ts";
import type { PayoutRun, RowMove, RunRow } from "./record.ts";

export interface LineError {
  readonly index: number;
  readonly payoutId: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export interface SubmittedLine {
  readonly payoutId: string;
  readonly transactionHash: string;
}

export interface ResultLine {
  readonly payoutId: string;
  readonly status: "CONFIRMED" | "FAILED";
  readonly transactionHash?: string;
  readonly reason?: string;
}

export interface Judged {
  /** Lines that say what is already so move nothing: a request may be repeated. */
  readonly moves: readonly RowMove[];
  readonly errors: readonly LineError[];
}

type Verdict = RowMove | null | readonly [ErrorCode, string];

/** Rows that were sent, each in the transaction that is named. */
export function judgeSubmitted(run: PayoutRun, rows: readonly RunRow[], lines: readonly SubmittedLine[]): Judged {
  return judge(run, rows, lines, (row, { transactionHash }) => {
    if (row.status === "PENDING") return move(row, "SUBMITTED", transactionHash, null);
    if (row.status === "SUBMITTED" && isSame(row.transactionHash, transactionHash)) return null;
    const by = row.transactionHash === null ? "" : ` by ${row.transactionHash}`;
    return ["PAYOUT_TRANSITION_INVALID", `The payout is ${row.status}${by}; only a PENDING one can be submitted.`];
  });
}

/** What became of rows. */
export function judgeResults(run: PayoutRun, rows: readonly RunRow[], lines: readonly ResultLine[]): Judged {
  return judge(run, rows, lines, (row, { status, transactionHash = null, reason = null }) => {
    if (row.status === status && (transactionHash === null || isSame(row.transactionHash, transactionHash)))
      return null;
    const isOpen = row.status === "SUBMITTED" || (row.status === "PENDING" && status === "FAILED");
    if (!isOpen) {
      const rule = row.status === "PENDING" ? "submit it first" : "that is final";
      return ["PAYOUT_TRANSITION_INVALID", `The payout is ${row.status}; ${rule}.`];
    }
    // It is in the exported file, and owed again from now on: if somebody still sends the file, it is paid twice.
    if (row.status === "PENDING" && reason === null) {
      return ["VALIDATION_ERROR", "The payout was not submitted. Say in reason why it was not sent and never will be."];
    }
    return move(row, status, transactionHash, reason);
  });
}

/** Hexadecimal digits have no case. Other chains' hashes do. */
function isSame(one: string | null, other: string): boolean {
  return one === other || (other.startsWith("0x") && one?.toLowerCase() === other.toLowerCase());
}

function judge<Line extends { payoutId: string; transactionHash?: string }>(
  { chainId }: PayoutRun,
  rows: readonly RunRow[],
  lines: readonly Line[],
  judgeLine: (row: RunRow, line: Line) => Verdict,
): Judged {
  const rowOf = new Map(rows.map((row) => [row.payoutId, row]));
  const seen = new Set<string>();
  const moves: RowMove[] = [];
  const errors: LineError[] = [];
  for (const [index, line] of lines.entries()) {
    const payoutId = line.payoutId.toLowerCase();
    const verdict = seen.has(payoutId)
      ? (["VALIDATION_ERROR", "This payout is in an earlier line, too."] as const)
      : judgeRow(rowOf.get(payoutId), line);
    seen.add(payoutId);
    if (verdict === null) continue;
    if ("payoutId" in verdict) moves.push(verdict);
    else errors.push({ index, payoutId, code: verdict[0], message: verdict[1] });
  }
  return { moves, errors };

  function judgeRow(row: RunRow | undefined, line: Line): Verdict {
    if (row === undefined) return ["PAYOUT_NOT_FOUND", "The run has no such payout."];
    const { transactionHash } = line;
    const problem = transactionHash === undefined ? null : problemWithTransactionHash(transactionHash, chainId);
    return problem === null ? judgeLine(row, line) : ["VALIDATION_ERROR", `transactionHash ${problem}.`];
  }
}

function move(
  { payoutId, status: before }: RunRow,
  status: RowMove["status"],
  transactionHash: string | null,
  reason: string | null,
): RowMove {
  // One with a transaction hash was sent, even if no one recorded that before it failed.
  const cancelled = before === "PENDING" && status === "FAILED" && transactionHash === null;
  return { payoutId, status, cancelled, transactionHash, reason };
}
