import { type Static, Type } from "typebox";
import { TokenAmount } from "../../amounts.ts";
import { ChainId } from "../../http/fields.ts";
import { SUBMISSION_CURRENCY, SUBMISSION_DECIMAL_PLACES, WALLETS_PER_SUBMISSION_MAX } from "../../limits.ts";
import { Address } from "../../qualification/schemas.ts";
import { MerchantUserId } from "../participants/schemas.ts";
import type { Clamp } from "./match.ts";

export const TradeProfit = Type.Object(
  {
    amount: TokenAmount.properties.amount,
    currency: Type.Literal(SUBMISSION_CURRENCY),
    // A literal would be a "number", which generated clients read as a float.
    decimalPlaces: Type.Unsafe<typeof SUBMISSION_DECIMAL_PLACES>({ type: "integer", const: SUBMISSION_DECIMAL_PLACES }),
  },
  {
    title: "TradeProfit",
    additionalProperties: false,
    description: "A measured trade profit, in USDC base units.",
  },
);

export const SubmitRequest = Type.Object(
  {
    merchantUserId: MerchantUserId,
    wallets: Type.Array(
      Type.Object(
        {
          address: Address,
          chain: Type.Object({ id: ChainId }, { title: "SubmittedChain", additionalProperties: false }),
        },
        { title: "SubmittedWallet", additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: WALLETS_PER_SUBMISSION_MAX,
        description: "The user's wallets; at least one must qualify.",
      },
    ),
    amount: TradeProfit,
  },
  {
    title: "SubmitParticipantRequest",
    additionalProperties: false,
    examples: [
      {
        merchantUserId: "user-1042",
        wallets: [{ address: "0x52908400098527886E0F7030069857D2E4169EE7", chain: { id: 8453 } }],
        amount: { amount: "500000000", currency: "USDC", decimalPlaces: 6 },
      },
    ],
  },
);

export type SubmitRequest = Static<typeof SubmitRequest>;

export const ClampedBy = Type.Unsafe<Clamp | null>({
  type: ["string", "null"],
  enum: ["MAX_AMOUNT_PER_USER", "CAMPAIGN_BUDGET", null],
  description: "What would keep the match below the multiple; null when the multiple would be covered in full.",
});

export const DryRun = Type.Object(
  {
    dryRun: Type.Literal(true),
    amountMatched: TokenAmount,
    delta: TokenAmount,
    clampedBy: ClampedBy,
    remainingBudget: TokenAmount,
  },
  {
    title: "DryRun",
    description:
      "What a submission would earn. `delta` is what it would add to the match, `remainingBudget` what the campaign has " +
      "left now, before this submission.",
  },
);
