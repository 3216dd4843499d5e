import { type Static, Type } from "typebox";
import { TokenAmount } from "../amounts.ts";
import { PREVIEWED_PROFITS_MAX } from "../limits.ts";
import { CAMPAIGN_EXAMPLE, profitMatch } from "./schemas.ts";
import { ClampedBy, TradeProfit } from "./submissions/schemas.ts";

export const PreviewRequest = Type.Object(
  {
    perTradeProfitMatch: Type.Object(profitMatch, { title: "PreviewedTerms", additionalProperties: false }),
    tradeProfits: Type.Array(TradeProfit, { minItems: 1, maxItems: PREVIEWED_PROFITS_MAX }),
  },
  {
    title: "CampaignPreviewRequest",
    additionalProperties: false,
    examples: [
      {
        perTradeProfitMatch: {
          matchMultiplier: 2,
          maxAmountPerUser: CAMPAIGN_EXAMPLE.perTradeProfitMatch.maxAmountPerUser,
          maxAmountTotal: CAMPAIGN_EXAMPLE.perTradeProfitMatch.maxAmountTotal,
        },
        tradeProfits: [{ amount: "500000000", currency: "USDC", decimalPlaces: 6 }],
      },
    ],
  },
);

export type PreviewRequest = Static<typeof PreviewRequest>;

export const Preview = Type.Object(
  {
    matches: Type.Array(
      Type.Object(
        { tradeProfit: TokenAmount, amountMatched: TokenAmount, clampedBy: ClampedBy },
        { title: "PreviewedMatch" },
      ),
      { description: "One for each profit, in their order." },
    ),
  },
  { title: "CampaignPreview" },
);
