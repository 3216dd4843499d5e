import { type Static, Type } from "typebox";
import { TokenSymbol, UsdAmount, UsdAmountInput } from "../amounts.ts";
import { nullable, Reason } from "../http/fields.ts";
import {
  ADDRESS_LENGTH_MAX,
  CHAIN_ID_MAX,
  DEPOSIT_ID_LENGTH_MAX,
  DEPOSITS_PER_BATCH_MAX,
  INSTANT_LENGTH_MAX,
  NESTED_WALLETS_MAX,
  PAYER_ID_LENGTH_MAX,
} from "../limits.ts";
import { type DepositState, type EventOutcome, STATUS_OF_STATE } from "./merge.ts";
import { DEPOSIT_STATUSES, type DepositStatus, EVENT_OUTCOMES, type KeptEvent } from "./record.ts";

const MERCHANT_ID = "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11";
const USER_ID = "8c1f0f5e-2b57-4d0c-9a3e-6f0f1f8f2a10";
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const TOKEN = { symbol: "USDC", address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" };

const Instant = Type.String({ format: "date-time", examples: ["2026-01-15T12:00:00.000Z"] });
const InstantInput = (options: object) =>
  Type.String({ format: "date-time", maxLength: INSTANT_LENGTH_MAX, ...options });

/** Without a format: a date alone is accepted, too, and no format names both. */
const InstantFilter = (options: object) => Type.String({ maxLength: INSTANT_LENGTH_MAX, ...options });

export const Status = Type.Unsafe<DepositStatus>({
  title: "DepositStatus",
  type: "string",
  enum: [...DEPOSIT_STATUSES],
  description: "Every in-flight state is pending, a settled deposit completed, a failed or expired one failed.",
});

export const ChainId = Type.Integer({
  minimum: 1,
  maximum: CHAIN_ID_MAX,
  description: "Numeric chain id. Solana is 792703809, Bitcoin 8253038, Eclipse 9286185, Soon 9286186, Tron 728126428.",
  examples: [8453],
});

/** Visible ASCII without spaces, as on every chain. Upper and lower case may matter, so they are kept. */
const Address = (description: string) =>
  Type.String({
    pattern: `^[!-~]{1,${ADDRESS_LENGTH_MAX}}$`,
    "x-rule": `must be 1 to ${ADDRESS_LENGTH_MAX} visible ASCII characters without spaces`,
    description,
  });

const State = Type.Unsafe<DepositState>({
  title: "DepositState",
  type: "string",
  enum: Object.keys(STATUS_OF_STATE),
  description: "The hosted flow's own state; reported as pending, completed or failed.",
});

export const DepositEvent = Type.Object(
  {
    id: Type.String({
      pattern: `^[!-~]{1,${DEPOSIT_ID_LENGTH_MAX}}$`,
      "x-rule": `must be 1 to ${DEPOSIT_ID_LENGTH_MAX} visible ASCII characters without spaces`,
      description: "The deposit's id, unique for its merchant.",
    }),
    merchantId: Type.String({ format: "uuid" }),
    payerId: Type.String({
      minLength: 1,
      maxLength: PAYER_ID_LENGTH_MAX,
      description:
        "The hosted flow's own reference to who pays, always the same for one person. Only a keyed hash of it is kept, " +
        "and it is never answered.",
    }),
    state: State,
    amount: UsdAmountInput,
    chainId: ChainId,
    token: Type.Object(
      {
        symbol: TokenSymbol("Token symbol."),
        address: Address("The token's contract on the destination chain."),
      },
      { title: "TokenInput", additionalProperties: false },
    ),
    embeddedWalletAddress: Address("The wallet the funds land in, never the one they come from."),
    createDate: InstantInput({ examples: ["2026-01-15T12:00:00.000Z"] }),
    updateDate: InstantInput({
      description: "When the state was reached. Of two events about a deposit the newer one stands.",
    }),
  },
  {
    title: "DepositEvent",
    additionalProperties: false,
    examples: [
      {
        id: "dep_01jh8y3v",
        merchantId: MERCHANT_ID,
        payerId: "payer-4711",
        state: "COMPLETED",
        amount: { value: "250.00", currency: "USD" },
        chainId: 8453,
        token: TOKEN,
        embeddedWalletAddress: WALLET,
        createDate: "2026-01-15T12:00:00.000Z",
        updateDate: "2026-01-15T12:03:10.250Z",
      },
    ],
  },
);

export const IngestRequest = Type.Object(
  { deposits: Type.Array(DepositEvent, { minItems: 1, maxItems: DEPOSITS_PER_BATCH_MAX }) },
  { title: "IngestRequest", additionalProperties: false },
);

/** A batch whose items are not looked at yet. */
export const IngestEnvelope = Type.Object(
  { deposits: Type.Array(Type.Unknown(), { minItems: 1, maxItems: DEPOSITS_PER_BATCH_MAX }) },
  { additionalProperties: false },
);

const EventError = Type.Object({ code: Type.String(), message: Type.String() }, { title: "DepositRefusal" });

export const IngestAnswer = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          id: nullable<string>(Type.String(), { description: "null: the item has no id that could be read." }),
          userId: Type.Optional(Type.String({ format: "uuid", description: "Not for a refused event." })),
          status: Type.Optional(Status),
          outcome: Type.Unsafe<EventOutcome | "refused">({
            type: "string",
            enum: ["created", "updated", "unchanged", "stale", "refused"],
            description:
              "unchanged: known already. stale: something newer is known. refused: only with `partial=true`; see `error`.",
          }),
          error: Type.Optional(EventError),
        },
        { title: "IngestResult" },
      ),
      { description: "One for each event, in the order of the request." },
    ),
  },
  {
    title: "IngestAnswer",
    examples: [{ results: [{ id: "dep_01jh8y3v", userId: USER_ID, status: "completed", outcome: "created" }] }],
  },
);

