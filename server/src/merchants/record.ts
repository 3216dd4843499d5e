// A merchant as the rules read and return it.

export type MerchantStatus = "PENDING" | "ACTIVE" | "SUSPENDED" | "REJECTED";

/** What a signed request is checked against. */
export interface StoredCredential {
  readonly status: MerchantStatus;
  /** The canonical PEM. */
  readonly publicKey: string;
  readonly requireBoundSignatures: boolean;
}

/** A merchant's own limits of requests in progress in each process. An absent one is that of all merchants. */
export interface RateLimit {
  readonly requests?: number;
  readonly submissions?: number;
  readonly depositBatches?: number;
}

/** What every process remembers of a merchant for a moment. */
export interface RememberedMerchant extends StoredCredential {
  readonly rateLimit: RateLimit | null;
}

export interface Merchant extends RememberedMerchant {
  readonly merchantId: string;
  readonly displayName: string;
  readonly algorithm: string;
  readonly email: string;
  /** The primary domain. */
  readonly domain: string;
  readonly createDate: Date;
  readonly updateDate: Date;
}
