// Deposits and users as the rules work with them. `present.ts` turns them into answers.

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

/** A deposit that is only shown: its amount and its dates stay the texts that were read. */
export type ShownDeposit = Omit<Deposit, "amountMicros" | "createDate" | "updateDate"> &
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
