import assert from "node:assert";
import { addressKey } from "@matchbook/addresses/chains";
import type { Bucket, Deposit, StoredDeposit, UserFigures } from "./record.ts";

/** A deposit before and after a batch. `before` is null for a new one. */
export interface DepositChange {
  readonly before: StoredDeposit | null;
  readonly after: StoredDeposit;
}

/** What a batch adds to one user's figures. A deposit that leaves a status takes its amount along, so it can be negative. */
export interface UserDelta extends UserFigures {
  readonly merchantId: string;
}

/** `newWallets`: those of the changed deposits' wallets that their users have not deposited into before. */
export function userDeltas(changes: readonly DepositChange[], newWallets: readonly WalletOwner[] = []): UserDelta[] {
  const deltas = new Map<string, UserDelta>();
  for (const { before, after } of changes) {
    const delta = deltaOf(deltas, after);
    if (before !== null) add(delta[before.status], -1, -before.amountMicros);
    add(delta[after.status], 1, after.amountMicros);
  }
  for (const owner of newWallets) {
    const delta = deltas.get(userKey(owner));
    assert(delta !== undefined, "a new wallet comes with a new deposit");
    delta.walletCount += 1;
  }
  return [...deltas.values()];
}

function deltaOf(deltas: Map<string, UserDelta>, deposit: Deposit): UserDelta {
  const { merchantId, userId, createDate } = deposit;
  const key = userKey(deposit);
  let delta = deltas.get(key);
  if (delta === undefined) {
    delta = {
      merchantId,
      userId,
      pending: { count: 0, micros: 0n },
      completed: { count: 0, micros: 0n },
      failed: { count: 0, micros: 0n },
      walletCount: 0,
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

export interface WalletOwner {
  readonly merchantId: string;
  readonly userId: string;
}

function userKey({ merchantId, userId }: WalletOwner): string {
  return `${merchantId}/${userId}`;
}

export interface UserWallet extends WalletOwner {
  readonly addressKey: string;
  readonly chainId: number;
  /** As first reported. */
  readonly address: string;
  /** The earliest createDate of the user's deposits into it. */
  readonly firstDepositDate: Date;
}

/** The wallets that new deposits landed in, each once. */
export function userWallets(created: readonly Deposit[]): UserWallet[] {
  const wallets = new Map<string, UserWallet>();
  for (const { merchantId, userId, chainId, walletAddress, createDate } of created) {
    const ownKey = addressKey(walletAddress);
    const key = `${merchantId}/${userId}/${chainId}/${ownKey}`;
    const known = wallets.get(key);
    if (known !== undefined && known.firstDepositDate <= createDate) continue;
    const address = known?.address ?? walletAddress;
    wallets.set(key, { merchantId, userId, chainId, addressKey: ownKey, address, firstDepositDate: createDate });
  }
  return [...wallets.values()];
}
