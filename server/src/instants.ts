import { fail } from "./http/errors.ts";
import { HOUR_MS, MINUTE_MS } from "./limits.ts";

// Reads times strictly. `Date.parse` accepts `1`, turns February 30 into March 2 and reads a time without a zone as local
// time, so it is not used. Digits finer than a millisecond are cut off, not rounded, so that an inclusive filter still
// includes the row it was copied from.

// Seconds are optional because Java's OffsetDateTime leaves out `:00`. ISO-8601 allows a comma, and Python and PostgreSQL
// write the offsets `+0000` and `+00`.
const INSTANT =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,3})\d*)?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

// PostgreSQL and `toISOString` write the same text only for these years. An offset can lead out of them.
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** The milliseconds since 1970 of an ISO-8601 date and time with a zone, or null if the text is not one. */
export function parseInstant(text: string): number | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second = "0", fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] =
    match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // February 30 became March 2.
  if (date.getUTCDate() !== Number(day)) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, "0")));
  const offsetMs = Number(offsetHours) * HOUR_MS + Number(offsetMinutes) * MINUTE_MS;
  const instantMs = sign === "-" ? date.getTime() + offsetMs : date.getTime() - offsetMs;
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
