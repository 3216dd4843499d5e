import { Button } from "@mantine/core";
import { setTimeZone, useTimeZone } from "../ui/time-zone.ts";

/** Switches every time on the screen between UTC and the browser's own zone. */
export function TimeZoneSwitch() {
  const zone = useTimeZone();
  return (
    <Button
      variant="default"
      px="xs"
      aria-label={zone === "UTC" ? "Times are in UTC. Show local times" : "Times are local. Show UTC"}
      onClick={() => setTimeZone(zone === "UTC" ? "local" : "UTC")}
    >
      {zone === "UTC" ? "UTC" : "Local"}
    </Button>
  );
}
