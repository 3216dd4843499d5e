// An application for a merchant account, as the rules read and return it.
import type { MerchantStatus } from "../merchants/record.ts";

export type ApplicationStatus = "PENDING" | "APPROVED" | "REJECTED";

interface ApplicationFields {
  readonly applicationId: string;
  /** Reserved by the application. */
  readonly merchantId: string;
  readonly email: string;
  readonly domain: string;
  readonly telegram: string | null;
  readonly description: string;
  /** The canonical PEM. */
  readonly publicKey: string;
  /** Whether the applicant proved that it holds the private key. */
  readonly proven: boolean;
}

export interface NewApplication extends ApplicationFields {
  readonly publicKeyPoint: Buffer;
}

export interface Application extends ApplicationFields {
  readonly status: ApplicationStatus;
  /** Why it was rejected. */
  readonly reason: string | null;
  readonly createDate: Date;
  readonly decideDate: Date | null;
  /** Other merchants with this key or this domain, active ones first. */
  readonly sameKey: SameMerchant[];
  readonly sameDomain: SameMerchant[];
}

export interface SameMerchant {
  readonly merchantId: string;
  readonly displayName: string;
  readonly status: MerchantStatus;
}
