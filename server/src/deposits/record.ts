// Deposits and users as the rules work with them. `present.ts` turns them into answers.

export interface DepositKey {
  readonly merchantId: string;
  readonly id: string;
}

export type DepositStatus = "pending" | "completed" | "failed";

export const DEPOSIT_STATUSES: readonly DepositStatus[] = ["pending", "completed", "failed"];

/** A deposit as it is stored, and as an event reports it: each event holds the whole deposit. */
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

/** A deposit with what operators said about it. */
export interface StoredDeposit extends Deposit {
  /** What the hosted flow reports where an operator set the status. Null: the status is the flow's. */
  readonly reportedStatus: DepositStatus | null;
}

/** A deposit that is only shown: its amount and its dates stay the texts that were read. */
export type ShownDeposit = Omit<StoredDeposit, "amountMicros" | "createDate" | "updateDate"> &
  Readonly<Record<"amountMicros" | "createDate" | "updateDate", string>>;

export interface Bucket {
  count: number;
  micros: bigint;
}

/** The number and sum of a user's deposits in each status, and how many wallets they went to; or what a batch adds to them. */
export interface UserFigures extends Record<DepositStatus, Bucket> {
  readonly userId: string;
  walletCount: number;
  firstDepositDate: Date;
  lastDepositDate: Date;
}

/** Someone who deposited with a merchant, as the users list shows them. */
export interface DepositUser extends UserFigures {
  /** The distinct wallets that the user deposited into first. There may be more. */
  readonly wallets: readonly EmbeddedWallet[];
}

/** A wallet that a user deposited into, as first reported. */
export interface EmbeddedWallet {
  readonly address: string;
  readonly chainId: number;
}

/** What became of an event, or what an operator did: `overruled` the state, or `released` it to the flow again. */
export const EVENT_OUTCOMES = ["created", "updated", "unchanged", "stale", "refused", "overruled", "released"] as const;

/** Who sent deposits, and when they came. */
export interface DepositBatch {
  /** That of the request. A batch that came another way has an id of its own. */
  readonly id: string;
  readonly date: Date;
  readonly actor: string;
}

/** An event about a deposit as it is kept. */
export interface KeptEvent {
  readonly merchantId: string;
  readonly depositId: string;
  /** Its place among the deposit's events. Null: after those that are there. */
  readonly ordinal: number | null;
  readonly outcome: (typeof EVENT_OUTCOMES)[number];
  /** What the event says. Null for one that changed nothing, and for what an operator says nothing about. */
  readonly status: DepositStatus | null;
  readonly amountMicros: bigint | null;
  readonly updateDate: Date | null;
  /** Why it was refused. */
  readonly code: string | null;
  /** Why it was refused, or why an operator changed the state. */
  readonly reason: string | null;
}

/** A kept event that is only shown. */
export interface ShownEvent extends Pick<KeptEvent, "outcome" | "status" | "code" | "reason"> {
  readonly ordinal: number;
  readonly batchId: string;
  readonly date: string;
  readonly actor: string;
  readonly amountMicros: string | null;
  readonly updateDate: string | null;
}
