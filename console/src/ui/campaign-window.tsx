import { Stack, Text } from "@mantine/core";
import { formatUtc } from "./utc.ts";

/** When deposits qualify, in UTC as the terms have it. */
export function CampaignWindow({ startDate, endDate }: { startDate: string; endDate: string }) {
  return (
    <Stack gap={0} style={{ whiteSpace: "nowrap" }}>
      <Text size="sm">{formatUtc(startDate)}</Text>
      <Text size="sm">to {formatUtc(endDate)}</Text>
    </Stack>
  );
}
