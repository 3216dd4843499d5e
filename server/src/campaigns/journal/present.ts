import { withChecksum } from "@matchbook/addresses";
import { chainOf } from "@matchbook/addresses/chains";
import { presentAmount, presentProfit } from "../present.ts";
import type { Campaign, Token } from "../record.ts";
import type { BurndownPoint } from "./queries.ts";
import type { JournalEntry, NamedWallet } from "./record.ts";

export function presentJournalEntry(entry: JournalEntry, token: Token) {
  return {
    position: entry.position,
    submissionId: entry.submissionId,
    participantId: entry.participantId,
    merchantUserId: entry.merchantUserId,
    created: entry.created,
    tradeProfit: presentProfit(entry.profit),
    maxMatchPerUser: presentAmount(entry.cap, token),
    maxAmountTotal: presentAmount(entry.maxAmountTotal, token),
    delta: presentAmount(entry.delta, token),
    amountMatched: presentAmount(entry.matchAfter, token),
    currentAmountTotal: presentAmount(entry.committedAfter, token),
    clampedBy: entry.clampedBy,
    wallets: entry.evidence?.wallets.map(presentNamedWallet) ?? null,
    receiver: entry.evidence?.receiver ? withChecksum(entry.evidence.receiver.addressKey) : null,
    date: entry.date.toISOString(),
  };
}

function presentNamedWallet({ address, chainId }: NamedWallet) {
  const chain = chainOf(chainId);
  return { address, chainId: chain.isEvm ? chainId : null, chainName: chain.name };
}

export function presentBurndown(points: readonly BurndownPoint[], campaign: Campaign) {
  return {
    maxAmountTotal: presentAmount(campaign.maxAmountTotal, campaign),
    committed: presentAmount(campaign.committed, campaign),
    points: points.map(({ date, committed }) => ({
      date: date.toISOString(),
      committed: presentAmount(committed, campaign),
    })),
  };
}
