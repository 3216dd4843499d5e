import { formatInstant } from "./format.ts";
import { useTimeZone } from "./time-zone.ts";

/** A time in the zone that the header's switch says. Hovering shows the exact UTC text. */
export function Instant({ value }: { value: string }) {
  const zone = useTimeZone();
  const [day, time] = formatInstant(value, zone).split(", ");
  // Plain elements: a table has hundreds of these, and a tooltip component takes longer to render than the rest of a row.
  return (
    <time dateTime={value} title={value} className="whole">
      {/* In a narrow column the line breaks here only. */}
      <span className="whole">{day},</span> <span className="whole">{time}</span>
    </time>
  );
}
