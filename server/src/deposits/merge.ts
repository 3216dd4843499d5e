// What a deposit becomes when events about it arrive late, twice or in the wrong order: decision 24 as pure functions.
//
// Of two events about one deposit the greater stands, in the total order of `compareEvents`. Taking the greater of two is
// commutative, associative and idempotent, so every order and batching of the same events ends in the same deposit.
import assert from "node:assert";
import { addressKey } from "../chains.ts";

export type DepositStatus = "pending" | "completed" | "failed";

export const DEPOSIT_STATUSES: readonly DepositStatus[] = ["pending", "completed", "failed"];

/** The hosted flow's own states, and what each is reported as. */
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

/** A deposit as an event reports it, and as it is stored: an event says everything there is to know. */
export interface Deposit {
  readonly merchantId: string;
  readonly id: string;
  readonly userId: string;
  readonly status: DepositStatus;
  readonly amountMicros: bigint;
  readonly chainId: number;
  readonly tokenSymbol: string;
  readonly tokenAddress: string;
  readonly walletAddress: string;
  readonly createDate: Date;
  readonly updateDate: Date;
}

export type Outcome = "created" | "updated" | "unchanged" | "stale";

// Final beats pending, and completed beats failed.
const RANK: Readonly<Record<DepositStatus, number>> = { pending: 0, failed: 1, completed: 2 };

/** Which of two events stands: the newer; at one time the more final; at one status the larger amount. */
export function compareEvents(a: Deposit, b: Deposit): number {
  return (
    a.updateDate.getTime() - b.updateDate.getTime() ||
    RANK[a.status] - RANK[b.status] ||
    (a.amountMicros < b.amountMicros ? -1 : a.amountMicros > b.amountMicros ? 1 : 0)
  );
}

/** What an event says differently about a part of the deposit that never changes, by its name in the API. */
export function findConflict(stored: Deposit, event: Deposit): string | null {
  if (stored.userId !== event.userId) return "payerId";
  if (stored.chainId !== event.chainId) return "chainId";
  if (addressKey(stored.walletAddress) !== addressKey(event.walletAddress)) return "embeddedWalletAddress";
  if (stored.tokenSymbol !== event.tokenSymbol) return "token.symbol";
  if (addressKey(stored.tokenAddress) !== addressKey(event.tokenAddress)) return "token.address";
  if (stored.createDate.getTime() !== event.createDate.getTime()) return "createDate";
  return null;
}

/** One event on what is stored, if anything is. Addresses keep the spelling they were first reported with. */
export function applyEvent(stored: Deposit | null, event: Deposit): { deposit: Deposit; outcome: Outcome } {
  if (stored === null) return { deposit: event, outcome: "created" };
  assert(stored.merchantId === event.merchantId && stored.id === event.id);
  const order = compareEvents(event, stored);
  if (order < 0) return { deposit: stored, outcome: "stale" };
  if (order === 0) return { deposit: stored, outcome: "unchanged" };
  const { status, amountMicros, updateDate } = event;
  return { deposit: { ...stored, status, amountMicros, updateDate }, outcome: "updated" };
}
