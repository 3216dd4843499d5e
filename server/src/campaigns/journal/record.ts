import type { WalletKey } from "../../qualification/record.ts";
import type { Clamp } from "../submissions/match.ts";

/** An accepted submission and what it changed. Rows are never changed. */
export interface JournalEntry {
  /** Its place in the campaign's journal, from 1. */
  readonly position: number;
  readonly submissionId: string;
  readonly participantId: string;
  readonly merchantUserId: string;
  /** Whether this submission created the participant. */
  readonly created: boolean;
  readonly profit: bigint;
  /** The cap and the budget at the time. Operators may raise both later. */
  readonly cap: bigint;
  readonly maxAmountTotal: bigint;
  readonly delta: bigint;
  readonly matchAfter: bigint;
  readonly committedAfter: bigint;
  readonly clampedBy: Clamp | null;
  readonly date: Date;
  /** Null for submissions from before the journal kept it. */
  readonly evidence: Evidence | null;
}

/** Why a submission was accepted, and where it made its participant be paid. */
export interface Evidence {
  /** The wallets that it named, in its order. */
  readonly wallets: readonly NamedWallet[];
  /** The first of them that qualified, and the `createDate` of the deposit that it qualified by. */
  readonly qualifiedOrdinal: number;
  readonly qualifiedDate: Date;
  /** The wallet that this submission made the receiver, perhaps one that an earlier submission named. */
  readonly receiver: NamedWallet | null;
}

export interface NamedWallet extends WalletKey {
  /** As the participant's first submission with it spelled it, or as this one does. */
  readonly address: string;
  /** Its place among the participant's wallets. */
  readonly ordinal: number;
}

/** The last link of a campaign's chain. */
export interface JournalHead {
  /** 0: nothing is chained yet. */
  readonly keyVersion: number;
  readonly digest: Buffer;
}
