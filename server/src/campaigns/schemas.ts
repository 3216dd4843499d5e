import { type Static, Type } from "typebox";
import { TokenAmount } from "../amounts.ts";
import { ChainId, DisplayName, Instant, nullable, Uuid, visibleAscii } from "../http/fields.ts";
import { ADDRESS_LENGTH_MAX, INSTANT_LENGTH_MAX, PARTICIPANTS_PER_WALLET_MAX, USD_LENGTH_MAX } from "../limits.ts";
import type { CampaignStatus } from "./record.ts";

export const CampaignStatusSchema = Type.Unsafe<CampaignStatus>({
  title: "CampaignStatus",
  type: "string",
  enum: ["DRAFT", "ACTIVE", "PAUSED", "ENDED"],
  description: "Only ACTIVE accepts submitted data.",
});

export const profitMatch = {
  matchMultiplier: Type.Number({ description: "Multiple applied to profit.", examples: [2] }),
  maxAmountPerUser: TokenAmount,
  maxAmountTotal: TokenAmount,
};

const payoutFields = {
  payoutChainId: Type.Integer({ description: "Numeric chain id of payout." }),
  payoutTokenAddress: Type.String({ description: "Token contract of payout." }),
};

const PARTICIPANTS_PER_WALLET =
  "How many participants may name the same wallet. Beyond it a submission is refused with WALLET_CLAIMED.";
const MINIMUM_DEPOSIT = "US dollars. A wallet qualifies by one completed deposit of at least so much.";

/** In answers only if the campaign has them. */
const ruleFields = {
  participantsPerWalletMax: Type.Optional(
    Type.Integer({ description: `${PARTICIPANTS_PER_WALLET} Absent: any number.` }),
  ),
  minimumDepositUsd: Type.Optional(
    Type.String({ description: `${MINIMUM_DEPOSIT} Absent: any amount.`, examples: ["50.00"] }),
  ),
};

/** In requests null is the same as absent, and takes a rule away in an edit. */
const ruleInputs = {
  participantsPerWalletMax: Type.Optional(
    nullable<number>(Type.Integer({ minimum: 1, maximum: PARTICIPANTS_PER_WALLET_MAX }), {
      description: `${PARTICIPANTS_PER_WALLET} null: any number.`,
      examples: [1],
    }),
  ),
  minimumDepositUsd: Type.Optional(
    nullable<string>(Type.String({ maxLength: USD_LENGTH_MAX }), {
      description: `${MINIMUM_DEPOSIT} A decimal text with at most 15 integer and 6 fraction digits. null: any amount.`,
      examples: ["50.00"],
    }),
  ),
};

const campaignFields = {
  id: Uuid,
  type: Type.String({ description: "Always PER_TRADE_PROFIT_MATCH." }),
  status: CampaignStatusSchema,
  displayName: Type.String({ description: "User-facing name." }),
  startDate: Instant,
  endDate: Instant,
  perTradeProfitMatch: Type.Object(
    { ...profitMatch, currentAmountTotal: TokenAmount, ...payoutFields, ...ruleFields },
    { title: "PerTradeProfitMatch" },
  ),
  createDate: Instant,
  updateDate: Instant,
};

export const CAMPAIGN_EXAMPLE = {
  id: "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
  type: "PER_TRADE_PROFIT_MATCH",
  status: "ACTIVE",
  displayName: "Double your November profit",
  startDate: "2026-11-01T00:00:00.000Z",
  endDate: "2026-11-30T23:59:59.999Z",
  perTradeProfitMatch: {
    matchMultiplier: 2,
    maxAmountPerUser: { amount: "5000000000", currency: "USDC", decimalPlaces: 6 },
    maxAmountTotal: { amount: "100000000000", currency: "USDC", decimalPlaces: 6 },
    currentAmountTotal: { amount: "1000000000", currency: "USDC", decimalPlaces: 6 },
    payoutChainId: 8453,
    payoutTokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  },
  createDate: "2026-10-20T09:00:00.000Z",
  updateDate: "2026-11-15T09:30:00.000Z",
};

