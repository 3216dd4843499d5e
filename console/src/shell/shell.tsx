import {
  ActionIcon,
  AppShell,
  Badge,
  Box,
  Burger,
  Button,
  Center,
  Group,
  Loader,
  Menu,
  NavLink,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconBuildingStore,
  IconCoins,
  IconHome,
  IconInbox,
  IconKey,
  IconListCheck,
  IconLogout,
  IconMoon,
  IconSun,
  IconTargetArrow,
  IconUserCircle,
} from "@tabler/icons-react";
import { Link, Outlet, useLocation } from "react-router";
import { environment } from "../environment.ts";
import { type Session, signOut, useSession } from "../session/session.ts";
import { SignInPage } from "../session/sign-in-page.tsx";
import { environmentColor } from "../theme.ts";
import { Failure } from "../ui/failure.tsx";
import { Logo } from "../ui/logo.tsx";

const PLACES = [
  { to: "/", label: "Home", icon: IconHome },
  { to: "/applications", label: "Applications", icon: IconInbox },
  { to: "/merchants", label: "Merchants", icon: IconBuildingStore },
  { to: "/campaigns", label: "Campaigns", icon: IconTargetArrow },
  { to: "/deposits", label: "Deposits", icon: IconCoins },
  { to: "/audit-log", label: "Audit log", icon: IconListCheck },
  { to: "/tokens", label: "Tokens", icon: IconKey },
];

/** The frame around every page. Whoever is not signed in sees the sign-in page instead, at the same address. */
export function Shell() {
  const { session, error } = useSession();
  if (session === undefined) {
    return (
      <Center component="main" mih="100vh" p="md">
        {error === null ? <Loader aria-label="Loading" /> : <Failure error={error} />}
      </Center>
    );
  }
  return session === null ? <SignInPage /> : <SignedIn session={session} />;
}

function SignedIn({ session }: { session: Session }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", md: "lg" }}
    >
      <AppShell.Header>
        {/* A stripe in the environment's colour stays in sight on every page. */}
        <Box h={4} bg={`var(--mantine-color-${environmentColor}-filled)`} />
        <Group h={56} px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Logo />
            <Badge color={environmentColor} variant="filled" miw="max-content">
              {environment}
            </Badge>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeToggle />
            <Account session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      {/* Closed, it is only moved off a phone's screen; its links must not take the keyboard's focus there. */}
      <AppShell.Navbar p="xs" aria-label="Pages" {...(!isOpen && { visibleFrom: "sm" })}>
        <Places onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        <Box maw={1280} mx="auto">
          <Outlet />
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

function Places({ onGo }: { onGo: () => void }) {
  const { pathname } = useLocation();
  return PLACES.map(({ to, label, icon: Icon }) => {
    const isHere = to === "/" ? pathname === "/" : pathname.startsWith(to);
    return (
      <NavLink
        key={to}
        component={Link}
        to={to}
        label={label}
        leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
        active={isHere}
        aria-current={isHere ? "page" : undefined}
        onClick={onGo}
      />
    );
  });
}

function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={isDark ? "Use light colours" : "Use dark colours"}
      onClick={() => setColorScheme(isDark ? "light" : "dark")}
    >
      {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}

function Account({ session }: { session: Session }) {
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" px="xs" aria-label={`Account: ${session.name}`}>
          <IconUserCircle size={18} aria-hidden />
          <Text size="sm" ml="xs" visibleFrom="sm" truncate maw={160}>
            {session.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {session.name}, {session.role}
        </Menu.Label>
        <Menu.Label>Signed in until {new Date(session.expiresAt).toLocaleString()}</Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
