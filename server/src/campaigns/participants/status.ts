import { max } from "../../amounts.ts";

export type ParticipantStatus = "QUALIFIED" | "MATCHED" | "PAID" | "FAILED";

/** What decides a participant's status. Submissions and payouts both use it, so they agree. */
export interface Balance {
  readonly matched: bigint;
  readonly payoutsOpen: bigint;
  readonly payoutsConfirmed: bigint;
  /** Whether the payout that was recorded last has failed. Cancelled ones do not count. */
  readonly lastPayoutFailed: boolean;
}

/** Of payouts in the order they were recorded. A payout that was cancelled was never sent, so it decides nothing. */
export function hasLastFailed(payouts: readonly { readonly status: string; readonly cancelled: boolean }[]): boolean {
  return payouts.findLast(({ cancelled }) => !cancelled)?.status === "FAILED";
}

/** A match that rises after it was paid is MATCHED again: the difference is owed. */
export function participantStatus(balance: Balance): ParticipantStatus {
  const { matched, payoutsOpen, payoutsConfirmed, lastPayoutFailed } = balance;
  if (matched === 0n) return "QUALIFIED";
  if (payoutsConfirmed >= matched) return "PAID";
  return lastPayoutFailed && payoutsOpen === 0n ? "FAILED" : "MATCHED";
}

/** What is still to be paid. Open payouts count as paid. */
export function owed({ matched, payoutsOpen, payoutsConfirmed }: Balance): bigint {
  return max(0n, matched - payoutsOpen - payoutsConfirmed);
}
