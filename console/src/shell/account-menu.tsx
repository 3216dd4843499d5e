import { Button, Loader, Menu, Text } from "@mantine/core";
import { IconLogout, IconUserCircle } from "@tabler/icons-react";
import { useState } from "react";
import { type Session, signOut } from "../session/session.ts";
import { notifyFailure } from "../ui/notify.ts";

/** Who is signed in, as what and until when, and the way out. */
export function AccountMenu({ session }: { session: Session }) {
  const [isLeaving, setLeaving] = useState(false);

  async function leave(): Promise<void> {
    setLeaving(true);
    try {
      await signOut();
    } catch (error) {
      notifyFailure(error);
      setLeaving(false);
    }
  }

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
        <Menu.Item
          leftSection={isLeaving ? <Loader size={16} /> : <IconLogout size={16} />}
          onClick={leave}
          closeMenuOnClick={false}
          disabled={isLeaving}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
