import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./limits.ts";

// Times as other people's libraries write them, read strictly. `Date.parse` takes `1`, rolls February 30 over into March
// and reads a time without a zone as local, so it is never asked. An instant is a number of milliseconds since 1970;
// finer digits are cut off, never rounded, so that an inclusive filter still meets the row it was copied from.

// PostgreSQL and `toISOString` agree on the spelling of these years only; an offset may push a time out of them.
const EARLIEST_MS = -62_135_596_800_000; // 0001-01-01T00:00:00.000Z
const LATEST_MS = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

// Seconds are optional because Java's OffsetDateTime leaves out `:00`; a comma and the offsets `+0000` and `+00` are what
// ISO-8601, Python and PostgreSQL write.
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The milliseconds since 1970 of an ISO-8601 date and time with a zone, or null when the text is not one. */
export function parseInstant(text: string): number | null {
  if (!INSTANT.test(text)) return null;

  // Every request brings a time, so its parts are read where they stand instead of being cut out.
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  let at = 16;
  let second = 0;
  let millisecond = 0;
  if (text[at] === ":") {
    second = twoDigits(text, 17);
    at = 19;
    if (text[at] === "." || text[at] === ",") {
      let unit = 100;
      for (at++; isDigit(text, at); at++) {
        millisecond += unit * digit(text, at);
        unit = Math.floor(unit / 10);
      }
    }
  }
  const offsetHour = text[at] === "Z" ? 0 : twoDigits(text, at + 1);
  const offsetMinute = text.length <= at + 3 ? 0 : twoDigits(text, text.length - 2);

  // 24:00 and the leap second :60 name an instant that has another, ordinary name; a client that means it can write that.
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  if (offsetHour > 23 || offsetMinute > 59) return null;

  const offsetMs = (text[at] === "-" ? -1 : 1) * (offsetHour * HOUR_MS + offsetMinute * MINUTE_MS);
  const timeMs = hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + millisecond;
  const instantMs = daysSince1970(year, month, day) * DAY_MS + timeMs - offsetMs;
  return instantMs >= EARLIEST_MS && instantMs <= LATEST_MS ? instantMs : null;
}

/** As `parseInstant`, but a date alone is taken too and means its first moment in UTC (for query filters). */
export function parseInstantOrDate(text: string): number | null {
  return parseInstant(DATE.test(text) ? `${text}T00:00Z` : text);
}

const ZERO = 0x30;

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - ZERO;
}

function twoDigits(text: string, at: number): number {
  return 10 * digit(text, at) + digit(text, at + 1);
}

function isDigit(text: string, at: number): boolean {
  return digit(text, at) >= 0 && digit(text, at) <= 9;
}

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
/** From January 1 of the year 1. */
const DAYS_BEFORE_1970 = 719_162;

// Not by `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999.
function daysSince1970(year: number, month: number, day: number): number {
  const past = year - 1;
  const leapDays = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  const daysBeforeMonth = (DAYS_BEFORE_MONTH[month - 1] as number) + (month > 2 && isLeap(year) ? 1 : 0);
  return 365 * past + leapDays + daysBeforeMonth + (day - 1) - DAYS_BEFORE_1970;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
