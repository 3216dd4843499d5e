import { max } from "../amounts.ts";

export type ParticipantStatus = "QUALIFIED" | "MATCHED" | "PAID" | "FAILED";
export type PayoutStatus = "PENDING" | "SUBMITTED" | "CONFIRMED" | "FAILED";

/** What a participant's status is made of. Nothing else decides it, so a submission and a payout agree. */
export interface Standing {
  readonly matched: bigint;
  readonly payoutsOpen: bigint;
  readonly payoutsConfirmed: bigint;
  /** Whether the payout that was recorded last has failed. */
  readonly lastPayoutFailed: boolean;
}

/** A match that is raised after it was paid is MATCHED again: the difference is owed. */
export function participantStatus(standing: Standing): ParticipantStatus {
  const { matched, payoutsOpen, payoutsConfirmed, lastPayoutFailed } = standing;
  if (matched === 0n) return "QUALIFIED";
  if (payoutsConfirmed >= matched) return "PAID";
  return lastPayoutFailed && payoutsOpen === 0n ? "FAILED" : "MATCHED";
}

/** What is still to be paid. Open payouts are on their way and count as paid. */
export function owed({ matched, payoutsOpen, payoutsConfirmed }: Standing): bigint {
  return max(0n, matched - payoutsOpen - payoutsConfirmed);
}
