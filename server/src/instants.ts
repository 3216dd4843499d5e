import { DAY_MS, HOUR_MS } from "./limits.ts";

// Times as other people's libraries write them, read strictly. `Date.parse` takes `1`, rolls February 30 over into March
// and reads a time without a zone as local, so it is never asked. An instant is a number of milliseconds since 1970;
// finer digits are cut off, never rounded, so that an inclusive filter still meets the row it was copied from.

const MINUTE_MS = 60_000;

// The calendar repeats every 400 years. Counting from one cycle later avoids `Date.UTC`'s habit of reading the years
// 0 to 99 as 1900 to 1999.
const CALENDAR_CYCLE_YEARS = 400;
const CALENDAR_CYCLE_MS = 146_097 * DAY_MS;

// PostgreSQL and `toISOString` agree on the spelling of these years only; an offset may push a time out of them.
const EARLIEST_MS = -62_135_596_800_000; // 0001-01-01T00:00:00.000Z
const LATEST_MS = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

// Seconds are optional because Java's OffsetDateTime leaves out `:00`; a comma and the offsets `+0000` and `+00` are what
// ISO-8601, Python and PostgreSQL write.
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::(\d{2})(?:[.,](\d+))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The milliseconds since 1970 of an ISO-8601 date and time with a zone, or null when the text is not one. */
export function parseInstant(text: string): number | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;

  // What always stands at the same place is read there, which is quicker than to cut it out: every request has a time.
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = Number(match[1] ?? 0);
  const offsetHour = Number(match[4] ?? 0);
  const offsetMinute = Number(match[5] ?? 0);

  // 24:00 and the leap second :60 name an instant that has another, ordinary name; a client that means it can write that.
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  if (offsetHour > 23 || offsetMinute > 59) return null;

  const millisecond = match[2] === undefined ? 0 : Number(match[2].slice(0, 3).padEnd(3, "0"));
  const localMs =
    Date.UTC(year + CALENDAR_CYCLE_YEARS, month - 1, day, hour, minute, second, millisecond) - CALENDAR_CYCLE_MS;
  const offsetMs = (match[3] === "-" ? -1 : 1) * (offsetHour * HOUR_MS + offsetMinute * MINUTE_MS);
  const instantMs = localMs - offsetMs;

  return instantMs >= EARLIEST_MS && instantMs <= LATEST_MS ? instantMs : null;
}

/** As `parseInstant`, but a date alone is taken too and means its first moment in UTC (for query filters). */
export function parseInstantOrDate(text: string): number | null {
  return parseInstant(DATE.test(text) ? `${text}T00:00Z` : text);
}

const ZERO = 0x30;

function twoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - ZERO) + text.charCodeAt(at + 1) - ZERO;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
