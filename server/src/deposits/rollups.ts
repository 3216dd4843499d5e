import { addressKey } from "@matchbook/addresses/chains";
import type { Bucket, Deposit, UserFigures } from "./record.ts";

/** A deposit before and after a batch. `before` is null for a new one. */
export interface DepositChange {
  readonly before: Deposit | null;
  readonly after: Deposit;
}

/** What a batch adds to one user's figures. A deposit that leaves a status takes its amount along, so it can be negative. */
export interface UserDelta extends UserFigures {
  readonly merchantId: string;
}

export function userDeltas(changes: readonly DepositChange[]): UserDelta[] {
  const deltas = new Map<string, UserDelta>();
  for (const { before, after } of changes) {
    const delta = deltaOf(deltas, after);
    if (before !== null) add(delta[before.status], -1, -before.amountMicros);
    add(delta[after.status], 1, after.amountMicros);
  }
  return [...deltas.values()];
}

function deltaOf(deltas: Map<string, UserDelta>, deposit: Deposit): UserDelta {
  const { merchantId, userId, createDate } = deposit;
  const key = `${merchantId}/${userId}`;
  let delta = deltas.get(key);
  if (delta === undefined) {
    delta = {
      merchantId,
      userId,
      pending: { count: 0, micros: 0n },
      completed: { count: 0, micros: 0n },
      failed: { count: 0, micros: 0n },
      firstDepositDate: createDate,
      lastDepositDate: createDate,
    };
    deltas.set(key, delta);
  }
  if (createDate < delta.firstDepositDate) delta.firstDepositDate = createDate;
  if (createDate > delta.lastDepositDate) delta.lastDepositDate = createDate;
  return delta;
}

function add(bucket: Bucket, count: number, micros: bigint): void {
  bucket.count += count;
  bucket.micros += micros;
}

/** What a batch adds to the figures of one day, over all merchants. */
export interface DayDelta {
  /** The day in UTC that the deposits were created on, as 2026-01-15. */
  readonly day: string;
  pendingCount: number;
  completedCount: number;
  failedCount: number;
  completedMicros: bigint;
}

export function dayDeltas(changes: readonly DepositChange[]): DayDelta[] {
  const deltas = new Map<string, DayDelta>();
  for (const { before, after } of changes) {
    const day = after.createDate.toISOString().slice(0, 10);
    const delta = deltas.get(day) ?? { day, pendingCount: 0, completedCount: 0, failedCount: 0, completedMicros: 0n };
    deltas.set(day, delta);
    if (before !== null) addToDay(delta, before, -1);
    addToDay(delta, after, 1);
  }
  return [...deltas.values()];
}

function addToDay(delta: DayDelta, { status, amountMicros }: Deposit, sign: 1 | -1): void {
  delta[`${status}Count`] += sign;
  if (status === "completed") delta.completedMicros += BigInt(sign) * amountMicros;
}

export interface UserWallet {
  readonly merchantId: string;
  readonly userId: string;
  readonly addressKey: string;
  readonly chainId: number;
  /** As first reported. */
  readonly address: string;
}

/** The wallets that new deposits landed in, each once. */
export function userWallets(created: readonly Deposit[]): UserWallet[] {
  const wallets = new Map<string, UserWallet>();
  for (const { merchantId, userId, chainId, walletAddress } of created) {
    const wallet = { merchantId, userId, chainId, addressKey: addressKey(walletAddress), address: walletAddress };
    const key = `${merchantId}/${userId}/${chainId}/${wallet.addressKey}`;
    if (!wallets.has(key)) wallets.set(key, wallet);
  }
  return [...wallets.values()];
}
