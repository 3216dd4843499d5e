import { withChecksum } from "@matchbook/addresses";
import { OWED_AGES_DAYS } from "../../limits.ts";
import { presentAmount } from "../present.ts";
import type { Token } from "../record.ts";
import type { ListedPayout, OwedTotal, Payout } from "./record.ts";
import type { Payout as PayoutAnswer } from "./schemas.ts";

export function presentOwed(total: OwedTotal) {
  const { merchantId, campaignId, chainId, tokenAddress, campaigns, matched, open, confirmed, owed, ages } = total;
  return {
    merchantId,
    campaignId,
    chainId,
    tokenAddress: withChecksum(tokenAddress),
    campaigns,
    matched: presentAmount(matched, total),
    open: presentAmount(open, total),
    confirmed: presentAmount(confirmed, total),
    owed: presentAmount(owed, total),
    ageing: ages.map((amount, index) => ({
      fromDays: OWED_AGES_DAYS[index - 1] ?? 0,
      toDays: index < OWED_AGES_DAYS.length ? (OWED_AGES_DAYS[index] as number) - 1 : null,
      amount: presentAmount(amount, total),
    })),
  };
}

export function presentListedPayout(listed: ListedPayout) {
  const { merchantId, campaignId, participantId, merchantUserId, flags, currency, decimalPlaces, ...payout } = listed;
  const shown = presentPayout(payout, { currency, decimalPlaces });
  return { ...shown, merchantId, campaignId, participantId, merchantUserId, flags: [...flags] };
}

export function presentPayout({ ordinal: _ordinal, ...payout }: Payout, token: Token): PayoutAnswer {
  return {
    ...payout,
    recipientAddress: withChecksum(payout.recipientAddress),
    proof: presentProof(payout),
    amount: presentAmount(payout.amount, token),
    createDate: payout.createDate.toISOString(),
    updateDate: payout.updateDate.toISOString(),
    statusHistory: payout.statusHistory.map((event) => ({ ...event, date: event.date.toISOString() })),
  };
}

function presentProof(payout: Omit<Payout, "ordinal">): PayoutAnswer["proof"] {
  const { proof, tokenAddress, recipientAddress, amount } = payout;
  if (proof === null) return null;
  const { status, found, confirmations } = proof;
  return {
    status,
    expected: {
      tokenAddress: withChecksum(tokenAddress),
      recipientAddress: withChecksum(recipientAddress),
      amount: String(amount),
    },
    found: found && {
      ...found,
      tokenAddress: withChecksum(found.tokenAddress),
      recipientAddress: withChecksum(found.recipientAddress),
    },
    confirmations,
  };
}
