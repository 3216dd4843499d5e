import { Group, Text } from "@mantine/core";

export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src="/console/favicon.svg" alt="" width={28} height={28} />
      <Text fw={700} size="lg" visibleFrom="xs">
        Matchbook
      </Text>
    </Group>
  );
}
