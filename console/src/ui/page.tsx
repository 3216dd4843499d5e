import { Anchor, Breadcrumbs, Button, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { environment } from "../environment.ts";
import { Bounded } from "./bounded.tsx";
import { visibleText } from "./visible-text.ts";

interface PageProps {
  readonly title: string;
  readonly above?: { readonly to: string; readonly label: string } | undefined;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

const TITLE_LENGTH_MAX = 60;

/** A page's heading, what can be done there, and its content. */
export function Page({ title: given, above, description, actions, children }: PageProps) {
  const title = visibleText(given);
  useEffect(() => {
    document.title = `${title} · Matchbook${environment === "sandbox" ? " sandbox" : ""}`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} miw={0} maw="100%">
          {above !== undefined && (
            <Breadcrumbs style={{ flexWrap: "nowrap" }} styles={{ breadcrumb: { minWidth: 40 } }}>
              <Anchor component={Link} to={above.to} size="sm" lh="md" maw={320}>
                <Bounded text={above.label} lines={1} />
              </Anchor>
              <Text size="sm" c="dimmed" lh="md" component="span" miw={0}>
                <Bounded text={title} lines={1} />
              </Text>
            </Breadcrumbs>
          )}
          <Heading title={title} />
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

/** A title may be a merchant's text of any length. A long one is cut, with a button that shows all of it. */
function Heading({ title }: { title: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const isLong = title.length > TITLE_LENGTH_MAX;
  return (
    <>
      {/* The keyboard's focus goes here when the element that had it is gone. */}
      <Title order={1} size="h2" tabIndex={-1} style={{ outline: "none", overflowWrap: "anywhere" }}>
        {isLong && !isExpanded ? <Bounded text={title} lines={1} /> : <bdi>{title}</bdi>}
      </Title>
      {isLong && (
        <Button
          variant="subtle"
          size="compact-xs"
          px={0}
          style={{ alignSelf: "flex-start" }}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? "Shorten the name" : "Show the full name"}
        </Button>
      )}
    </>
  );
}
