import { Type } from "typebox";
import type { IdRange } from "../db/id-range.ts";
import { SEARCH_LENGTH_MAX } from "../limits.ts";
import { isUuid } from "./path-ids.ts";

const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";
// The console shows 2d8b9104…c3f1. Eight digits are few enough to remember, and leave few ids to look at.
const SHOWN = /^([0-9a-f-]{8,36})(?:(?:…|\.\.\.)([0-9a-f]{4})?)?$/;

/** Reads an id, whole or as the console shows it; null for any other text. */
export function readIdStart(text: string): IdRange | null {
  const [, start = "", end = ""] = SHOWN.exec(text.toLowerCase()) ?? [];
  const first = start + LOWEST.slice(start.length);
  return start === "" || !isUuid(first) ? null : { first, last: start + HIGHEST.slice(start.length), end };
}

/** In a query. What is no start of an id is refused by the route. */
export const IdStart = (description: string) =>
  Type.String({ minLength: 1, maxLength: SEARCH_LENGTH_MAX, description, examples: ["2d8b9104"] });

export const ID_START_RULE = "must be an id, its first 8 or more characters, or its start and end as in 2d8b9104…c3f1.";
