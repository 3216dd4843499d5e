import { Button, Loader, Menu, Text } from "@mantine/core";
import { IconLogout, IconUserCircle } from "@tabler/icons-react";
import { useState } from "react";
import { type Session, signOut } from "../session/session.ts";
import { Foreign } from "../ui/foreign.tsx";
import { Instant } from "../ui/instant.tsx";
import { notifyFailure } from "../ui/notify.ts";
import { visibleText } from "../ui/visible-text.ts";

/** Who is signed in, with which role and until when, and the sign-out button. */
export function AccountMenu({ session }: { session: Session }) {
  const [isSigningOut, setSigningOut] = useState(false);

  async function handleSignOut(): Promise<void> {
    setSigningOut(true);
    try {
      await signOut();
    } catch (error) {
      notifyFailure(error, "sign out");
      setSigningOut(false);
    }
  }

  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default" px="xs" aria-label={`Account: ${visibleText(session.name)}`}>
          <IconUserCircle size={18} aria-hidden />
          <Text size="sm" ml="xs" visibleFrom="sm" truncate maw={160}>
            <Foreign text={session.name} />
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label style={{ overflowWrap: "anywhere" }}>
          <Foreign text={session.name} />, {session.role}
        </Menu.Label>
        <Menu.Label>
          Signed in until <Instant value={session.expiresAt} />
        </Menu.Label>
        <Menu.Item
          leftSection={isSigningOut ? <Loader size={16} /> : <IconLogout size={16} />}
          onClick={handleSignOut}
          closeMenuOnClick={false}
          disabled={isSigningOut}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
