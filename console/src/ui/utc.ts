// Operators type and read the limits of a window in UTC, as the API keeps them.

/** "1 Nov 2026, 00:00 UTC" in the reader's own way of writing dates. */
export function formatUtc(instant: string): string {
  const text = new Date(instant).toLocaleString(undefined, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${text} UTC`;
}

/** What a datetime-local input shows for an instant; nothing when it is none. */
export function toUtcInput(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return "";
  return date
    .toISOString()
    .slice(0, -1)
    .replace(/\.000$/, "")
    .replace(/:00$/, "");
}

/** The instant that a datetime-local input means when it is read as UTC. */
export function fromUtcInput(text: string): string | null {
  const date = new Date(`${text}Z`);
  return text === "" || Number.isNaN(date.getTime()) ? null : date.toISOString();
}
