import { fail } from "./http/errors.ts";
import { HOUR_MS, MINUTE_MS } from "./limits.ts";

// Reads times strictly. `Date.parse` accepts `1`, turns February 30 into March 2 and reads a time without a zone as local
// time, so it only sees texts that this pattern accepts. Digits finer than a millisecond are cut off, not rounded, so that
// an inclusive filter still includes the row it was copied from.

// Seconds are optional because Java's OffsetDateTime leaves out `:00`. ISO-8601 allows a comma, and Python and PostgreSQL
// write the offsets `+0000` and `+00`.
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

// PostgreSQL and `toISOString` write the same text only for these years. An offset can lead out of them.
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** The milliseconds since 1970 of an ISO-8601 date and time with a zone, or null if the text is not one. */
export function parseInstant(text: string): number | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, minute, second = "00", fraction = "", sign, offsetHours = "00", offsetMinutes = "00"] = match;

  const utc = `${minute}:${second}.${fraction.slice(0, 3).padEnd(3, "0")}Z`;
  const localMs = Date.parse(utc);
  // Only a time that exists is written back unchanged. Month 13 gives NaN; February 30 and 24:00 give another text.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString() !== utc) return null;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;

  const offsetMs = Number(offsetHours) * HOUR_MS + Number(offsetMinutes) * MINUTE_MS;
  const instantMs = sign === "-" ? localMs + offsetMs : localMs - offsetMs;
  return instantMs >= EARLIEST_MS && instantMs <= LATEST_MS ? instantMs : null;
}

/** Like `parseInstant`, but accepts a date alone too, which means 00:00 UTC. For query filters. */
export function parseInstantOrDate(text: string): number | null {
  return parseInstant(DATE.test(text) ? `${text}T00:00Z` : text);
}

/** The time in a field of a request. */
export function readInstant(text: string, field: string): Date {
  const expected = "an ISO-8601 date and time with a zone, such as 2026-01-15T12:00:00.000Z";
  return new Date(parseInstant(text) ?? fail("VALIDATION_ERROR", `${field} must be ${expected}.`));
}

/** The time or date in a filter of a request. */
export function readInstantOrDate(text: string, field: string): Date {
  const expected = "an ISO-8601 date (2026-01-15) or a date and time with a zone (2026-01-15T12:00:00Z)";
  return new Date(parseInstantOrDate(text) ?? fail("VALIDATION_ERROR", `${field} must be ${expected}.`));
}
