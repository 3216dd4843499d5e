// A participant as the rules read and return it.
import type { WalletKey } from "../../qualification/record.ts";
import type { Payout } from "../payouts/record.ts";
import type { Receiver } from "./receiver.ts";
import type { Balance, ParticipantStatus } from "./status.ts";

/** A wallet of a participant. Its date is live: null while no deposit qualifies it. */
export interface Wallet extends WalletKey {
  readonly address: string;
  readonly qualifiedDate: Date | null;
}

export interface Participant extends Balance {
  readonly id: string;
  readonly merchantUserId: string;
  readonly status: ParticipantStatus;
  /** The earliest qualifying deposit at the last submission. It stays when that deposit fails later. */
  readonly qualifiedDate: Date;
  readonly profit: bigint;
  readonly cap: bigint;
  readonly payoutsCount: number;
  /** Null until it is matched with a wallet that can receive on the payout chain. A submission sets it and never moves it. */
  readonly receiver: Receiver | null;
  /** Held by an operator: it gets no new payout. */
  readonly held: boolean;
  readonly createDate: Date;
  readonly updateDate: Date;
  readonly wallets: readonly Wallet[];
  readonly payouts: readonly Payout[];
}

/** A participant as lists show it. It has no `wallets`, so that nothing is decided from a part of them. */
export interface ListedParticipant extends Omit<Participant, "wallets"> {
  /** Those that were claimed first. */
  readonly firstWallets: readonly Wallet[];
  readonly walletCount: number;
}

/** A deposit that is reported later may be earlier than all that were known before. */
export function earliest(known: Date, wallets: readonly Wallet[]): Date {
  let date = known;
  for (const { qualifiedDate } of wallets) if (qualifiedDate !== null && qualifiedDate < date) date = qualifiedDate;
  return date;
}
