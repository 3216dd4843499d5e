import { Type } from "typebox";
import { Instant, SharedReason, Uuid } from "../http/fields.ts";
import {
  DESCRIPTION_LENGTH_MAX,
  DESCRIPTION_LENGTH_MIN,
  DOMAIN_LENGTH_MAX,
  EMAIL_LENGTH_MAX,
  PROOF_PAYLOAD_LENGTH_MAX,
  PROOF_SIGNATURE_LENGTH_MAX,
  SAME_MERCHANTS_MAX,
  TELEGRAM_LENGTH_MAX,
  TELEGRAM_LENGTH_MIN,
} from "../limits.ts";
import {
  EXAMPLE_KEY,
  EXAMPLE_MERCHANT_ID,
  MerchantName,
  MerchantStatusSchema,
  PublicKeyText,
} from "../merchants/schemas.ts";
import type { ApplicationStatus } from "./record.ts";

export const ApplicationRequest = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: EMAIL_LENGTH_MAX,
      format: "email",
      description: "Where the decision is sent. One plain address, without a display name.",
    }),
    domain: Type.String({
      minLength: 1,
      maxLength: DOMAIN_LENGTH_MAX,
      format: "hostname",
      description: "The host name the deposit flow is embedded on, without a scheme, port or path.",
    }),
    publicKey: PublicKeyText,
    telegram: Type.Optional(
      Type.Union(
        [
          Type.String({
            pattern: `^@?[A-Za-z0-9_]{${TELEGRAM_LENGTH_MIN},${TELEGRAM_LENGTH_MAX}}$`,
            "x-rule": `must be ${TELEGRAM_LENGTH_MIN} to ${TELEGRAM_LENGTH_MAX} letters, digits or underscores, with or without a leading @`,
          }),
          Type.Null(),
        ],
        { description: "A Telegram handle, with or without the leading @." },
      ),
    ),
    description: Type.String({
      minLength: DESCRIPTION_LENGTH_MIN,
      maxLength: DESCRIPTION_LENGTH_MAX,
      description: "What the merchant does, for the operator who reviews the application.",
    }),
    proof: Type.Optional(
      Type.Object(
        {
          payload: Type.String({
            minLength: 1,
            maxLength: PROOF_PAYLOAD_LENGTH_MAX,
            description:
              "base64url of the JSON object { version, purpose, domain, email, signatureTimestamp }: version is v1, " +
              "purpose is merchant-application, domain and email are the texts sent here.",
          }),
          signature: Type.String({
            minLength: 1,
            maxLength: PROOF_SIGNATURE_LENGTH_MAX,
            description: "base64url of the signature over the payload's text, with the private key of publicKey.",
          }),
        },
        {
          title: "ApplicationProof",
          additionalProperties: false,
          description:
            "Shows that you hold the private key. An application with proof wins over a pending one without it, so " +
            "no one can block your key by registering it first.",
        },
      ),
    ),
  },
  {
    title: "MerchantApplicationRequest",
    additionalProperties: false,
    examples: [
      {
        email: "payments@shop.example",
        domain: "shop.example",
        publicKey: EXAMPLE_KEY,
        telegram: "@shop_payments",
        description: "An online shop that lets its customers pay with stablecoins.",
      },
    ],
  },
);

export const ApplicationReceipt = Type.Object(
  {
    applicationId: Uuid,
    merchantId: Type.String({
      format: "uuid",
      description: "Reserved immediately; inert until the application is approved.",
    }),
    status: Type.String({ description: "PENDING, or ACTIVE in the sandbox, which approves by itself." }),
    message: Type.String(),
  },
  {
    title: "MerchantApplicationReceipt",
    examples: [
      {
        applicationId: "0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01",
        merchantId: EXAMPLE_MERCHANT_ID,
        status: "PENDING",
        message: "The application was received and is waiting for review. The decision will be sent by email.",
      },
    ],
  },
);

export const ApplicationStatusSchema = Type.Unsafe<ApplicationStatus>({
  title: "ApplicationStatus",
  type: "string",
  enum: ["PENDING", "APPROVED", "REJECTED"],
});

const SameMerchants = (description: string) =>
  Type.Array(
    Type.Object(
      { merchantId: Uuid, displayName: Type.String(), status: MerchantStatusSchema },
      { title: "SimilarMerchant" },
    ),
    { maxItems: SAME_MERCHANTS_MAX, description },
  );

export const Application = Type.Object(
  {
    applicationId: Uuid,
    merchantId: Uuid,
    status: ApplicationStatusSchema,
    email: Type.String(),
    domain: Type.String(),
    telegram: Type.Union([Type.String(), Type.Null()]),
    description: Type.String(),
    publicKey: Type.String(),
    keyFingerprint: Type.String({
      description: "SHA-256 of the key, to compare with the applicant by voice.",
    }),
    reason: Type.Union([Type.String(), Type.Null()], { description: "Why it was rejected." }),
    proven: Type.Boolean({
      description:
        "Whether the applicant proved that it holds the private key. Without it, the key may be somebody else's.",
    }),
    createDate: Instant,
    decideDate: Type.Union([Instant, Type.Null()]),
    sameKey: SameMerchants("Other merchants with this key, however it was spelled; active ones first."),
    sameDomain: SameMerchants(
      "Other merchants with this domain, as their own or an additional one, with www. or without; active ones first.",
    ),
  },
  { title: "Application" },
);

export const ApproveRequest = Type.Object(
  { displayName: Type.Optional(MerchantName) },
  { title: "ApproveApplicationRequest", additionalProperties: false, examples: [{ displayName: "Example Shop" }] },
);

export const RejectRequest = Type.Object(
  { reason: SharedReason("Sent to the applicant, and kept in the audit log.") },
  {
    title: "RejectApplicationRequest",
    additionalProperties: false,
    examples: [{ reason: "The domain does not resolve." }],
  },
);
