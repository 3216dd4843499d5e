import { AppShell, Badge, Box, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet } from "react-router";
import { environment } from "../environment.ts";
import { useSession } from "../session/session.ts";
import { environmentColor } from "../theme.ts";
import { Logo } from "../ui/logo.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { ColorSchemeToggle } from "./color-scheme-toggle.tsx";
import { Navigation } from "./navigation.tsx";
import { TimeZoneSwitch } from "./time-zone-switch.tsx";

/** The header and navigation around every page. */
export function Frame() {
  const { session } = useSession();
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: { base: 220, sm: 92, lg: 220 }, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", md: "lg" }}
    >
      <AppShell.Header>
        <a href="#page" className="skip">
          Skip to content
        </a>
        {/* A stripe in the environment's colour, visible on every page. */}
        <Box h={4} bg={`var(--mantine-color-${environmentColor}-filled)`} />
        <Group h={56} px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
              aria-expanded={isOpen}
            />
            <Logo />
            <Badge color={environmentColor} variant="filled" miw="max-content">
              {environment}
            </Badge>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <TimeZoneSwitch />
            <ColorSchemeToggle />
            {session && <AccountMenu session={session} />}
          </Group>
        </Group>
      </AppShell.Header>
      {/* A closed menu is only moved off a phone's screen, so hide it: its links must not take the focus there. */}
      <AppShell.Navbar p={{ base: "xs", sm: 4, lg: "xs" }} aria-label="Pages" {...(!isOpen && { visibleFrom: "sm" })}>
        <Navigation onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} style={{ outline: "none" }}>
        <Box maw={1280} mx="auto">
          <Outlet />
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}
