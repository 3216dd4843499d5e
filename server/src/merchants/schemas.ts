import { Type } from "typebox";
import { DisplayName, Instant, Reason, Uuid } from "../http/fields.ts";
import { PUBLIC_KEY_LENGTH_MAX } from "../limits.ts";
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
  },
  {
    title: "EditMerchantRequest",
    additionalProperties: false,
    minProperties: 1,
    "x-rule": "must have displayName, requireBoundSignatures or both",
    examples: [{ displayName: "Example Shop" }, { requireBoundSignatures: true }],
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
