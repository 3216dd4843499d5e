import { type Static, Type } from "typebox";
import { TokenAmount } from "../../amounts.ts";
import { Instant, nullable, Reason, Uuid, visibleAscii } from "../../http/fields.ts";
import { pageOf } from "../../http/pagination.ts";
import { ADDRESS_LENGTH_MAX, MERCHANT_USER_ID_LENGTH_MAX } from "../../limits.ts";
import { ChainName, ShownChainId } from "../../qualification/schemas.ts";
import { Payout } from "../payouts/schemas.ts";
import { CAMPAIGN_EXAMPLE } from "../schemas.ts";
import type { ParticipantFlag, Receiver } from "./receiver.ts";
import type { ParticipantStatus } from "./status.ts";

export const ParticipantStatusSchema = Type.Unsafe<ParticipantStatus>({
  title: "ParticipantStatus",
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
  walletCount: 1,
  payouts: [],
  createDate: "2026-11-15T09:30:00.000Z",
  updateDate: "2026-11-15T09:30:00.000Z",
};

export const AssociatedWallet = Type.Object(
  {
    address: Type.String(),
    chainId: ShownChainId,
    chainName: ChainName,
    qualifiedDate: nullable<string>(Instant, { description: "null when that wallet does not qualify." }),
  },
  { title: "AssociatedWallet", examples: PARTICIPANT_EXAMPLE.associatedWallets },
);

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
    associatedWallets: Type.Array(AssociatedWallet, {
      description:
        "In the order in which they were claimed. In a list at most the first 100: compare with `walletCount`, and read the " +
        "others at `/wallets` of the participant. An answer that is one participant has all.",
    }),
    walletCount: Type.Integer({
      description: "How many wallets the participant has, shown here or not; at most 1,000.",
    }),
    payouts: Type.Array(Payout),
    createDate: Instant,
    updateDate: Instant,
  },
  { title: "Participant", examples: [PARTICIPANT_EXAMPLE] },
);

export const ParticipantOrPage = Type.Union([Participant, pageOf(Participant)], {
  description: "A page of participants; one participant when id or merchantUserId is given.",
});

export const Flags = Type.Array(
  Type.Unsafe<ParticipantFlag>({
    title: "ParticipantFlag",
    type: "string",
    enum: ["SHARED_WALLET", "RECEIVER_CHANGED"],
  }),
  {
    description:
      "What to look at before paying. SHARED_WALLET: another participant of the campaign submitted the wallet that is paid. " +
      "RECEIVER_CHANGED: an operator set the receiver.",
  },
);

/** What operators see beyond the merchant's view. */
export const OperatorParticipant = Type.Object(
  {
    ...Participant.properties,
    receiver: nullable<Receiver>(
      Type.Object(
        {
          address: Type.String(),
          setBy: Type.Unsafe<Receiver["setBy"]>({ type: "string", enum: ["SUBMISSION", "OPERATOR"] }),
        },
        { title: "Receiver" },
      ),
      { description: "Where it is paid. Submissions set it once; null until a submitted wallet can receive." },
    ),
    held: Type.Boolean({ description: "Held by an operator: it gets no new payout." }),
    flags: Flags,
  },
  {
    title: "OperatorParticipant",
    examples: [
      {
        ...PARTICIPANT_EXAMPLE,
        receiver: { address: "0x52908400098527886E0F7030069857D2E4169EE7", setBy: "SUBMISSION" },
        held: false,
        flags: [],
      },
    ],
  },
);

export const OperatorParticipantOrPage = Type.Union([OperatorParticipant, pageOf(OperatorParticipant)], {
  description: "A page of participants; one participant when id or merchantUserId is given.",
});

export const ChangeReceiverRequest = Type.Object(
  {
    address: Type.String({
      ...visibleAscii(ADDRESS_LENGTH_MAX),
      description: "An address of the payout chain from which someone can spend.",
    }),
    reason: Reason,
  },
  {
    title: "ChangeReceiverRequest",
    additionalProperties: false,
    description: "The merchant is mailed the change and the reason.",
    examples: [
      {
        address: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
        reason: "The user lost the wallet, ticket 4711",
      },
    ],
  },
);

export type ChangeReceiverRequest = Static<typeof ChangeReceiverRequest>;

export const HoldRequest = Type.Object(
  { reason: Reason },
  {
    title: "HoldRequest",
    additionalProperties: false,
    examples: [{ reason: "Asked for by the merchant, ticket 4711" }],
  },
);

export const MerchantUserId = Type.String({
  minLength: 1,
  maxLength: MERCHANT_USER_ID_LENGTH_MAX,
  description: "The merchant's own user id, compared exactly.",
  examples: ["user-1042"],
});
