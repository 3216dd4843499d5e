import { formatMultiplier, formatUsd, type TokenAmount } from "../amounts.ts";
import { SUBMISSION_CURRENCY, SUBMISSION_DECIMAL_PLACES } from "../limits.ts";
import type { Campaign, CampaignTerms, Token } from "./record.ts";

export function presentCampaign(campaign: Campaign) {
  return {
    id: campaign.id,
    type: campaign.type,
    status: campaign.status,
    displayName: campaign.displayName,
    startDate: campaign.startDate.toISOString(),
    endDate: campaign.endDate.toISOString(),
    perTradeProfitMatch: {
      matchMultiplier: formatMultiplier(campaign.multiplierMillionths),
      maxAmountPerUser: presentAmount(campaign.maxAmountPerUser, campaign),
      maxAmountTotal: presentAmount(campaign.maxAmountTotal, campaign),
      currentAmountTotal: presentAmount(campaign.committed, campaign),
      payoutChainId: campaign.payoutChainId,
      payoutTokenAddress: campaign.payoutTokenAddress,
      ...presentRules(campaign),
    },
    createDate: campaign.createDate.toISOString(),
    updateDate: campaign.updateDate.toISOString(),
  };
}

export function presentCampaignForOperator(campaign: Campaign) {
  return { merchantId: campaign.merchantId, ...presentCampaign(campaign) };
}

/** The terms as the audit log shows them. */
export function presentTerms(terms: CampaignTerms) {
  return {
    type: terms.type,
    displayName: terms.displayName,
    startDate: terms.startDate.toISOString(),
    endDate: terms.endDate.toISOString(),
    maxAmountPerUser: presentAmount(terms.maxAmountPerUser, terms),
    maxAmountTotal: presentAmount(terms.maxAmountTotal, terms),
    payoutChainId: terms.payoutChainId,
    payoutTokenAddress: terms.payoutTokenAddress,
    matchMultiplier: formatMultiplier(terms.multiplierMillionths),
    participantsPerWalletMax: terms.participantsPerWalletMax,
    minimumDepositUsd: terms.minimumDepositMicros === null ? null : formatUsd(terms.minimumDepositMicros),
  };
}

/** A rule that the campaign does not have is absent, so that answers are as they were before there were rules. */
function presentRules({ participantsPerWalletMax, minimumDepositMicros }: CampaignTerms) {
  return {
    ...(participantsPerWalletMax === null ? {} : { participantsPerWalletMax }),
    ...(minimumDepositMicros === null ? {} : { minimumDepositUsd: formatUsd(minimumDepositMicros) }),
  };
}

export function presentAmount(amount: bigint, { currency, decimalPlaces }: Token): TokenAmount {
  return { amount: amount.toString(), currency, decimalPlaces };
}

/** A trade profit is always in USDC; the campaign's own token may differ. */
export function presentProfit(profit: bigint): TokenAmount {
  return presentAmount(profit, { currency: SUBMISSION_CURRENCY, decimalPlaces: SUBMISSION_DECIMAL_PLACES });
}
