import { Group, Progress, Stack, Text } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { formatTokens, percentOf } from "./amounts.ts";
import { visibleText } from "./visible-text.ts";

interface BudgetBarProps {
  /** Names the bar for screen readers. */
  readonly name: string;
  readonly committed: Schemas["TokenAmount"];
  readonly total: Schemas["TokenAmount"];
}

const NEARLY_SPENT_PERCENT = 80;
const ALMOST_GONE_PERCENT = 95;

/** How much of a campaign's budget is committed. */
export function BudgetBar({ name, committed, total }: BudgetBarProps) {
  const percent = percentOf(committed, total);
  const color = percent >= ALMOST_GONE_PERCENT ? "red" : percent >= NEARLY_SPENT_PERCENT ? "yellow" : "teal";
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {formatTokens(committed)} of {formatTokens(total)}
        </Text>
        <Text size="sm" fw={600}>
          {percent}%
        </Text>
      </Group>
      <Progress value={percent} color={color} aria-label={`Committed budget of ${visibleText(name)}`} />
    </Stack>
  );
}
