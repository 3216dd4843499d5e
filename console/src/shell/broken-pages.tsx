import { Anchor, Button, Center, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { Page } from "../ui/page.tsx";

export function NotFoundPage() {
  return (
    <Page title="There is no such page">
      <Text>
        Look for it from the{" "}
        <Anchor component={Link} to="/" underline="always">
          home page
        </Anchor>
        .
      </Text>
    </Page>
  );
}

/** Shown when a page itself fails. */
export function BrokenPage() {
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack align="center">
        <Title order={1} size="h2">
          This page broke
        </Title>
        <Text>What you sent before was not affected. Load the page again to go on.</Text>
        <Button onClick={() => location.reload()}>Load again</Button>
      </Stack>
    </Center>
  );
}
