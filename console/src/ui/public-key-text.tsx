import { Code, Group, Stack } from "@mantine/core";
import { CopyButton } from "./copy-button.tsx";

/** A key as a PEM block, with a button that copies it. */
export function PublicKeyText({ publicKey }: { publicKey: string }) {
  return (
    <Stack gap="xs">
      {/* The block takes the keyboard's focus, so that it can be scrolled on a narrow screen. */}
      <Code block tabIndex={0} role="group" aria-label="Public key">
        {publicKey.trim()}
      </Code>
      <Group>
        <CopyButton value={publicKey} label="Copy public key" size="compact-sm" variant="default" />
      </Group>
    </Stack>
  );
}
