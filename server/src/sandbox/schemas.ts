import { type Static, type TObject, type TProperties, Type } from "typebox";
import { CampaignStatusSchema, CreateCampaignRequest } from "../campaigns/schemas.ts";
import { DepositEvent } from "../deposits/schemas.ts";
import { visibleAscii } from "../http/fields.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../limits.ts";

// The same fields and rules as in production, but nearly all fields have a default.

const optional = <Properties extends TProperties>(schema: TObject<Properties>, options: object = {}) =>
  Type.Partial(schema, { additionalProperties: false, ...options });

const { merchantId: _caller, embeddedWalletAddress, ...depositFields } = DepositEvent.properties;

export const TestDepositRequest = Type.Object(
  { embeddedWalletAddress, ...optional(Type.Object(depositFields)).properties },
  {
    title: "TestDepositRequest",
    description:
      "A completed deposit of 100.00 USD made now on Base Sepolia, unless said otherwise. With an `id` it can be sent " +
      "again: to repeat the call, or to report a later state of the same deposit.",
    additionalProperties: false,
    examples: [{ embeddedWalletAddress: "0x52908400098527886E0F7030069857D2E4169EE7" }],
  },
);
export type TestDepositRequest = Static<typeof TestDepositRequest>;

const { merchantId: _owner, perTradeProfitMatch, ...campaignFields } = CreateCampaignRequest.properties;

export const TestCampaignRequest = Type.Object(
  {
    idempotencyKey: Type.Optional(
      Type.String({
        ...visibleAscii(IDEMPOTENCY_KEY_LENGTH_MAX),
        description: "A call with the same key is answered with the campaign that the first one made.",
      }),
    ),
    status: Type.Optional(CampaignStatusSchema),
    ...optional(Type.Object(campaignFields)).properties,
    perTradeProfitMatch: Type.Optional(optional(perTradeProfitMatch, { title: "TestPerTradeProfitMatch" })),
  },
  {
    title: "TestCampaignRequest",
    description:
      "ACTIVE, from 30 days ago to 30 days from now, with a multiplier of 2, at most 5,000 USDC a user and 100,000 USDC in " +
      "all, unless said otherwise.",
    additionalProperties: false,
    examples: [{ displayName: "Double your profit", perTradeProfitMatch: { matchMultiplier: 2 } }],
  },
);
export type TestCampaignRequest = Static<typeof TestCampaignRequest>;
