/** The rows that a check looks at: those behind one key, up to another. Positions matter for the journal alone. */
export interface CheckRange {
  readonly afterMerchant: string;
  readonly afterId: string;
  readonly afterPosition: number;
  readonly lastMerchant: string;
  readonly lastId: string;
  readonly lastPosition: number;
}

// Ids are random, so none of them is one of these.
export const FIRST_ID = "00000000-0000-0000-0000-000000000000";
export const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** All rows of one merchant, or of all. */
export function rangeOf(merchantId: string | null): CheckRange {
  return {
    afterMerchant: merchantId ?? FIRST_ID,
    afterId: FIRST_ID,
    afterPosition: 0,
    lastMerchant: merchantId ?? LAST_ID,
    lastId: LAST_ID,
    lastPosition: Number.MAX_SAFE_INTEGER,
  };
}
