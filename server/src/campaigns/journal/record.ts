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
}
