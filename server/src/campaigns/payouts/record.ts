// A payout as the rules read and return it.
import type { FoundTransfer, ProofStatus } from "./proofs/record.ts";

export type PayoutStatus = "PENDING" | "SUBMITTED" | "CONFIRMED" | "FAILED";

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

export interface PayoutEvent {
  readonly status: PayoutStatus;
  readonly date: Date;
  readonly reason: string | null;
}
