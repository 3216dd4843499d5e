import { Button, Center, Stack, Text, Title } from "@mantine/core";
import { Component, type ReactNode } from "react";

/** Shown when a page fails to render or to load. */
export function BrokenPage() {
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack align="center">
        <Title order={1} size="h2">
          Something went wrong on this page
        </Title>
        <Text>Changes you saved before are not affected. Reload the page to continue.</Text>
        <Button onClick={() => location.reload()}>Reload</Button>
      </Stack>
    </Center>
  );
}

/** Catches what fails outside of the router: a part of the console that could not be loaded, after an update for example. */
export class BrokenPageBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? <BrokenPage /> : this.props.children;
  }
}
