import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface SectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A framed part of a page with a heading of its own. */
export function Section({ title, description, actions, children }: SectionProps) {
  return (
    <Paper component="section" withBorder p={{ base: "md", md: "lg" }} aria-label={title}>
      <Stack>
        <Group justify="space-between" align="flex-start">
          <Stack gap={2} flex={1} miw={220}>
            <Title order={2} size="h4">
              {title}
            </Title>
            {description !== undefined && (
              <Text component="div" size="sm" c="dimmed">
                {description}
              </Text>
            )}
          </Stack>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
