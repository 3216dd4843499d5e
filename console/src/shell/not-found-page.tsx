import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import { Page } from "../ui/page.tsx";

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <Text>
        Go to the{" "}
        <Anchor component={Link} to="/" underline="always">
          home page
        </Anchor>
        .
      </Text>
    </Page>
  );
}
