import { Type } from "typebox";
import {
  DESCRIPTION_LENGTH_MAX,
  DESCRIPTION_LENGTH_MIN,
  DISPLAY_NAME_LENGTH_MAX,
  DOMAIN_LENGTH_MAX,
  EMAIL_LENGTH_MAX,
  PROOF_PAYLOAD_LENGTH_MAX,
  PROOF_SIGNATURE_LENGTH_MAX,
  PUBLIC_KEY_LENGTH_MAX,
  REASON_LENGTH_MAX,
  SAME_MERCHANTS_MAX,
  TELEGRAM_LENGTH_MAX,
  TELEGRAM_LENGTH_MIN,
} from "../limits.ts";

export type ApplicationStatus = "PENDING" | "APPROVED" | "REJECTED";
export type MerchantStatus = "PENDING" | "ACTIVE" | "SUSPENDED" | "REJECTED";

const EXAMPLE_KEY =
  "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n";

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
    publicKey: Type.String({
      minLength: 1,
      maxLength: PUBLIC_KEY_LENGTH_MAX,
      description: "An ECDSA P-256 public key: one PEM block that begins -----BEGIN PUBLIC KEY-----.",
    }),
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
          additionalProperties: false,
          description:
            "Shows that you hold the private key. An application with proof wins over a pending one without it, so " +
            "nobody can block your key by registering it first.",
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

const MERCHANT_ID = "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11";

export const ApplicationReceipt = Type.Object(
  {
    applicationId: Type.String({ format: "uuid" }),
    merchantId: Type.String({
      format: "uuid",
      description: "Reserved at once; inert until the application is approved.",
    }),
    status: Type.String({ description: "PENDING, or ACTIVE in the sandbox, which approves by itself." }),
    message: Type.String(),
  },
  {
    title: "MerchantApplicationReceipt",
    examples: [
      {
        applicationId: "0d5a7f6c-52a4-4a1c-8d2e-8f5b3a9e4c01",
        merchantId: MERCHANT_ID,
        status: "PENDING",
        message: "The application was received and waits for review. The decision will be sent by email.",
      },
    ],
  },
);

export const PublicKeyAnswer = Type.Object(
  {
    merchantId: Type.String({ format: "uuid" }),
    algorithm: Type.String({ description: "Always ECDSA_P256_SHA256." }),
    publicKey: Type.String({ description: "The key in force, as a PEM." }),
  },
  {
    title: "MerchantPublicKey",
    examples: [{ merchantId: MERCHANT_ID, algorithm: "ECDSA_P256_SHA256", publicKey: EXAMPLE_KEY }],
  },
);

const Instant = Type.String({ format: "date-time", examples: ["2026-11-15T09:30:00.000Z"] });

export const ApplicationStatusSchema = Type.Unsafe<ApplicationStatus>({
  type: "string",
  enum: ["PENDING", "APPROVED", "REJECTED"],
});

export const MerchantStatusSchema = Type.Unsafe<MerchantStatus>({
  type: "string",
  enum: ["PENDING", "ACTIVE", "SUSPENDED", "REJECTED"],
});

const SameMerchants = (description: string) =>
  Type.Array(
    Type.Object({
      merchantId: Type.String({ format: "uuid" }),
      displayName: Type.String(),
      status: MerchantStatusSchema,
    }),
    { maxItems: SAME_MERCHANTS_MAX, description },
  );

export const Application = Type.Object(
  {
    applicationId: Type.String({ format: "uuid" }),
    merchantId: Type.String({ format: "uuid" }),
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

export const Merchant = Type.Object(
  {
    merchantId: Type.String({ format: "uuid" }),
    displayName: Type.String(),
    algorithm: Type.String(),
    status: MerchantStatusSchema,
    publicKey: Type.String(),
    keyFingerprint: Type.String(),
    requireBoundSignatures: Type.Boolean({
      description: "Whether signed requests must be bound: unbound ones get 422 MERCHANT_SIGNATURE_INVALID.",
    }),
    email: Type.String(),
    domain: Type.String({ description: "The primary domain, whitelisted by the approval." }),
    createDate: Instant,
    updateDate: Instant,
  },
  { title: "Merchant" },
);

const DisplayName = Type.String({
  minLength: 1,
  maxLength: DISPLAY_NAME_LENGTH_MAX,
  pattern: "\\S",
  "x-rule": `must be 1 to ${DISPLAY_NAME_LENGTH_MAX} characters, not all of them spaces`,
  examples: ["Example Shop"],
});

export const ApproveRequest = Type.Object(
  { displayName: Type.Optional(DisplayName) },
  { additionalProperties: false, examples: [{ displayName: "Example Shop" }] },
);

export const RejectRequest = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: REASON_LENGTH_MAX,
      pattern: "\\S",
      "x-rule": `must be 1 to ${REASON_LENGTH_MAX} characters, not all of them spaces`,
      description: "Sent to the applicant.",
    }),
  },
  { additionalProperties: false, examples: [{ reason: "The domain does not resolve." }] },
);

export const EditMerchantRequest = Type.Object(
  {
    displayName: Type.Optional(DisplayName),
    requireBoundSignatures: Type.Optional(
      Type.Boolean({
        description:
          "true: only requests whose signature is bound to them are accepted, in every process once this is answered.",
      }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    "x-rule": "must have displayName, requireBoundSignatures or both",
    examples: [{ displayName: "Example Shop" }, { requireBoundSignatures: true }],
  },
);

export const RotateRequest = Type.Object(
  {
    publicKey: ApplicationRequest.properties.publicKey,
    allowRetired: Type.Optional(
      Type.Boolean({
        description: "true: also a key that was swapped out before. The audit log shows that it was said.",
      }),
    ),
  },
  { additionalProperties: false, examples: [{ publicKey: EXAMPLE_KEY }] },
);
