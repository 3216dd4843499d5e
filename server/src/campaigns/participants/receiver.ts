// Where a participant is paid.
import { problemWithRecipient } from "@matchbook/addresses";
import { addressKey } from "@matchbook/addresses/chains";
import type { Campaign } from "../record.ts";
import type { Wallet } from "./record.ts";

export interface Receiver {
  /** In the form of `addressKey`. The checksum is spelled where it is shown: it takes longer than the rest of a submission. */
  readonly address: string;
  readonly setBy: "SUBMISSION" | "OPERATOR";
}

export function toReceiver(address: string | null, setBy: Receiver["setBy"] | null): Receiver | null {
  return address === null || setBy === null ? null : { address, setBy };
}

/** What a reviewer should look at before a participant is paid. */
export type ParticipantFlag = "SHARED_WALLET" | "RECEIVER_CHANGED";

export type PayoutToken = Pick<Campaign, "payoutChainId" | "payoutTokenAddress">;

/** Why nothing can be paid to this address, as the end of a sentence that starts with the field's name. Null: it can. */
export function problemWithReceiver(
  address: string,
  { payoutChainId, payoutTokenAddress }: PayoutToken,
): string | null {
  const problem = problemWithRecipient(address, payoutChainId);
  if (problem !== null) return problem;
  const isToken = addressKey(address) === addressKey(payoutTokenAddress);
  return isToken ? "is the token's own contract; what is sent there is lost" : null;
}

/**
 * The first submitted wallet that qualifies and can receive on the payout chain. A deposit proves the address in any spelling, so
 * a wrong checksum in the submission does not matter.
 */
export function chooseReceiver(
  wallets: readonly Wallet[],
  token: PayoutToken,
): { receiver: Receiver; ordinal: number } | null {
  for (const [ordinal, { addressKey: address, chainId, qualifiedDate }] of wallets.entries()) {
    if (qualifiedDate === null || chainId !== token.payoutChainId) continue;
    if (problemWithReceiver(address, token) === null) return { receiver: { address, setBy: "SUBMISSION" }, ordinal };
  }
  return null;
}

export function flagsOf(receiver: Receiver | null, isShared: boolean): ParticipantFlag[] {
  return [
    ...(isShared ? (["SHARED_WALLET"] as const) : []),
    ...(receiver?.setBy === "OPERATOR" ? (["RECEIVER_CHANGED"] as const) : []),
  ];
}
