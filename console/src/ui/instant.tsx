import { formatInstant } from "./format.ts";
import { useTimeZone } from "./time-zone.ts";

/** A time in the zone that the header's switch says. Hovering shows the exact UTC text. */
export function Instant({ value }: { value: string }) {
  const zone = useTimeZone();
  // Plain elements: a table has hundreds of these, and a tooltip component takes longer to render than the rest of a row.
  return (
    <time dateTime={value} title={value} className="whole">
      {formatInstant(value, zone)}
    </time>
  );
}
