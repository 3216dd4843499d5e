import pg from "pg";

/** How the columns of a row are read. */
export type RowTypes = pg.CustomTypesConfig;

const { INT8, TIMESTAMPTZ } = pg.types.builtins;

// Chain ids and counts are 64-bit in SQL and stay below 2^53 by constraint. Money is numeric and stays text.
function readInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("A 64-bit integer beyond 2^53 cannot be read as a number.");
  return value;
}

const readDate: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ);

/** What PostgreSQL writes for most dates in UTC: 2026-01-15 12:00:00.25+00 */
const USUAL_DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?\+00$/;

/** The text that `toISOString` gives for this date, without making a Date of it. */
export function isoDate(text: string): string {
  if (!USUAL_DATE.test(text)) return readDate(text).toISOString();
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, "0")}Z`;
}

function typesWith(readTimestamp: (text: string) => Date | string): RowTypes {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, readInteger);
  types.setTypeParser(TIMESTAMPTZ, readTimestamp);
  return types;
}

export const ROW_TYPES = typesWith(readDate);

/**
 * Dates as ISO-8601 texts, for rows that are only shown. To parse the dates of a page and to print them again took longer than
 * all the rest of reading its rows.
 */
export const ISO_DATES = typesWith(isoDate);
