import { Text, Tooltip } from "@mantine/core";

const OPEN_DELAY_MS = 300;

/** A time as people read it in their own zone, which it names; the exact UTC text is one hover or touch away. */
export function Instant({ value }: { value: string }) {
  return (
    <Tooltip label={value} openDelay={OPEN_DELAY_MS} events={{ hover: true, focus: false, touch: true }}>
      <Text component="time" dateTime={value} span inherit style={{ whiteSpace: "nowrap" }}>
        {new Date(value).toLocaleString(undefined, {
          year: "numeric",
          month: "short",
          day: "numeric",
          hour: "2-digit",
          minute: "2-digit",
          timeZoneName: "short",
        })}
      </Text>
    </Tooltip>
  );
}
