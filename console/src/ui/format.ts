// One format for numbers and times everywhere, in every browser: English words, commas between thousands, a 24-hour clock.

const COUNT = new Intl.NumberFormat("en-US");
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 2 });
const DECIMAL = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** "1,234" */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** "1.35K", for the axis of a chart. */
export function formatCompact(value: number): string {
  return COMPACT.format(value);
}

/** "1,234.57", for what was drawn from a float. */
export function formatDrawn(value: number): string {
  return DECIMAL.format(value);
}

export type TimeZone = "UTC" | "local";

const MINUTE = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "short",
} as const;
const DAY = { year: "numeric", month: "short", day: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;

// To make a format takes longer than to use it a hundred times, and a table has many times.
const formats = {
  UTC: formatsOf("UTC"),
  local: formatsOf(undefined),
};

function formatsOf(timeZone: string | undefined) {
  return {
    minute: new Intl.DateTimeFormat("en-GB", { ...MINUTE, timeZone }),
    day: new Intl.DateTimeFormat("en-GB", { ...DAY, timeZone }),
    time: new Intl.DateTimeFormat("en-GB", { ...TIME, timeZone }),
  };
}

/** "15 Nov 2026, 09:30 UTC" */
export function formatInstant(instant: string | number, zone: TimeZone): string {
  return withPlainMonth(formats[zone].minute.format(new Date(instant)));
}

/** "15 Nov 2026" */
export function formatDay(instant: string | number, zone: TimeZone): string {
  return withPlainMonth(formats[zone].day.format(new Date(instant)));
}

/** "09:30:00" */
export function formatTime(instant: string | number, zone: TimeZone): string {
  return formats[zone].time.format(new Date(instant));
}

/** British English alone writes this month with four letters. */
function withPlainMonth(text: string): string {
  return text.replace("Sept", "Sep");
}
