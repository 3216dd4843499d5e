import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { environment } from "../environment.ts";

interface PageProps {
  readonly title: string;
  readonly above?: { readonly to: string; readonly label: string } | undefined;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page's heading, what can be done there, and its content. */
export function Page({ title, above, description, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Matchbook${environment === "sandbox" ? " sandbox" : ""}`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4}>
          {above !== undefined && (
            <Breadcrumbs>
              <Anchor component={Link} to={above.to} size="sm">
                {above.label}
              </Anchor>
              <Text size="sm" c="dimmed" lh="md" truncate maw={320}>
                {title}
              </Text>
            </Breadcrumbs>
          )}
          {/* Where the keyboard's focus goes when what had it is gone. */}
          <Title order={1} size="h2" tabIndex={-1} style={{ outline: "none" }}>
            {title}
          </Title>
          {description !== undefined && (
            <Text component="div" c="dimmed" size="sm">
              {description}
            </Text>
          )}
        </Stack>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
