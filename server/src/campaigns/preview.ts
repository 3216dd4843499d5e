import assert from "node:assert";
import { match } from "./match.ts";
import type { PreviewRequest } from "./preview-schemas.ts";
import { readProfitMatch } from "./terms.ts";

/** What each profit would earn in a campaign of these terms, as if it were the campaign's first submission. */
export function previewMatches(request: PreviewRequest) {
  const { currency, decimalPlaces, ...terms } = readProfitMatch(request.perTradeProfitMatch);
  const campaign = { status: "ACTIVE", tokenDecimals: decimalPlaces, committed: 0n, ...terms } as const;
  const matches = request.tradeProfits.map((tradeProfit) => {
    const submission = { merchantUserId: "anyone", profit: BigInt(tradeProfit.amount), qualifies: true };
    const [outcome] = match({ campaign, participants: new Map() }, [submission]);
    assert(outcome?.accepted === true, "an active campaign accepts a submission that qualifies");
    const amountMatched = { amount: outcome.next.toString(), currency, decimalPlaces };
    return { tradeProfit, amountMatched, clampedBy: outcome.clampedBy };
  });
  return { matches };
}
