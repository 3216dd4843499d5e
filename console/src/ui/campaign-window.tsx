import { Stack, Text } from "@mantine/core";
import { Instant } from "./instant.tsx";

/** When deposits qualify. */
export function CampaignWindow({ startDate, endDate }: { startDate: string; endDate: string }) {
  return (
    <Stack gap={0}>
      <Text size="sm">
        <Instant value={startDate} />
      </Text>
      <Text size="sm">
        to <Instant value={endDate} />
      </Text>
    </Stack>
  );
}
