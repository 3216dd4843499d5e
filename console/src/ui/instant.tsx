import { Text, Tooltip } from "@mantine/core";

/** A time as people read it in their own zone; the exact UTC text is one hover away. */
export function Instant({ value }: { value: string }) {
  return (
    <Tooltip label={value} openDelay={300}>
      <Text component="time" dateTime={value} span inherit style={{ whiteSpace: "nowrap" }}>
        {new Date(value).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
      </Text>
    </Tooltip>
  );
}
