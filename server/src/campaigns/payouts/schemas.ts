import { type Static, Type } from "typebox";
import { TokenAmount } from "../../amounts.ts";
import { Instant, nullable, SharedReason, Uuid, visibleAscii } from "../../http/fields.ts";
import { ADDRESS_LENGTH_MAX, TRANSACTION_HASH_LENGTH_MAX } from "../../limits.ts";
import { PROOF_STATUSES, type ProofStatus } from "./proofs/record.ts";
import { PAYOUT_STATUSES, type PayoutStatus } from "./record.ts";

export const PayoutStatusSchema = Type.Unsafe<PayoutStatus>({
  title: "PayoutStatus",
  type: "string",
  enum: [...PAYOUT_STATUSES],
});

const ProofStatusSchema = Type.Unsafe<ProofStatus>({
  title: "PayoutProofStatus",
  type: "string",
  enum: [...PROOF_STATUSES],
  description:
    "PENDING: not found, or not final yet. PROVEN: a transfer of exactly this payout is final. MISMATCH: the transaction is final " +
    "and has no such transfer; a person must look at it. REVERTED: the transaction failed.",
});

const ExpectedTransfer = Type.Object(
  {
    tokenAddress: Type.String(),
    recipientAddress: Type.String(),
    amount: Type.String({ description: "In the token's smallest unit." }),
  },
  { title: "ExpectedTransfer" },
);

const FoundTransfer = Type.Object(
  {
    ...ExpectedTransfer.properties,
    logIndex: Type.Integer({ description: "The place of the Transfer event in its block." }),
    isUsed: Type.Boolean({ description: "It proves another payout, so it cannot prove this one." }),
  },
  { title: "FoundTransfer" },
);

const PayoutProof = Type.Object(
  {
    status: ProofStatusSchema,
    expected: ExpectedTransfer,
    found: nullable<Static<typeof FoundTransfer>>(FoundTransfer, {
      description: "The transfer that proves it. With MISMATCH the one that comes closest; null: there is none.",
    }),
    confirmations: Type.Integer({ description: "Blocks since the transaction, its own included, at the last look." }),
  },
  { title: "PayoutProof" },
);

export const Payout = Type.Object(
  {
    id: Uuid,
    runId: nullable<string>(Uuid, { description: "The payout run it is part of." }),
    status: PayoutStatusSchema,
    cancelled: Type.Boolean({
      description:
        "Whether it was cancelled before it was sent. Its status is then FAILED, but it counts as no failure.",
    }),
    amount: TokenAmount,
    chainId: Type.Integer(),
    tokenAddress: Type.String(),
    recipientAddress: Type.String(),
    transactionHash: nullable<string>(Type.String()),
    failureReason: nullable<string>(Type.String()),
    proof: nullable<Static<typeof PayoutProof>>(PayoutProof, {
      description:
        "What was found on the chain. null: nothing was looked up. Only chains in CHAIN_RPC_URLS are looked at.",
    }),
    statusHistory: Type.Array(
      Type.Object(
        { status: PayoutStatusSchema, date: Instant, reason: nullable<string>(Type.String()) },
        { title: "PayoutStatusChange" },
      ),
    ),
    createDate: Instant,
    updateDate: Instant,
  },
  { title: "Payout" },
);

export type Payout = Static<typeof Payout>;

export const CreatePayoutRequest = Type.Object(
  {
    amount: TokenAmount,
    recipientAddress: Type.Optional(
      Type.String({
        ...visibleAscii(ADDRESS_LENGTH_MAX),
        description: "Where to pay. Without it, the participant's receiver.",
      }),
    ),
  },
  {
    title: "CreatePayoutRequest",
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
    reason: Type.Optional(SharedReason("The merchant sees it in statusHistory. Kept in the audit log.")),
  },
  {
    title: "MovePayoutRequest",
    additionalProperties: false,
    examples: [
      { status: "SUBMITTED", transactionHash: "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b" },
    ],
  },
);

export type PayoutStatusRequest = Static<typeof PayoutStatusRequest>;

export const ReversePayoutRequest = Type.Object(
  { reason: SharedReason("Why. The merchant sees it in statusHistory. Kept in the audit log.") },
  {
    title: "ReversePayoutRequest",
    additionalProperties: false,
    examples: [{ reason: "The transfer went to a closed account" }],
  },
);

export type ReversePayoutRequest = Static<typeof ReversePayoutRequest>;
