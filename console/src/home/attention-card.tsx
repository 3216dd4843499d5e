import { Group, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { TablerIcon } from "@tabler/icons-react";
import type { ReactNode } from "react";

interface AttentionCardProps {
  readonly icon: TablerIcon;
  readonly color: string;
  /** With the count if there is one: "3 applications waiting for review". */
  readonly title: string;
  readonly sentence: ReactNode;
  /** The link or button that leads to where it can be handled. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

export function AttentionCard({ icon: Icon, color, title, sentence, action, children }: AttentionCardProps) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <ThemeIcon color={color} variant="light" size={38} aria-hidden>
            <Icon size={22} stroke={1.7} />
          </ThemeIcon>
          <Stack gap={2} flex={1} miw={0}>
            <Title order={3} size="h4" style={{ overflowWrap: "anywhere" }}>
              {title}
            </Title>
            <Text size="sm" component="div">
              {sentence}
            </Text>
          </Stack>
        </Group>
        {children}
        {action !== undefined && <Group>{action}</Group>}
      </Stack>
    </Paper>
  );
}
