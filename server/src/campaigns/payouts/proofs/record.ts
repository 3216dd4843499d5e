// What is known of payouts on a chain, as the rules read and return it. Addresses and hashes are in lower case here.
import type { PayoutStatus } from "../record.ts";

/** A Transfer event of a token contract. */
export interface Transfer {
  /** Its place in the block. With the chain and the transaction it names the event. */
  readonly logIndex: number;
  readonly tokenAddress: string;
  readonly recipientAddress: string;
  readonly amount: bigint;
}

/** What a transaction did, in the block that it is in now. */
export interface Receipt {
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly isReverted: boolean;
  readonly transfers: readonly Transfer[];
}

/** A payout that says it was paid by a transaction. */
export interface Claim {
  readonly merchantId: string;
  readonly payoutId: string;
  readonly campaignId: string;
  readonly participantId: string;
  readonly runId: string | null;
  readonly status: PayoutStatus;
  readonly proofStatus: ProofStatus | null;
  /** Null: a row of a run that was submitted with several transactions. Any of them may have paid it. */
  readonly transactionHash: string | null;
  readonly tokenAddress: string;
  readonly recipientAddress: string;
  readonly amount: bigint;
}

export const PROOF_STATUSES = ["PROVEN", "PENDING", "MISMATCH", "REVERTED"] as const;
export type ProofStatus = (typeof PROOF_STATUSES)[number];

/** The ones that a list can be filtered by. Proven payouts are nearly all there are: one merchant's could only be found among all. */
export const LISTED_PROOF_STATUSES = ["PENDING", "MISMATCH", "REVERTED"] as const satisfies readonly ProofStatus[];
export type ListedProofStatus = (typeof LISTED_PROOF_STATUSES)[number];

/** The transfer that proves a payout, or the one that comes closest. */
export interface FoundTransfer {
  readonly tokenAddress: string;
  readonly recipientAddress: string;
  /** In the token's smallest unit. */
  readonly amount: string;
  readonly logIndex: number;
  /** It proves another payout, so it cannot prove this one. */
  readonly isUsed: boolean;
}

/** A transaction that payouts wait for. */
export interface ChainTransaction {
  readonly hash: string;
  /** The block that it was in at the last look. */
  readonly blockHash: string | null;
  /** When the look was planned for. */
  readonly lookDate: Date;
  readonly createDate: Date;
}
