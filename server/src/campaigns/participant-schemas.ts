import { type Static, Type } from "typebox";
import { TokenAmount } from "../amounts.ts";
import { ChainId, Instant, nullable, Uuid } from "../http/fields.ts";
import { pageOf } from "../http/pagination.ts";
import {
  MERCHANT_USER_ID_LENGTH_MAX,
  SUBMISSION_CURRENCY,
  SUBMISSION_DECIMAL_PLACES,
  WALLETS_PER_SUBMISSION_MAX,
} from "../limits.ts";
import { CAMPAIGN_EXAMPLE } from "./campaign-schemas.ts";
import { Payout } from "./payout-schemas.ts";
import type { ParticipantStatus } from "./status.ts";
import { Address, ChainName, ShownChainId } from "./wallet-schemas.ts";

export const ParticipantStatusSchema = Type.Unsafe<ParticipantStatus>({
  type: "string",
  enum: ["QUALIFIED", "MATCHED", "PAID", "FAILED"],
});

const PARTICIPANT_EXAMPLE = {
  id: "b1f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c33",
  campaignId: CAMPAIGN_EXAMPLE.id,
  merchantUserId: "user-1042",
  status: "MATCHED",
  qualifiedDate: "2026-11-03T10:15:00.000Z",
  tradeProfit: { amount: "500000000", currency: "USDC", decimalPlaces: 6 },
  amountMatched: { amount: "1000000000", currency: "USDC", decimalPlaces: 6 },
  maxMatchPerUser: { amount: "5000000000", currency: "USDC", decimalPlaces: 6 },
  associatedWallets: [
    {
      address: "0x52908400098527886E0F7030069857D2E4169EE7",
      chainId: 8453,
      chainName: "Base",
      qualifiedDate: "2026-11-03T10:15:00.000Z",
    },
  ],
  payouts: [],
  createDate: "2026-11-15T09:30:00.000Z",
  updateDate: "2026-11-15T09:30:00.000Z",
};

export const Participant = Type.Object(
  {
    id: Uuid,
    campaignId: Uuid,
    merchantUserId: Type.String({ description: "The merchant's own user id." }),
    status: ParticipantStatusSchema,
    qualifiedDate: Type.String({
      format: "date-time",
      description: "Earliest qualifying deposit across the participant's wallets.",
    }),
    tradeProfit: TokenAmount,
    amountMatched: TokenAmount,
    maxMatchPerUser: TokenAmount,
    associatedWallets: Type.Array(
      Type.Object({
        address: Type.String(),
        chainId: ShownChainId,
        chainName: ChainName,
        qualifiedDate: nullable<string>(Instant, { description: "null when that wallet does not qualify." }),
      }),
    ),
    payouts: Type.Array(Payout),
    createDate: Instant,
    updateDate: Instant,
  },
  { title: "Participant", examples: [PARTICIPANT_EXAMPLE] },
);

export type Participant = Static<typeof Participant>;

export const ParticipantOrPage = Type.Union([Participant, pageOf(Participant)], {
  description: "A page of participants; one participant when id or merchantUserId is given.",
});

export const MerchantUserId = Type.String({
  minLength: 1,
  maxLength: MERCHANT_USER_ID_LENGTH_MAX,
  description: "The merchant's own user id, compared exactly.",
  examples: ["user-1042"],
});

export const tradeProfit = {
  amount: TokenAmount.properties.amount,
  currency: Type.Literal(SUBMISSION_CURRENCY),
  decimalPlaces: Type.Literal(SUBMISSION_DECIMAL_PLACES),
};

export const SubmitRequest = Type.Object(
  {
    merchantUserId: MerchantUserId,
    wallets: Type.Array(
      Type.Object(
        { address: Address, chain: Type.Object({ id: ChainId }, { additionalProperties: false }) },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: WALLETS_PER_SUBMISSION_MAX,
        description: "The user's wallets; at least one must qualify.",
      },
    ),
    amount: Type.Object(tradeProfit, {
      additionalProperties: false,
      description: "The measured input (trade profit), in USDC base units.",
    }),
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

export const ClampedBy = Type.Unsafe<"MAX_AMOUNT_PER_USER" | "CAMPAIGN_BUDGET" | null>({
  type: ["string", "null"],
  enum: ["MAX_AMOUNT_PER_USER", "CAMPAIGN_BUDGET", null],
  description: "What would keep the match below the multiple; null when the multiple would be covered in full.",
});

export const DryRun = Type.Object(
  {
    dryRun: Type.Literal(true),
    amountMatched: TokenAmount,
    delta: Type.Object(TokenAmount.properties, { description: "What this submission would add to the match." }),
    clampedBy: ClampedBy,
    remainingBudget: Type.Object(TokenAmount.properties, {
      description: "What the campaign has left now, before this submission.",
    }),
  },
  { title: "DryRun" },
);
