import { withChecksum } from "@matchbook/addresses";
import { chainOf } from "@matchbook/addresses/chains";
import { presentPayout } from "../payouts/present.ts";
import { presentAmount, presentProfit } from "../present.ts";
import type { Campaign } from "../record.ts";
import { flagsOf } from "./receiver.ts";
import { earliest, type ListedParticipant, type Participant, type Wallet } from "./record.ts";

/** One participant, with all of its wallets. */
export function presentParticipant(campaign: Campaign, participant: Participant) {
  return presentListedParticipant(campaign, withAllWallets(participant));
}

/** As in a list, but with all wallets. */
export function withAllWallets({ wallets, ...participant }: Participant): ListedParticipant {
  const qualifiedDate = earliest(participant.qualifiedDate, wallets);
  return { ...participant, qualifiedDate, firstWallets: wallets, walletCount: wallets.length };
}

export function presentListedParticipant(campaign: Campaign, participant: ListedParticipant) {
  return {
    id: participant.id,
    campaignId: campaign.id,
    merchantUserId: participant.merchantUserId,
    status: participant.status,
    qualifiedDate: participant.qualifiedDate.toISOString(),
    tradeProfit: presentProfit(participant.profit),
    amountMatched: presentAmount(participant.matched, campaign),
    maxMatchPerUser: presentAmount(participant.cap, campaign),
    associatedWallets: participant.firstWallets.map(presentWallet),
    walletCount: participant.walletCount,
    payouts: participant.payouts.map((payout) => presentPayout(payout, campaign)),
    createDate: participant.createDate.toISOString(),
    updateDate: participant.updateDate.toISOString(),
  };
}

export function presentParticipantForOperator(campaign: Campaign, participant: ListedParticipant, isShared: boolean) {
  const { receiver, held } = participant;
  return {
    ...presentListedParticipant(campaign, participant),
    receiver: receiver && { ...receiver, address: withChecksum(receiver.address) },
    held,
    flags: flagsOf(receiver, isShared),
  };
}

export function presentWallet({ address, chainId, qualifiedDate }: Wallet) {
  const chain = chainOf(chainId);
  return {
    address,
    chainId: chain.isEvm ? chainId : null,
    chainName: chain.name,
    qualifiedDate: qualifiedDate?.toISOString() ?? null,
  };
}
