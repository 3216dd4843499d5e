import { Type } from "typebox";
import { TokenAmount } from "../../amounts.ts";
import { nullable, Uuid, visibleAscii } from "../../http/fields.ts";
import { pageQuery } from "../../http/pagination.ts";
import { TRANSACTION_HASH_LENGTH_MAX } from "../../limits.ts";
import { LISTED_PROOF_STATUSES, type ListedProofStatus } from "./proofs/record.ts";
import type { OwedGroup } from "./record.ts";
import { RunPayout } from "./runs/schemas.ts";
import { PayoutStatusSchema } from "./schemas.ts";

export const OperatorPayout = Type.Object({ merchantId: Uuid, ...RunPayout.properties }, { title: "OperatorPayout" });

export const PayoutsQuery = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(PayoutStatusSchema),
    merchantId: Type.Optional(Uuid),
    campaignId: Type.Optional(Uuid),
    runId: Type.Optional(Uuid),
    transactionHash: Type.Optional(
      Type.String({
        ...visibleAscii(TRANSACTION_HASH_LENGTH_MAX),
        description: "The whole hash, in upper or lower case.",
      }),
    ),
    proof: Type.Optional(
      Type.Unsafe<ListedProofStatus>({
        type: "string",
        enum: [...LISTED_PROOF_STATUSES],
        description:
          "The `proof.status`. MISMATCH also finds discrepancies that a person has decided; add `status=SUBMITTED` for the others.",
      }),
    ),
  },
  { additionalProperties: false },
);

const USDC = (amount: string) => ({ amount, currency: "USDC", decimalPlaces: 6 });

export const Owed = Type.Object(
  {
    merchantId: nullable<string>(Uuid, { description: "null: of all merchants." }),
    campaignId: nullable<string>(Uuid, { description: "null: of several campaigns." }),
    chainId: Type.Integer(),
    tokenAddress: Type.String(),
    campaigns: Type.Integer({ description: "How many campaigns owe it." }),
    matched: TokenAmount,
    open: TokenAmount,
    confirmed: TokenAmount,
    owed: TokenAmount,
    ageing: Type.Array(
      Type.Object(
        {
          fromDays: Type.Integer(),
          toDays: nullable<number>(Type.Integer(), { description: "null: and older." }),
          amount: TokenAmount,
        },
        { title: "OwedAge" },
      ),
      {
        description:
          "What is owed by the day (UTC) on which it was matched. Payouts of a campaign count against what was matched " +
          "first. The amounts add up to `owed`.",
      },
    ),
  },
  {
    title: "Owed",
    examples: [
      {
        merchantId: "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11",
        campaignId: "7c9f2a36-0f6e-4a37-9d3c-6b1d5a2c8e10",
        chainId: 8453,
        tokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        campaigns: 1,
        matched: USDC("1000000000"),
        open: USDC("200000000"),
        confirmed: USDC("300000000"),
        owed: USDC("500000000"),
        ageing: [
          { fromDays: 0, toDays: 6, amount: USDC("400000000") },
          { fromDays: 7, toDays: 29, amount: USDC("100000000") },
          { fromDays: 30, toDays: 89, amount: USDC("0") },
          { fromDays: 90, toDays: null, amount: USDC("0") },
        ],
      },
    ],
  },
);

export const OwedQuery = Type.Object(
  {
    ...pageQuery,
    groupBy: Type.Optional(
      Type.Unsafe<OwedGroup>({
        type: "string",
        enum: ["campaign", "merchant", "token"],
        default: "campaign",
        description: "One item for each campaign, newest first, for each merchant and token, or for each token.",
      }),
    ),
    merchantId: Type.Optional(Uuid),
    campaignId: Type.Optional(Type.String({ format: "uuid", description: "Only with groupBy=campaign." })),
  },
  { additionalProperties: false },
);
