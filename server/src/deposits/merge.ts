// What a deposit becomes when events about it arrive late, twice or out of order (rule 24 in docs/decisions/0001).
//
// Of two events about one deposit the greater wins, in the total order of `compareEvents`. Taking the greater of two is
// commutative, associative and idempotent, so every order and batching of the same events gives the same deposit.
import assert from "node:assert";
import { addressKey } from "@matchbook/addresses/chains";
import type { Deposit, DepositStatus, StoredDeposit } from "./record.ts";

/** The hosted flow's states, and the status that each is reported as. */
export const STATUS_OF_STATE = {
  CREATED: "pending",
  REQUIRES_AUTHORIZATION: "pending",
  AUTHORIZED: "pending",
  PENDING: "pending",
  COMPLETED: "completed",
  FAILED: "failed",
  EXPIRED: "failed",
} as const satisfies Record<string, DepositStatus>;

export type DepositState = keyof typeof STATUS_OF_STATE;

export type EventOutcome = "created" | "updated" | "unchanged" | "stale";

// Final beats pending, and completed beats failed.
const RANK: Readonly<Record<DepositStatus, number>> = { pending: 0, failed: 1, completed: 2 };

/** Which of two events wins: the newer one. At the same time the more final one, and in the same status the larger amount. */
export function compareEvents(a: Deposit, b: Deposit): number {
  return (
    a.updateDate.getTime() - b.updateDate.getTime() ||
    RANK[a.status] - RANK[b.status] ||
    (a.amountMicros < b.amountMicros ? -1 : a.amountMicros > b.amountMicros ? 1 : 0)
  );
}

/** The API's name of the first field that an event contradicts although it never changes, or null. */
export function findConflict(stored: Deposit, event: Deposit): string | null {
  if (stored.userId !== event.userId) return "payerId";
  if (stored.chainId !== event.chainId) return "chainId";
  if (addressKey(stored.walletAddress) !== addressKey(event.walletAddress)) return "embeddedWalletAddress";
  if (stored.tokenSymbol !== event.tokenSymbol) return "token.symbol";
  if (addressKey(stored.tokenAddress) !== addressKey(event.tokenAddress)) return "token.address";
  if (stored.createDate.getTime() !== event.createDate.getTime()) return "createDate";
  return null;
}

/**
 * Applies one event to the stored deposit, or to null. Addresses keep the spelling of the first event. A status that an operator
 * set stays: the event then changes only what the flow reports.
 */
export function applyEvent(
  stored: StoredDeposit | null,
  event: Deposit,
): { deposit: StoredDeposit; outcome: EventOutcome } {
  if (stored === null) return { deposit: { ...event, reportedStatus: null }, outcome: "created" };
  assert(stored.merchantId === event.merchantId && stored.id === event.id);
  const order = compareEvents(event, { ...stored, status: stored.reportedStatus ?? stored.status });
  if (order < 0) return { deposit: stored, outcome: "stale" };
  if (order === 0) return { deposit: stored, outcome: "unchanged" };
  const { status, amountMicros, updateDate } = event;
  const change = stored.reportedStatus === null ? { status } : { reportedStatus: status };
  return { deposit: { ...stored, ...change, amountMicros, updateDate }, outcome: "updated" };
}

/** What the deposit becomes when an operator sets its status, or by null leaves it to the flow again. The same object: no change. */
export function overrule(stored: StoredDeposit, status: DepositStatus | null): StoredDeposit {
  const { reportedStatus } = stored;
  if (status === null) {
    return reportedStatus === null ? stored : { ...stored, status: reportedStatus, reportedStatus: null };
  }
  if (reportedStatus === null) return { ...stored, status, reportedStatus: stored.status };
  return stored.status === status ? stored : { ...stored, status };
}
