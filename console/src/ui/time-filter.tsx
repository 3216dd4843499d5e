import { FilterInput } from "./filter-input.tsx";
import { useTimeZone } from "./time-zone.ts";
import { fromTypedTime, inZone, toTypedTime } from "./typed-time.ts";

interface TimeFilterProps {
  readonly label: string;
  /** The instant, or nothing. */
  readonly value: string | undefined;
  readonly onFilter: (instant: string | null) => void;
}

/** A time as a filter, typed and shown in the zone that the header's switch says. */
export function TimeFilter({ label, value = "", onFilter }: TimeFilterProps) {
  const zone = useTimeZone();
  return (
    <FilterInput
      // What was typed in one zone is not sent in the other.
      key={zone}
      type="datetime-local"
      step="any"
      label={inZone(label, zone)}
      description="Includes this time"
      value={toTypedTime(value, zone)}
      onFilter={(text) => onFilter(fromTypedTime(text, zone))}
    />
  );
}
