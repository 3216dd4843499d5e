export { generateKeyPair, importPrivateKey, importPublicKey, type KeyPair } from "./keys.ts";
export { type PaymentLinkPayload, type PaymentLinkReading, readPaymentLink } from "./payment-link.ts";
export { KeyError } from "./pem.ts";
export { AUTHORIZATION_HEADER, type SignHeaderOptions, signHeader } from "./sign-header.ts";
export {
  type HeaderRefusalCode,
  type HeaderVerdict,
  type VerifyHeaderOptions,
  verifyHeader,
} from "./verify-header.ts";
