import type { Schemas } from "../api/client.ts";
import { formatCount } from "../ui/format.ts";

export type Run = Schemas["PayoutRun"];

export const RUN_STATUSES: readonly Run["status"][] = [
  "DRAFT",
  "APPROVED",
  "EXPORTED",
  "SUBMITTED",
  "SETTLED",
  "CANCELLED",
];

/** Where a run stands, and what comes next. */
export const NEXT_STEPS: Record<Run["status"], string> = {
  DRAFT:
    "Draft: the amounts are reserved. Look at the totals, the flags and who was left out. Then approve the run, or cancel it.",
  APPROVED: "Approved: download the file that pays the run. From then on it counts as possibly sent.",
  EXPORTED: "Exported: pay the file, then mark the run as submitted with its transaction hash.",
  SUBMITTED: "Submitted: wait until the transactions are final, then import what became of the payouts.",
  SETTLED: "Settled: no payout is open. What failed is owed again, and the next run takes it.",
  CANCELLED: "Cancelled: nothing was sent. What it had reserved is owed again.",
};

/** "1 payout" or "1,234 payouts". */
export function counted(count: number, one: string): string {
  return `${formatCount(count)} ${count === 1 ? one : `${one}s`}`;
}
