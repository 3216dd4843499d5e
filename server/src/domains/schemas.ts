import { Type } from "typebox";
import { DOMAIN_LENGTH_MAX } from "../limits.ts";

const MERCHANT_ID = "5f0c9a1e-6f2d-4f0f-9d0a-2f1f3b6a7c11";

const origins = (description: string) =>
  Type.Array(Type.String({ description: "Scheme and host, and the port unless it is the default one." }), {
    description,
  });

export const DomainRequest = Type.Object(
  {
    domain: Type.String({
      minLength: 1,
      maxLength: DOMAIN_LENGTH_MAX,
      description:
        "A hostname or localhost, optionally with a port. An http:// or https:// in front is ignored; a path is refused.",
    }),
  },
  { title: "MerchantDomainRequest", additionalProperties: false, examples: [{ domain: "shop.example" }] },
);

export const DomainReceipt = Type.Object(
  {
    merchantId: Type.String({ format: "uuid" }),
    domain: Type.String({ description: "The domain as it is stored: in lower case and punycode." }),
    added: origins("The origins that this call whitelisted; empty when they were whitelisted before."),
  },
  {
    title: "MerchantDomainReceipt",
    examples: [
      { merchantId: MERCHANT_ID, domain: "shop.example", added: ["https://shop.example", "https://www.shop.example"] },
    ],
  },
);

export type RegistryStatus = "PENDING" | "REGISTERED";

export const Domain = Type.Object(
  {
    merchantId: Type.String({ format: "uuid" }),
    domain: Type.String(),
    isPrimary: Type.Boolean({ description: "The domain of the application, which takes no slot." }),
    origins: origins("The one or two origins that the domain stands for."),
    registryStatus: Type.Unsafe<RegistryStatus>({
      type: "string",
      enum: ["PENDING", "REGISTERED"],
      description: "PENDING until the domain registry has answered. The origins are already allowed here.",
    }),
    registryError: Type.Union([Type.String(), Type.Null()], {
      description: "Why the last call to the registry failed. It is repeated until it succeeds.",
    }),
    createDate: Type.String({ format: "date-time", examples: ["2026-11-15T09:30:00.000Z"] }),
  },
  {
    title: "MerchantDomain",
    examples: [
      {
        merchantId: MERCHANT_ID,
        domain: "shop.example",
        isPrimary: true,
        origins: ["https://shop.example", "https://www.shop.example"],
        registryStatus: "REGISTERED",
        registryError: null,
        createDate: "2026-11-15T09:30:00.000Z",
      },
    ],
  },
);

export const OriginVerdict = Type.Object(
  {
    allowed: Type.Boolean(),
    reason: Type.String({ description: "Why, for people. Its wording may change." }),
  },
  { title: "OriginVerdict", examples: [{ allowed: true, reason: "Whitelisted by shop.example." }] },
);
