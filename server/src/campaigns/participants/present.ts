import { withChecksum } from "@matchbook/addresses";
import { chainOf } from "@matchbook/addresses/chains";
import { presentPayout } from "../payouts/present.ts";
import { presentAmount, presentProfit } from "../present.ts";
import type { Campaign } from "../record.ts";
import { flagsOf } from "./receiver.ts";
import { earliest, type Participant, type Wallet } from "./record.ts";

export function presentParticipant(campaign: Campaign, participant: Participant) {
  return {
    id: participant.id,
    campaignId: campaign.id,
    merchantUserId: participant.merchantUserId,
    status: participant.status,
    qualifiedDate: earliest(participant.qualifiedDate, participant.wallets).toISOString(),
    tradeProfit: presentProfit(participant.profit),
    amountMatched: presentAmount(participant.matched, campaign),
    maxMatchPerUser: presentAmount(participant.cap, campaign),
    associatedWallets: participant.wallets.map(presentWallet),
    payouts: participant.payouts.map((payout) => presentPayout(payout, campaign)),
    createDate: participant.createDate.toISOString(),
    updateDate: participant.updateDate.toISOString(),
  };
}

export function presentParticipantForOperator(campaign: Campaign, participant: Participant, isShared: boolean) {
  const { receiver, held } = participant;
  return {
    ...presentParticipant(campaign, participant),
    receiver: receiver && { ...receiver, address: withChecksum(receiver.address) },
    held,
    flags: flagsOf(receiver, isShared),
  };
}

function presentWallet({ address, chainId, qualifiedDate }: Wallet) {
  const chain = chainOf(chainId);
  return {
    address,
    chainId: chain.isEvm ? chainId : null,
    chainName: chain.name,
    qualifiedDate: qualifiedDate?.toISOString() ?? null,
  };
}
