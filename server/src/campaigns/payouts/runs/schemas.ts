import { type Static, Type } from "typebox";
import { TokenAmount } from "../../../amounts.ts";
import { ChainId, Instant, nullable, SharedReason, Uuid, visibleAscii, visibleText } from "../../../http/fields.ts";
import {
  ADDRESS_LENGTH_MAX,
  PAYOUTS_PER_RUN_MAX,
  RUN_NOTE_LENGTH_MAX,
  TRANSACTION_HASH_LENGTH_MAX,
} from "../../../limits.ts";
import { Flags } from "../../participants/schemas.ts";
import { Payout } from "../schemas.ts";
import type { ExportFormat, LeftOutReason, RunStatus } from "./record.ts";

export const RunStatusSchema = Type.Unsafe<RunStatus>({
  title: "PayoutRunStatus",
  type: "string",
  enum: ["DRAFT", "APPROVED", "EXPORTED", "SUBMITTED", "SETTLED", "CANCELLED"],
});

const Person = Type.Object({ id: nullable<string>(Uuid), name: Type.String() });

export const PayoutRun = Type.Object(
  {
    id: Uuid,
    merchantId: Uuid,
    campaignId: nullable<string>(Uuid, { description: "null: all campaigns of the merchant that pay this token." }),
    status: RunStatusSchema,
    chainId: Type.Integer(),
    tokenAddress: Type.String(),
    counts: Type.Object({
      payouts: Type.Integer(),
      pending: Type.Integer(),
      submitted: Type.Integer(),
      confirmed: Type.Integer(),
      failed: Type.Integer(),
    }),
    totals: Type.Object({ reserved: TokenAmount, confirmed: TokenAmount, failed: TokenAmount }),
    leftOutCount: Type.Integer({ description: "How many were owed something and could not be paid." }),
    leftOut: Type.Array(
      Type.Object(
        {
          campaignId: Type.Optional(
            Type.String({ format: "uuid", description: "In a run of several campaigns, if it was recorded." }),
          ),
          participantId: Uuid,
          merchantUserId: Type.String(),
          owed: TokenAmount,
          reason: Type.Unsafe<LeftOutReason>({ type: "string", enum: ["NO_RECEIVER", "HELD", "BELOW_MINIMUM"] }),
        },
        { title: "LeftOut" },
      ),
      { description: "The first 1,000 of them; in a list of runs, 10 for each run." },
    ),
    note: nullable<string>(Type.String()),
    createdBy: Person,
    approvedBy: nullable<Static<typeof Person>>(Person),
    createDate: Instant,
    updateDate: Instant,
  },
  { title: "PayoutRun" },
);

export const RunPayout = Type.Object(
  {
    ...Payout.properties,
    campaignId: Uuid,
    participantId: Uuid,
    merchantUserId: Type.String(),
    flags: Flags,
  },
  { title: "RunPayout" },
);

export const CreateRunRequest = Type.Object(
  {
    campaignId: Type.Optional(Uuid),
    merchantId: Type.Optional(Uuid),
    chainId: Type.Optional(ChainId),
    tokenAddress: Type.Optional(
      Type.String({
        ...visibleAscii(ADDRESS_LENGTH_MAX),
        description: "With merchantId, when its campaigns pay several tokens.",
      }),
    ),
    minimumAmount: Type.Optional(TokenAmount),
    participantIds: Type.Optional(
      Type.Array(Uuid, { minItems: 1, maxItems: PAYOUTS_PER_RUN_MAX, description: "Pay these alone." }),
    ),
    note: Type.Optional(Type.String(visibleText(RUN_NOTE_LENGTH_MAX))),
  },
  {
    title: "CreatePayoutRunRequest",
    additionalProperties: false,
    description: "Either campaignId, or merchantId for all of its campaigns that pay one token.",
    examples: [{ campaignId: "8f14e45f-ceea-467f-a0e6-1b7a2d3c4e5f", note: "November" }],
  },
);