export const OverruleRequest = Type.Object(
  {
    state: nullable<DepositState>(
      {
        type: "string",
        enum: [...Object.keys(STATUS_OF_STATE), null],
        "x-rule": `must be one of ${Object.keys(STATUS_OF_STATE).join(", ")} or null`,
      },
      { description: "The state that the deposit has from now on. null: the one that the hosted flow reports." },
    ),
    reason: Reason,
  },
  {
    title: "OverruleDepositRequest",
    additionalProperties: false,
    examples: [{ state: "FAILED", reason: "The bank recalled the transfer, ticket 4711" }],
  },
);

export type OverruleRequest = Static<typeof OverruleRequest>;

/** What was received about a deposit, and what became of it. */
export const DepositHistoryEvent = Type.Object(
  {
    id: Type.String({ description: "Unique for the deposit." }),
    date: Type.String({ format: "date-time", description: "When it was received." }),
    actor: Type.String({ description: "Who sent it." }),
    requestId: Type.String({
      format: "uuid",
      description:
        "Of the request that brought it, as in the audit log. An import has an id of its own for each batch.",
    }),
    outcome: Type.Unsafe<KeptEvent["outcome"]>({
      type: "string",
      enum: [...EVENT_OUTCOMES],
      description:
        "overruled: an operator set the status, and later events do not change it. released: an operator left the status to " +
        "the hosted flow again.",
    }),
    status: nullable<DepositStatus>(Type.String({ enum: [...DEPOSIT_STATUSES, null] }), {
      description: "What the event says. null: it changed nothing.",
    }),
    amount: nullable<UsdAmount>(UsdAmount, { title: "DepositEventAmount" }),
    updateDate: nullable<string>(Type.String({ format: "date-time" })),
    error: nullable<Static<typeof EventError>>(EventError, {
      title: "DepositEventRefusal",
      description: "Why it was refused.",
    }),
    reason: nullable<string>(Type.String(), { description: "Why an operator changed the state." }),
  },
  { title: "DepositHistoryEvent" },
);

const Chain = Type.Object({ chainId: Type.Integer(), name: Type.String() }, { title: "Chain" });

const depositFields = {
  id: Type.String(),
  userId: Type.String({ format: "uuid", description: "Opaque and stable; joins deposits to the users list." }),
  status: Status,
  amount: UsdAmount,
  chain: Chain,
  token: Type.Object({ symbol: Type.String(), address: Type.String() }, { title: "Token" }),
  embeddedWalletAddress: Type.String({ description: "The wallet the funds landed in." }),
  createDate: Instant,
  updateDate: Instant,
};

