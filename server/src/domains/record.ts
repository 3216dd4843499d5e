// A merchant's domains as the rules read and return them.

export const PRIMARY_SLOT = 0;

/** A whitelisted domain. */
export interface Domain {
  readonly domain: string;
  readonly slot: number;
  readonly origins: readonly string[];
  /** Whether the registry may differ from our tables. */
  readonly isUnsettled: boolean;
  /** Why the last call to the registry failed. */
  readonly registryError: string | null;
  readonly createDate: Date;
}

export interface NewDomain {
  readonly merchantId: string;
  readonly domain: string;
  readonly slot: number;
  readonly origins: readonly string[];
}

export interface Hold {
  readonly holder: string;
  readonly leaseEnd: Date;
  /** The additional domain that the holder is adding; null when it settles what is already decided. */
  readonly reservedDomain: string | null;
}

/** The last mail about added domains, sent or waiting. */
export interface DomainMail {
  readonly jobId: string;
  readonly dueDate: Date;
  readonly domains: readonly string[];
}
