import { chainOf } from "@matchbook/addresses/chains";
import { formatUsd } from "../amounts.ts";
import type { Bucket, DepositUser, EmbeddedWallet, ShownDeposit, ShownEvent } from "./record.ts";

/** A deposit as its merchant reads it. */
export function presentDeposit(deposit: ShownDeposit) {
  return {
    id: deposit.id,
    userId: deposit.userId,
    status: deposit.status,
    amount: presentUsd(BigInt(deposit.amountMicros)),
    chain: presentChain(deposit.chainId),
    token: { symbol: deposit.tokenSymbol, address: deposit.tokenAddress },
    embeddedWalletAddress: deposit.walletAddress,
    createDate: deposit.createDate,
    updateDate: deposit.updateDate,
  };
}

export function presentOperatorDeposit(deposit: ShownDeposit) {
  return { merchantId: deposit.merchantId, ...presentDeposit(deposit), reportedStatus: deposit.reportedStatus };
}

export function presentEvent({ ordinal, date, actor, batchId, outcome, status, updateDate, ...event }: ShownEvent) {
  const { amountMicros, code, reason } = event;
  return {
    id: `${ordinal}.${batchId}`,
    date,
    actor,
    requestId: batchId,
    outcome,
    status,
    amount: amountMicros === null ? null : presentUsd(BigInt(amountMicros)),
    updateDate,
    error: code === null ? null : { code, message: reason ?? "" },
    reason: code === null ? reason : null,
  };
}

export function presentUser(user: DepositUser) {
  const { pending, completed, failed } = user;
  const total = {
    count: pending.count + completed.count + failed.count,
    micros: pending.micros + completed.micros + failed.micros,
  };
  return {
    userId: user.userId,
    amounts: {
      total: presentBucket(total),
      completed: presentBucket(completed),
      pending: presentBucket(pending),
      failed: presentBucket(failed),
    },
    firstDepositAt: user.firstDepositDate.toISOString(),
    lastDepositAt: user.lastDepositDate.toISOString(),
    embeddedWallets: user.wallets.map(presentWallet),
    walletCount: user.walletCount,
  };
}

export function presentWallet({ address, chainId }: EmbeddedWallet) {
  return { embeddedWalletAddress: address, chain: presentChain(chainId) };
}

function presentBucket({ count, micros }: Bucket) {
  return { amount: presentUsd(micros), count };
}

export function presentUsd(micros: bigint) {
  return { value: formatUsd(micros), currency: "USD" as const };
}

/** Reporting shows the numeric id of every chain. Only campaign resources hide those of non-EVM chains. */
function presentChain(chainId: number) {
  return { chainId, name: chainOf(chainId).name };
}