export type CreateRunRequest = Static<typeof CreateRunRequest>;

export const CancelRunRequest = Type.Object(
  {
    confirmNotSent: Type.Optional(
      Type.Boolean({ description: "Needed once the run was exported: it was not sent, and it will not be." }),
    ),
    reason: Type.Optional(SharedReason("The merchant sees it in statusHistory. Kept in the audit log.")),
  },
  {
    title: "CancelPayoutRunRequest",
    additionalProperties: false,
    examples: [{ confirmNotSent: true, reason: "Exported for the wrong Safe." }],
  },
);

export type CancelRunRequest = Static<typeof CancelRunRequest>;

export const ExportRunRequest = Type.Object(
  {
    format: Type.Unsafe<ExportFormat>({
      type: "string",
      enum: ["csv", "safe-airdrop", "safe-builder", "json"],
      description:
        "csv: with payout ids. safe-airdrop: the CSV of Safe's airdrop app. safe-builder: JSON with batches of 200 transfers " +
        "for Safe's transaction builder. json: with payout ids.",
    }),
  },
  { title: "ExportPayoutRunRequest", additionalProperties: false, examples: [{ format: "safe-builder" }] },
);

const TransactionHash = Type.String(visibleAscii(TRANSACTION_HASH_LENGTH_MAX));
const HASH_EXAMPLE = "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b";
const PAYOUT_EXAMPLE = "b1f5a0e2-3c44-4c55-8b4e-0d9a7a1f2c33";

export const SubmitRunRequest = Type.Object(
  {
    transactionHashes: Type.Optional(
      Type.Array(TransactionHash, {
        minItems: 1,
        maxItems: PAYOUTS_PER_RUN_MAX,
        description:
          "One transaction that pays every row, or several that pay all rows together, if CHAIN_RPC_URLS has the chain.",
      }),
    ),
    payouts: Type.Optional(
      Type.Array(Type.Object({ payoutId: Uuid, transactionHash: TransactionHash }, { additionalProperties: false }), {
        minItems: 1,
        maxItems: PAYOUTS_PER_RUN_MAX,
        description: "The transaction of each row that was sent.",
      }),
    ),
  },
  {
    title: "SubmitPayoutRunRequest",
    additionalProperties: false,
    description: "Either transactionHashes or payouts.",
    examples: [{ transactionHashes: [HASH_EXAMPLE] }],
  },
);

export type SubmitRunRequest = Static<typeof SubmitRunRequest>;

export const ResultsRequest = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          payoutId: Uuid,
          status: Type.Unsafe<"CONFIRMED" | "FAILED">({ type: "string", enum: ["CONFIRMED", "FAILED"] }),
          transactionHash: Type.Optional(TransactionHash),
          reason: Type.Optional(SharedReason("The merchant sees it in statusHistory.")),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: PAYOUTS_PER_RUN_MAX },
    ),
  },
  {
    title: "PayoutResultsRequest",
    additionalProperties: false,
    examples: [{ results: [{ payoutId: PAYOUT_EXAMPLE, status: "CONFIRMED", transactionHash: HASH_EXAMPLE }] }],
  },
);

export type ResultsRequest = Static<typeof ResultsRequest>;

export const ResultsPreview = Type.Object(
  {
    dryRun: Type.Literal(true),
    confirmed: Type.Integer(),
    failed: Type.Integer(),
    errors: Type.Array(
      Type.Object(
        { index: Type.Integer(), payoutId: Uuid, code: Type.String(), message: Type.String() },
        { title: "PayoutResultProblem" },
      ),
    ),
  },
  { title: "PayoutResultsPreview" },
);

/** What an export in JSON holds. Safe's batches have the form of its transaction builder. */
export const ExportedJson = Type.Object({}, { title: "ExportedPayoutRun", additionalProperties: true });
