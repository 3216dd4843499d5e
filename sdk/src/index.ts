export {
  type ApplicationProof,
  type SignApplicationProofOptions,
  signApplicationProof,
} from "./application-proof.ts";
export type { Bind, Environment, SignedRequest } from "./bind.ts";
export {
  type ApplicationOptions,
  type CallOptions,
  Matchbook,
  type MatchbookOptions,
  type Submission,
} from "./client.ts";
export { type ClientErrorCode, MatchbookError } from "./errors.ts";
export type { KnownRequest } from "./explain-bind.ts";
export {
  type ExplainHeaderOptions,
  explainHeader,
  type HeaderExplanation,
  type KnownMerchant,
} from "./explain-header.ts";
export { generateKeyPair, importPrivateKey, importPublicKey, type KeyPair } from "./keys.ts";
export type { Page, PagedList } from "./pages.ts";
export { type PaymentLinkPayload, type PaymentLinkReading, readPaymentLink } from "./payment-link.ts";
export { KeyError } from "./pem.ts";
export type { WebCryptoKey } from "./platform.ts";
export { AUTHORIZATION_HEADER, type SignHeaderOptions, signHeader } from "./sign-header.ts";
export { createSigner, type Destination, type SignedPaymentLink, type SignerOptions } from "./signer.ts";
export type { SignCallback, SigningKey } from "./signing-key.ts";
export type { ConnectionOptions } from "./transport.ts";
export type * from "./types.ts";
export {
  type HeaderRefusalCode,
  type HeaderVerdict,
  type VerifyHeaderOptions,
  verifyHeader,
} from "./verify-header.ts";
export {
  type PaymentLinkEnvelope,
  type PaymentLinkRefusalCode,
  type PaymentLinkVerdict,
  type VerifyPaymentLinkOptions,
  verifyPaymentLink,
} from "./verify-payment-link.ts";
