import { chainOf } from "@matchbook/addresses/chains";
import { presentPayout } from "../payouts/present.ts";
import { presentAmount, presentProfit } from "../present.ts";
import type { Campaign } from "../record.ts";
import { earliest, type ListedParticipant, type Participant, type Wallet } from "./record.ts";

/** One participant, with all of its wallets. */
export function presentParticipant(campaign: Campaign, { wallets, ...participant }: Participant) {
  const qualifiedDate = earliest(participant.qualifiedDate, wallets);
  const listed = { ...participant, qualifiedDate, firstWallets: wallets, walletCount: wallets.length };
  return presentListedParticipant(campaign, listed);
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

export function presentWallet({ address, chainId, qualifiedDate }: Wallet) {
  const chain = chainOf(chainId);
  return {
    address,
    chainId: chain.isEvm ? chainId : null,
    chainName: chain.name,
    qualifiedDate: qualifiedDate?.toISOString() ?? null,
  };
}
