// A merchant as the rules read and return it.

export type MerchantStatus = "PENDING" | "ACTIVE" | "SUSPENDED" | "REJECTED";

/** What a signed request is checked against. */
export interface StoredCredential {
  readonly status: MerchantStatus;
  /** The canonical PEM. */
  readonly publicKey: string;
  readonly requireBoundSignatures: boolean;
}

export interface Merchant extends StoredCredential {
  readonly merchantId: string;
  readonly displayName: string;
  readonly algorithm: string;
  readonly email: string;
  /** The primary domain. */
  readonly domain: string;
  readonly createDate: Date;
  readonly updateDate: Date;
}