export const Campaign = Type.Object(campaignFields, { title: "Campaign", examples: [CAMPAIGN_EXAMPLE] });

export const OperatorCampaign = Type.Object({ merchantId: Uuid, ...campaignFields }, { title: "OperatorCampaign" });

const InstantInput = Type.String({
  format: "date-time",
  maxLength: INSTANT_LENGTH_MAX,
  description: "ISO-8601 date and time with a zone.",
  examples: ["2026-11-01T00:00:00Z"],
});

const TokenAddress = Type.String({ ...visibleAscii(ADDRESS_LENGTH_MAX), description: "Token contract of payout." });

const CampaignType = Type.Literal("PER_TRADE_PROFIT_MATCH");

export const CreateCampaignRequest = Type.Object(
  {
    merchantId: Uuid,
    type: CampaignType,
    displayName: DisplayName,
    startDate: InstantInput,
    endDate: InstantInput,
    perTradeProfitMatch: Type.Object(
      { ...profitMatch, payoutChainId: ChainId, payoutTokenAddress: TokenAddress, ...ruleInputs },
      { title: "PerTradeProfitMatchTerms", additionalProperties: false },
    ),
  },
  {
    title: "CreateCampaignRequest",
    additionalProperties: false,
    examples: [
      {
        merchantId: "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
        type: "PER_TRADE_PROFIT_MATCH",
        displayName: CAMPAIGN_EXAMPLE.displayName,
        startDate: CAMPAIGN_EXAMPLE.startDate,
        endDate: CAMPAIGN_EXAMPLE.endDate,
        perTradeProfitMatch: {
          matchMultiplier: 2,
          maxAmountPerUser: CAMPAIGN_EXAMPLE.perTradeProfitMatch.maxAmountPerUser,
          maxAmountTotal: CAMPAIGN_EXAMPLE.perTradeProfitMatch.maxAmountTotal,
          payoutChainId: CAMPAIGN_EXAMPLE.perTradeProfitMatch.payoutChainId,
          payoutTokenAddress: CAMPAIGN_EXAMPLE.perTradeProfitMatch.payoutTokenAddress,
        },
      },
    ],
  },
);

export type CreateCampaignRequest = Static<typeof CreateCampaignRequest>;

const TokenAmountEdit = Type.Object(
  {
    amount: Type.Optional(TokenAmount.properties.amount),
    currency: Type.Optional(TokenAmount.properties.currency),
    decimalPlaces: Type.Optional(TokenAmount.properties.decimalPlaces),
  },
  { title: "TokenAmountEdit", additionalProperties: false },
);

export const EditCampaignRequest = Type.Object(
  {
    type: Type.Optional(CampaignType),
    displayName: Type.Optional(DisplayName),
    startDate: Type.Optional(InstantInput),
    endDate: Type.Optional(InstantInput),
    perTradeProfitMatch: Type.Optional(
      Type.Object(
        {
          matchMultiplier: Type.Optional(profitMatch.matchMultiplier),
          maxAmountPerUser: Type.Optional(TokenAmountEdit),
          maxAmountTotal: Type.Optional(TokenAmountEdit),
          payoutChainId: Type.Optional(ChainId),
          payoutTokenAddress: Type.Optional(TokenAddress),
          ...ruleInputs,
        },
        { title: "PerTradeProfitMatchEdit", additionalProperties: false },
      ),
    ),
  },
  {
    title: "EditCampaignRequest",
    additionalProperties: false,
    description: "Fields that are left out stay as they are, nested ones too.",
    examples: [{ displayName: "Triple November", perTradeProfitMatch: { maxAmountTotal: { amount: "200000000000" } } }],
  },
);

export type EditCampaignRequest = Static<typeof EditCampaignRequest>;
