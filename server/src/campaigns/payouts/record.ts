// A payout as the rules read and return it.

import type { ParticipantFlag } from "../participants/receiver.ts";
import type { Token } from "../record.ts";
import type { FoundTransfer, ProofStatus } from "./proofs/record.ts";

export const PAYOUT_STATUSES = ["PENDING", "SUBMITTED", "CONFIRMED", "FAILED"] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export interface Payout {
  readonly id: string;
  /** The payout run it is part of. */
  readonly runId: string | null;
  /** Its place among the participant's payouts, from 1. */
  readonly ordinal: number;
  readonly status: PayoutStatus;
  /** It failed without ever being sent. */
  readonly cancelled: boolean;
  readonly amount: bigint;
  readonly chainId: number;
  readonly tokenAddress: string;
  readonly recipientAddress: string;
  readonly transactionHash: string | null;
  readonly failureReason: string | null;
  /** What was found on the chain. Null: nothing was looked up. */
  readonly proof: PayoutProof | null;
  readonly createDate: Date;
  readonly updateDate: Date;
  readonly statusHistory: readonly PayoutEvent[];
}

export interface PayoutProof {
  readonly status: ProofStatus;
  readonly found: FoundTransfer | null;
  readonly confirmations: number;
}

/** A payout in the list of all of them, with whose it is. */
export interface ListedPayout extends Payout, Token {
  readonly merchantId: string;
  readonly campaignId: string;
  readonly participantId: string;
  readonly merchantUserId: string;
  /** What a reviewer should look at, as it was when its run was made. */
  readonly flags: readonly ParticipantFlag[];
}

export type OwedGroup = "campaign" | "merchant" | "token";

/** What campaigns of one token owe. */
export interface OwedTotal extends Token {
  /** Null: of all merchants. */
  readonly merchantId: string | null;
  /** Null, like the date: of several campaigns. */
  readonly campaignId: string | null;
  readonly createDate: Date | null;
  readonly chainId: number;
  /** In the form of `addressKey`. */
  readonly tokenAddress: string;
  readonly campaigns: number;
  readonly matched: bigint;
  readonly open: bigint;
  readonly confirmed: bigint;
  readonly owed: bigint;
  /** What is owed by its age: one amount for each of `OWED_AGES_DAYS`, and what is older. */
  readonly ages: readonly bigint[];
}

export interface PayoutEvent {
  readonly status: PayoutStatus;
  readonly date: Date;
  readonly reason: string | null;
}
