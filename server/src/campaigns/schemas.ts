import { type Static, Type } from "typebox";
import { TokenAmount } from "../amounts.ts";
import { ChainId, DisplayName, Instant, nullable, Uuid, visibleAscii, visibleText } from "../http/fields.ts";
import { pageOf } from "../http/pagination.ts";
import {
  ADDRESS_LENGTH_MAX,
  INSTANT_LENGTH_MAX,
  MERCHANT_USER_ID_LENGTH_MAX,
  PREVIEWED_PROFITS_MAX,
  REASON_LENGTH_MAX,
  SUBMISSION_CURRENCY,
  SUBMISSION_DECIMAL_PLACES,
  TRANSACTION_HASH_LENGTH_MAX,
  WALLETS_PER_SUBMISSION_MAX,
} from "../limits.ts";
import type { ParticipantStatus, PayoutStatus } from "./status.ts";

export type CampaignStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "ENDED";

const InstantInput = Type.String({
  format: "date-time",
  maxLength: INSTANT_LENGTH_MAX,
  description: "ISO-8601 date and time with a zone.",
  examples: ["2026-11-01T00:00:00Z"],
});

export const CampaignStatusSchema = Type.Unsafe<CampaignStatus>({
  type: "string",
  enum: ["DRAFT", "ACTIVE", "PAUSED", "ENDED"],
  description: "Only ACTIVE accepts submitted data.",
});
export const ParticipantStatusSchema = Type.Unsafe<ParticipantStatus>({
  type: "string",
  enum: ["QUALIFIED", "MATCHED", "PAID", "FAILED"],
});
const PayoutStatusSchema = Type.Unsafe<PayoutStatus>({
  type: "string",
  enum: ["PENDING", "SUBMITTED", "CONFIRMED", "FAILED"],
});

export const Address = Type.String({ minLength: 1, maxLength: ADDRESS_LENGTH_MAX, description: "Wallet address." });
const ShownChainId = nullable<number>(Type.Integer(), { description: "Numeric chain id; null for non-EVM chains." });
const ChainName = Type.String({ description: "Human-readable chain name.", examples: ["Base"] });

const profitMatch = {
  matchMultiplier: Type.Number({ description: "Multiple applied to profit.", examples: [2] }),
  maxAmountPerUser: TokenAmount,
  maxAmountTotal: TokenAmount,
};
const payoutFields = {
  payoutChainId: Type.Integer({ description: "Numeric chain id of payout." }),
  payoutTokenAddress: Type.String({ description: "Token contract of payout." }),
};
const campaignFields = {
  id: Uuid,
  type: Type.String({ description: "Always PER_TRADE_PROFIT_MATCH." }),
  status: CampaignStatusSchema,
  displayName: Type.String({ description: "User-facing name." }),
  startDate: Instant,
  endDate: Instant,
  perTradeProfitMatch: Type.Object({
    ...profitMatch,
    currentAmountTotal: TokenAmount,
    ...payoutFields,
  }),
  createDate: Instant,
  updateDate: Instant,
};

