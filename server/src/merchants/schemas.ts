import { Type } from "typebox";
import { DisplayName, Instant, Reason, Uuid } from "../http/fields.ts";
import { PER_MERCHANT_MAX, PUBLIC_KEY_LENGTH_MAX } from "../limits.ts";
import type { MerchantStatus } from "./record.ts";

export const EXAMPLE_MERCHANT_ID = "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11";

export const EXAMPLE_KEY =
  "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\n6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\n-----END PUBLIC KEY-----\n";

export const PublicKeyText = Type.String({
  minLength: 1,
  maxLength: PUBLIC_KEY_LENGTH_MAX,
  description: "An ECDSA P-256 public key: one PEM block that begins -----BEGIN PUBLIC KEY-----.",
});

export const PublicKeyAnswer = Type.Object(
  {
    merchantId: Uuid,
    algorithm: Type.String({ description: "Always ECDSA_P256_SHA256." }),
    publicKey: Type.String({ description: "The current key, as a PEM." }),
  },
  {
    title: "MerchantPublicKey",
    examples: [{ merchantId: EXAMPLE_MERCHANT_ID, algorithm: "ECDSA_P256_SHA256", publicKey: EXAMPLE_KEY }],
  },
);

export const MerchantStatusSchema = Type.Unsafe<MerchantStatus>({
  title: "MerchantStatus",
  type: "string",
  enum: ["PENDING", "ACTIVE", "SUSPENDED", "REJECTED"],
});

const limitOf = (what: string, example: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PER_MERCHANT_MAX,
      description: `${what} in progress in each process, those that wait for their turn included. Absent: as for all merchants.`,
      examples: [example],
    }),
  );

const RateLimit = Type.Object(
  {
    requests: limitOf("Reads and dry runs", 20),
    submissions: limitOf("Submissions", 100),
    depositBatches: limitOf("Batches of deposits, mostly of this merchant,", 4),
  },
  {
    title: "RateLimit",
    additionalProperties: false,
    minProperties: 1,
    "x-rule": "must have requests, submissions or depositBatches",
  },
);

export const Merchant = Type.Object(
  {
    merchantId: Uuid,
    displayName: Type.String(),
    algorithm: Type.String(),
    status: MerchantStatusSchema,
    publicKey: Type.String(),
    keyFingerprint: Type.String(),
    requireBoundSignatures: Type.Boolean({
      description: "Whether signed requests must be bound: unbound ones get 422 MERCHANT_SIGNATURE_INVALID.",
    }),
    rateLimit: Type.Union([RateLimit, Type.Null()], {
      description: "The merchant's own limits. Null: those of all merchants.",
    }),
    email: Type.String(),
    domain: Type.String({ description: "The primary domain, whitelisted by the approval." }),
    createDate: Instant,
    updateDate: Instant,
  },
  { title: "Merchant" },
);

/** A merchant's name, as operators write it. */
export const MerchantName = Type.String({ ...DisplayName, examples: ["Example Shop"] });

export const EditMerchantRequest = Type.Object(
  {
    displayName: Type.Optional(MerchantName),
    requireBoundSignatures: Type.Optional(
      Type.Boolean({
        description:
          "true: only requests whose signature is bound to them are accepted, in every process once this is answered.",
      }),
    ),
    rateLimit: Type.Optional(
      Type.Union([RateLimit, Type.Null()], {
        description:
          "The merchant's own limits, in every process once this is answered. They replace those it had. Null: the limits of all merchants.",
      }),
    ),
  },
  {
    title: "EditMerchantRequest",
    additionalProperties: false,
    minProperties: 1,
    "x-rule": "must have displayName, requireBoundSignatures or rateLimit",
    examples: [{ displayName: "Example Shop" }, { requireBoundSignatures: true }, { rateLimit: { requests: 20 } }],
  },
);

export const RotateRequest = Type.Object(
  {
    publicKey: PublicKeyText,
    allowRetired: Type.Optional(
      Type.Boolean({
        description: "true: also a key that was swapped out before. The audit log shows it.",
      }),
    ),
    reason: Type.Optional(Reason),
  },
  { title: "RotatePublicKeyRequest", additionalProperties: false, examples: [{ publicKey: EXAMPLE_KEY }] },
);
