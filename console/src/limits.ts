// What the API allows. Fields accept no more.

export const ADDRESS_LENGTH_MAX = 128;
/** How long an approved token waits for the one who asked for it. */
export const APPROVAL_HOURS = 72;
export const DISPLAY_NAME_LENGTH_MAX = 255;
export const PARTICIPANTS_PER_WALLET_MAX = 1_000;
export const PAYOUTS_PER_RUN_MAX = 10_000;
export const PUBLIC_KEY_LENGTH_MAX = 4_096;
export const REASON_LENGTH_MAX = 1_000;
export const RUN_NOTE_LENGTH_MAX = 1_000;
/** How many transfers the server puts into one file for Safe's transaction builder. */
export const SAFE_BATCH_TRANSFERS_MAX = 200;
export const SEARCH_LENGTH_MAX = 255;
export const TRANSACTION_HASH_LENGTH_MAX = 128;
