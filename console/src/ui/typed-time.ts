// Times are typed in UTC, as the API keeps them; each such field says so.

/** What a datetime-local input shows for an instant. An invalid instant is shown as nothing. */
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
