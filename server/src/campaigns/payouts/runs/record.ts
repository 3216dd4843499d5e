// A payout run as the rules read and return it: one payment to many participants.
import type { ParticipantFlag } from "../../participants/receiver.ts";
import type { Token } from "../../record.ts";
import type { Payout, PayoutStatus } from "../record.ts";

export type RunStatus = "DRAFT" | "APPROVED" | "EXPORTED" | "SUBMITTED" | "SETTLED" | "CANCELLED";

export type ExportFormat = "csv" | "safe-airdrop" | "safe-builder" | "json";

export type LeftOutReason = "NO_RECEIVER" | "HELD" | "BELOW_MINIMUM";

/** A participant who is owed something and is not in the run. */
export interface LeftOut {
  /** Null in runs that were made before it was kept. */
  readonly campaignId: string | null;
  readonly participantId: string;
  readonly merchantUserId: string;
  readonly owed: bigint;
  readonly reason: LeftOutReason;
}

/** Who did it. The id is that of the operator token; null for the bootstrap token. */
export interface Person {
  readonly id: string | null;
  readonly name: string;
}

export interface PayoutRun extends Token {
  readonly merchantId: string;
  readonly id: string;
  /** Null: all campaigns of the merchant that pay this token. */
  readonly campaignId: string | null;
  readonly status: RunStatus;
  readonly chainId: number;
  readonly tokenAddress: string;
  readonly note: string | null;
  readonly pendingCount: number;
  readonly submittedCount: number;
  readonly confirmedCount: number;
  readonly failedCount: number;
  /** The sum of all its rows. It never changes. */
  readonly reserved: bigint;
  readonly confirmed: bigint;
  readonly failed: bigint;
  readonly leftOutCount: number;
  /** The first of them. */
  readonly leftOut: readonly LeftOut[];
  readonly createdBy: Person;
  readonly approvedBy: Person | null;
  readonly createDate: Date;
  readonly updateDate: Date;
}

/** What a row of a run pays. It never changes, so that every export has the same bytes. */
export interface RunPayment {
  readonly payoutId: string;
  readonly campaignId: string;
  readonly participantId: string;
  readonly merchantUserId: string;
  readonly recipientAddress: string;
  readonly amount: bigint;
  readonly flags: readonly ParticipantFlag[];
}

/** A row of a run as operators see it. */
export interface RunPayout extends Payout {
  readonly runPosition: number;
  readonly campaignId: string;
  readonly participantId: string;
  readonly merchantUserId: string;
  readonly flags: readonly ParticipantFlag[];
}

/** Where a row of a run stands. */
export interface RunRow {
  readonly payoutId: string;
  readonly status: PayoutStatus;
  readonly cancelled: boolean;
  readonly transactionHash: string | null;
}

/** A change of one row. */
export interface RowMove {
  readonly payoutId: string;
  readonly status: PayoutStatus;
  readonly cancelled: boolean;
  /** Null: the row keeps the one it has. */
  readonly transactionHash: string | null;
  readonly reason: string | null;
}
