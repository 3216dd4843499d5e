import { presentAmount } from "./present.ts";
import type { PreviewRequest } from "./preview-schemas.ts";
import { matchOne } from "./submissions/match.ts";
import { readProfitMatch } from "./terms.ts";

/** What each profit would earn in a campaign with these terms, as if it were the campaign's first submission. */
export function previewMatches(request: PreviewRequest) {
  const terms = readProfitMatch(request.perTradeProfitMatch);
  const matches = request.tradeProfits.map((tradeProfit) => {
    const { next, clampedBy } = matchOne({
      profit: BigInt(tradeProfit.amount),
      multiplierMillionths: terms.multiplierMillionths,
      tokenDecimals: terms.decimalPlaces,
      cap: terms.maxAmountPerUser,
      matched: 0n,
      remaining: terms.maxAmountTotal,
    });
    return { tradeProfit, amountMatched: presentAmount(next, terms), clampedBy };
  });
  return { matches };
}
