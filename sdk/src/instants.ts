// Times as the service reads them: ISO-8601 with seconds of any precision or none, and a zone. Finer digits than
// milliseconds are cut off.

const INSTANT =
  /^(?<minute>\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<zone>Z|[+-]\d\d(?::?\d\d)?)$/;
const YEAR_ONE_MS = Date.parse("0001-01-01T00:00:00.000Z");
const YEAR_TEN_THOUSAND_MS = Date.parse("+010000-01-01T00:00:00.000Z");

/** The milliseconds since 1970, or null when the text is not such a time. */
export function parseInstant(text: string): number | null {
  const groups = INSTANT.exec(text)?.groups;
  if (groups === undefined) return null;

  const millisecond = (groups.fraction ?? "").slice(0, 3).padEnd(3, "0");
  const utc = `${groups.minute}:${groups.second ?? "00"}.${millisecond}Z`;
  const date = new Date(utc);
  // Only a time that exists is written again as it was read: February 30 and hour 24 are not.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== utc) return null;

  const offsetMs = parseOffset(groups.zone ?? "Z");
  if (offsetMs === null) return null;
  const instantMs = date.getTime() - offsetMs;
  return instantMs >= YEAR_ONE_MS && instantMs < YEAR_TEN_THOUSAND_MS ? instantMs : null;
}

function parseOffset(zone: string): number | null {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || "0");
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
