import { UsageError } from "./command.ts";

const DAY_MS = 86_400_000;
const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };
const DAYS_FROM_TODAY: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

export const TIME_HELP = `TIME is a date (2026-01-15, which means 00:00 UTC), a time with a zone (2026-01-15T12:00:00Z), now, today, yesterday or tomorrow
(UTC too), or a distance from now in minutes, hours, days or weeks: -30m, -12h, -7d, +2w.`;

/** The time that an option names, as the service reads it. */
export function readTime(text: string, name: string, nowMs = Date.now()): string {
  const timeMs = parseTime(text.trim(), nowMs);
  if (timeMs === null) {
    throw new UsageError(
      `${name} must be a date (2026-01-15), a time with a zone (2026-01-15T12:00:00Z), today, yesterday, or a distance such as -7d or -12h; not ${text}.`,
    );
  }
  return new Date(timeMs).toISOString();
}

function parseTime(text: string, nowMs: number): number | null {
  const word = text.toLowerCase();
  if (word === "now") return nowMs;
  const days = Object.hasOwn(DAYS_FROM_TODAY, word) ? DAYS_FROM_TODAY[word] : undefined;
  if (days !== undefined) return Math.floor(nowMs / DAY_MS + days) * DAY_MS;
  const [, sign, count, unit = ""] = /^([+-])(\d{1,5})([mhdw])$/.exec(word) ?? [];
  if (sign !== undefined) return nowMs + Number(`${sign}${count}`) * (UNITS_MS[unit] ?? 0);

  const upper = text.toUpperCase();
  const [, day = ""] =
    /^((?!0000)\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(upper) ?? [];
  const midnightMs = Date.parse(day);
  // Date.parse turns February 30 into March 2.
  if (Number.isNaN(midnightMs) || new Date(midnightMs).toISOString().slice(0, 10) !== day) return null;
  const timeMs = Date.parse(upper);
  return Number.isNaN(timeMs) ? null : timeMs;
}
