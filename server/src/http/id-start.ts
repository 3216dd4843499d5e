import { Type } from "typebox";
import type { IdRange } from "../db/id-range.ts";
import { DEPOSIT_ID_LENGTH_MAX, SEARCH_LENGTH_MAX } from "../limits.ts";
import { isUuid } from "./path-ids.ts";

const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";
// The console shows 2d8b9104…c3f1. Eight digits are few enough to remember, and leave few ids to look at.
const SHOWN = /^([0-9a-f-]{8,36})(?:(?:…|\.\.\.)([0-9a-f]{4})?)?$/;

const UNDASHED = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Reads a UUID, whole or as the console shows it; null for any other text. */
export function readIdStart(text: string): IdRange | null {
  const id = text.toLowerCase().replace(UNDASHED, "$1-$2-$3-$4-$5");
  const [, start = "", end = ""] = SHOWN.exec(id) ?? [];
  const first = start + LOWEST.slice(start.length);
  return start === "" || !isUuid(first) ? null : { first, last: start + HIGHEST.slice(start.length), end };
}

// Deposits have ids of any visible ASCII characters, compared byte by byte. DEL comes after all of them.
const DEPOSIT_ID = new RegExp(`^[!-~]{1,${DEPOSIT_ID_LENGTH_MAX}}$`);
const DEPOSIT_SHOWN = new RegExp(`^([!-~]{8,${DEPOSIT_ID_LENGTH_MAX}}?)(?:…|\\.\\.\\.)([!-~]{4})?$`);
const AFTER_ALL = "\x7f";
const START_LENGTH_MIN = 8;

/** Reads a deposit's id, whole or as the console shows it; null for any other text. Less than a start is the whole id. */
export function readDepositIdStart(text: string): IdRange | null {
  const [, start = text, end = ""] = DEPOSIT_SHOWN.exec(text) ?? [];
  if (!DEPOSIT_ID.test(start)) return null;
  return { first: start, last: start.length < START_LENGTH_MIN ? start : start + AFTER_ALL, end };
}

/** In a query. What is no start of an id is refused by the route. */
export const IdStart = (description: string) =>
  Type.String({ minLength: 1, maxLength: SEARCH_LENGTH_MAX, description, examples: ["2d8b9104"] });

export const ID_START_RULE = "must be an id, its first 8 or more characters, or its start and end as in 2d8b9104…c3f1.";