const EXAMPLE_DEPOSIT = {
  id: "dep_01jh8y3v",
  userId: USER_ID,
  status: "completed",
  amount: { value: "250.00", currency: "USD" },
  chain: { chainId: 8453, name: "Base" },
  token: TOKEN,
  embeddedWalletAddress: WALLET,
  createDate: "2026-01-15T12:00:00.000Z",
  updateDate: "2026-01-15T12:03:10.250Z",
};

export const ReportedDeposit = Type.Object(depositFields, { title: "Deposit", examples: [EXAMPLE_DEPOSIT] });

export const OperatorDeposit = Type.Object(
  {
    merchantId: Type.String({ format: "uuid" }),
    ...depositFields,
    reportedStatus: nullable<DepositStatus>(Type.String({ enum: [...DEPOSIT_STATUSES, null] }), {
      description: "What the hosted flow reports where an operator set the status. null: the status is the flow's.",
    }),
  },
  {
    title: "OperatorDeposit",
    examples: [{ merchantId: MERCHANT_ID, ...EXAMPLE_DEPOSIT, reportedStatus: null }],
  },
);

const DepositSum = Type.Object(
  { amount: UsdAmount, count: Type.Integer() },
  { title: "DepositSum", description: "The sum of some deposits, and how many they are." },
);

export const EmbeddedWallet = Type.Object(
  { embeddedWalletAddress: Type.String({ description: "As first reported." }), chain: Chain },
  { title: "EmbeddedWallet", examples: [{ embeddedWalletAddress: WALLET, chain: { chainId: 8453, name: "Base" } }] },
);

export const ReportedUser = Type.Object(
  {
    userId: Type.String({ format: "uuid", description: "Opaque and stable; the filter for deposits." }),
    amounts: Type.Object(
      { total: DepositSum, completed: DepositSum, pending: DepositSum, failed: DepositSum },
      {
        title: "DepositSums",
        description:
          "`total` counts every status, `pending` the deposits in flight, `failed` the failed and expired ones. More may be " +
          "added later.",
      },
    ),
    firstDepositAt: Instant,
    lastDepositAt: Instant,
    embeddedWallets: Type.Array(EmbeddedWallet, {
      maxItems: NESTED_WALLETS_MAX,
      description:
        "Distinct wallets deposited into. Of more than 100, those deposited into first: compare with `walletCount`, and read " +
        "the others at `/wallets` of the user.",
    }),
    walletCount: Type.Integer({ description: "How many wallets the user deposited into, shown here or not." }),
  },
  {
    title: "ReportedUser",
    examples: [
      {
        userId: USER_ID,
        amounts: {
          total: { amount: { value: "300.00", currency: "USD" }, count: 2 },
          completed: { amount: { value: "250.00", currency: "USD" }, count: 1 },
          pending: { amount: { value: "50.00", currency: "USD" }, count: 1 },
          failed: { amount: { value: "0.00", currency: "USD" }, count: 0 },
        },
        firstDepositAt: "2026-01-15T12:00:00.000Z",
        lastDepositAt: "2026-02-01T08:30:00.000Z",
        embeddedWallets: [{ embeddedWalletAddress: WALLET, chain: { chainId: 8453, name: "Base" } }],
        walletCount: 1,
      },
    ],
  },
);

export const depositFilters = {
  userId: Type.Optional(Type.String({ format: "uuid", description: "Deposits of one user of the users list." })),
  status: Type.Optional(Status),
  chainId: Type.Optional(ChainId),
  createdAfter: Type.Optional(
    InstantFilter({
      description: "ISO-8601, inclusive. A date alone means 00:00 UTC; a time needs a zone.",
      examples: ["2026-01-01"],
    }),
  ),
  createdBefore: Type.Optional(
    InstantFilter({
      description: "ISO-8601, inclusive. A date alone means 00:00 UTC; a time needs a zone.",
      examples: ["2026-02-01T00:00:00Z"],
    }),
  ),
};

export const userFilters = {
  embeddedWalletAddress: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: ADDRESS_LENGTH_MAX,
      description:
        "Only the user who owns this wallet; upper and lower case are alike. No item: it never received a deposit.",
      examples: [WALLET],
    }),
  ),
  chainId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: CHAIN_ID_MAX,
      description: "Narrows embeddedWalletAddress to one chain; not alone.",
      examples: [8453],
    }),
  ),
};
