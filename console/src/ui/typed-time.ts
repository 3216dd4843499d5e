import type { TimeZone } from "./format.ts";

// Times are typed in the zone that the header's switch says; each such field names it.

/** What a datetime-local input shows for an instant. An invalid instant is shown as nothing. */
export function toTypedTime(instant: string, zone: TimeZone): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return "";
  return (zone === "UTC" ? date.toISOString().slice(0, -1) : localText(date)).replace(/\.000$/, "").replace(/:00$/, "");
}

/** The instant that a datetime-local input means. */
export function fromTypedTime(text: string, zone: TimeZone): string | null {
  // Without a zone, a date with a time is local.
  const date = new Date(zone === "UTC" ? `${text}Z` : text);
  return text === "" || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** "Starts (UTC)" or "Starts (local time)". */
export function inZone(label: string, zone: TimeZone): string {
  return `${label} (${zone === "UTC" ? "UTC" : "local time"})`;
}

function localText(date: Date): string {
  const day = [padded(date.getFullYear(), 4), padded(date.getMonth() + 1), padded(date.getDate())].join("-");
  const time = [padded(date.getHours()), padded(date.getMinutes()), padded(date.getSeconds())].join(":");
  return `${day}T${time}.${padded(date.getMilliseconds(), 3)}`;
}

function padded(number: number, length = 2): string {
  return String(number).padStart(length, "0");
}