const CAMPAIGN_EXAMPLE = {
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

export const QualifiedWallet = Type.Object(
  {
    address: Type.String({ description: "As the deposit spelled it." }),
    chainId: ShownChainId,
    chainName: ChainName,
    qualified: Type.Boolean({ description: "Always true for a returned wallet." }),
    qualifiedDate: Type.String({ format: "date-time", description: "The earliest qualifying deposit in the window." }),
    participant: nullable<{ id: string }>(Type.Object({ id: Uuid }), {
      description: "The first participant that claimed the wallet; null until one exists.",
    }),
  },
  {
    title: "QualifiedWallet",
    examples: [
      {
        address: "0x52908400098527886E0F7030069857D2E4169EE7",
        chainId: 8453,
        chainName: "Base",
        qualified: true,
        qualifiedDate: "2026-11-03T10:15:00.000Z",
        participant: null,
      },
    ],
  },
);

export const Payout = Type.Object(
  {
    id: Uuid,
    status: PayoutStatusSchema,
    amount: TokenAmount,
    chainId: Type.Integer(),
    tokenAddress: Type.String(),
    recipientAddress: Type.String(),
    transactionHash: nullable<string>(Type.String()),
    failureReason: nullable<string>(Type.String()),
    statusHistory: Type.Array(
      Type.Object({ status: PayoutStatusSchema, date: Instant, reason: nullable<string>(Type.String()) }),
    ),
    createDate: Instant,
    updateDate: Instant,
  },
  { title: "Payout" },
);
export type Payout = Static<typeof Payout>;

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

const tradeProfit = {
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

const ClampedBy = Type.Unsafe<"MAX_AMOUNT_PER_USER" | "CAMPAIGN_BUDGET" | null>({
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
      { ...profitMatch, payoutChainId: ChainId, payoutTokenAddress: TokenAddress },
      { additionalProperties: false },
    ),
  },
  {
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

export const PreviewRequest = Type.Object(
  {
    perTradeProfitMatch: Type.Object(profitMatch, { additionalProperties: false }),
    tradeProfits: Type.Array(
      Type.Object(tradeProfit, { additionalProperties: false, description: "A trade profit, in USDC base units." }),
      { minItems: 1, maxItems: PREVIEWED_PROFITS_MAX },
    ),
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
    matches: Type.Array(Type.Object({ tradeProfit: TokenAmount, amountMatched: TokenAmount, clampedBy: ClampedBy }), {
      description: "One for each profit, in their order.",
    }),
  },
  { title: "CampaignPreview" },
);

export const Burndown = Type.Object(
  {
    maxAmountTotal: TokenAmount,
    committed: TokenAmount,
    points: Type.Array(
      Type.Object({
        date: Instant,
        committed: Type.Object(TokenAmount.properties, { description: "Committed after a submission of that date." }),
      }),
      {
        description:
          "Oldest first, at equal numbers of submissions, always with the first and the last. Empty while nothing was submitted.",
      },
    ),
  },
  { title: "Burndown" },
);

const TokenAmountEdit = Type.Object(
  {
    amount: Type.Optional(TokenAmount.properties.amount),
    currency: Type.Optional(TokenAmount.properties.currency),
    decimalPlaces: Type.Optional(TokenAmount.properties.decimalPlaces),
  },
  { additionalProperties: false },
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
        },
        { additionalProperties: false },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: "Fields that are left out stay as they are, nested ones too.",
    examples: [{ displayName: "Triple November", perTradeProfitMatch: { maxAmountTotal: { amount: "200000000000" } } }],
  },
);
export type EditCampaignRequest = Static<typeof EditCampaignRequest>;

export const JournalEntry = Type.Object(
  {
    position: Type.Integer({ description: "Its place in the campaign's journal, from 1." }),
    submissionId: Uuid,
    participantId: Uuid,
    merchantUserId: Type.String(),
    created: Type.Boolean({ description: "Whether this submission created the participant." }),
    tradeProfit: TokenAmount,
    maxMatchPerUser: TokenAmount,
    maxAmountTotal: TokenAmount,
    delta: TokenAmount,
    amountMatched: Type.Object(TokenAmount.properties, {
      description: "The participant's match after this submission.",
    }),
    currentAmountTotal: Type.Object(TokenAmount.properties, { description: "Committed after this submission." }),
    date: Instant,
  },
  { title: "JournalEntry" },
);

export const CreatePayoutRequest = Type.Object(
  { amount: TokenAmount, recipientAddress: Type.String(visibleAscii(ADDRESS_LENGTH_MAX)) },
  {
    additionalProperties: false,
    examples: [
      {
        amount: { amount: "1000000000", currency: "USDC", decimalPlaces: 6 },
        recipientAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
      },
    ],
  },
);
export type CreatePayoutRequest = Static<typeof CreatePayoutRequest>;

export const PayoutStatusRequest = Type.Object(
  {
    status: PayoutStatusSchema,
    transactionHash: Type.Optional(Type.String(visibleAscii(TRANSACTION_HASH_LENGTH_MAX))),
    reason: Type.Optional(Type.String(visibleText(REASON_LENGTH_MAX))),
  },
  {
    additionalProperties: false,
    examples: [
      { status: "SUBMITTED", transactionHash: "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b" },
    ],
  },
);
export type PayoutStatusRequest = Static<typeof PayoutStatusRequest>;
