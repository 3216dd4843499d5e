import { Text, Tooltip } from "@mantine/core";

const OPEN_DELAY_MS = 300;
// To make one takes longer than to use it a hundred times, and a table has many.
const FORMAT = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});

/** A time as people read it in their own zone, which it names; the exact UTC text is one hover or touch away. */
export function Instant({ value }: { value: string }) {
  return (
    <Tooltip label={value} openDelay={OPEN_DELAY_MS} events={{ hover: true, focus: false, touch: true }}>
      <Text component="time" dateTime={value} span inherit style={{ whiteSpace: "nowrap" }}>
        {FORMAT.format(new Date(value))}
      </Text>
    </Tooltip>
  );
}
