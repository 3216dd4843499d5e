// What a participant is, between the database and the answer.
import type { ParticipantStatus, PayoutStatus, Standing } from "./status.ts";

/** What two wallets are compared by. */
export interface WalletKey {
  readonly addressKey: string;
  readonly chainId: number;
}

/** A wallet of a participant. Its date is live: null while no deposit qualifies it. */
export interface Wallet extends WalletKey {
  readonly address: string;
  readonly qualifiedDate: Date | null;
}

export interface Participant extends Standing {
  readonly id: string;
  readonly merchantUserId: string;
  readonly status: ParticipantStatus;
  /** The earliest qualifying deposit as the last submission saw it. It outlives the deposit. */
  readonly qualifiedDate: Date;
  readonly profit: bigint;
  readonly cap: bigint;
  readonly payoutsCount: number;
  readonly createDate: Date;
  readonly updateDate: Date;
  readonly wallets: readonly Wallet[];
  readonly payouts: readonly PayoutRecord[];
}

export interface PayoutRecord {
  readonly id: string;
  readonly status: PayoutStatus;
  readonly amount: string;
  readonly chainId: number;
  readonly tokenAddress: string;
  readonly recipientAddress: string;
  readonly transactionHash: string | null;
  readonly failureReason: string | null;
  readonly createDate: string;
  readonly updateDate: string;
  readonly statusHistory: readonly { status: PayoutStatus; date: string; reason: string | null }[];
}

/** A deposit that came to be known later may be earlier than any known before. */
export function earliest(known: Date, wallets: readonly Wallet[]): Date {
  let date = known;
  for (const { qualifiedDate } of wallets) if (qualifiedDate !== null && qualifiedDate < date) date = qualifiedDate;
  return date;
}

export function walletKey({ addressKey, chainId }: WalletKey): string {
  return `${chainId}/${addressKey}`;
}
