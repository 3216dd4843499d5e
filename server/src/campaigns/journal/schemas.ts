import { Type } from "typebox";
import { TokenAmount } from "../../amounts.ts";
import { Instant, Uuid } from "../../http/fields.ts";
import { ClampedBy } from "../submissions/schemas.ts";

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
    amountMatched: TokenAmount,
    currentAmountTotal: TokenAmount,
    clampedBy: {
      ...ClampedBy,
      description: "What kept the match below the multiple; null when the multiple is covered in full.",
    },
    wallets: Type.Union(
      [
        Type.Array(
          Type.Object(
            {
              address: Type.String(),
              chainId: Type.Union([Type.Integer(), Type.Null()], { description: "null for non-EVM chains." }),
              chainName: Type.String(),
            },
            { title: "NamedWallet" },
          ),
        ),
        Type.Null(),
      ],
      { description: "The wallets that the submission named; null for submissions from before they were recorded." },
    ),
    receiver: Type.Union([Type.String(), Type.Null()], {
      description: "The address that this submission made the participant's receiver; null when it changed none.",
    }),
    date: Instant,
  },
  {
    title: "JournalEntry",
    description:
      "One accepted submission. `amountMatched` is the participant's match after it, `currentAmountTotal` what the campaign " +
      "had committed after it.",
  },
);

export const Burndown = Type.Object(
  {
    maxAmountTotal: TokenAmount,
    committed: TokenAmount,
    points: Type.Array(
      Type.Object(
        { date: Instant, committed: TokenAmount },
        { title: "BurndownPoint", description: "What was committed after a submission of that date." },
      ),
      {
        description:
          "Oldest first, at equal numbers of submissions, always with the first and the last. Empty while nothing was submitted.",
      },
    ),
  },
  { title: "Burndown" },
);
