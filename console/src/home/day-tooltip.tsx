import { ColorSwatch, Group, Paper, Text } from "@mantine/core";

interface DayTooltipProps {
  readonly title: string;
  readonly lines: readonly { readonly label: string; readonly value: string; readonly color?: string }[];
}

/** What one day of a chart holds, in exact figures. */
export function DayTooltip({ title, lines }: DayTooltipProps) {
  return (
    <Paper withBorder shadow="md" px="sm" py="xs">
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {lines.map(({ label, value, color }) => (
        <Group key={label} justify="space-between" gap="lg" wrap="nowrap">
          <Group gap={6} wrap="nowrap">
            {color !== undefined && <ColorSwatch size={10} color={color} withShadow={false} />}
            <Text size="sm">{label}</Text>
          </Group>
          <Text size="sm" className="number">
            {value}
          </Text>
        </Group>
      ))}
    </Paper>
  );
}
