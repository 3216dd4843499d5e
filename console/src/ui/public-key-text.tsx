import { Button, Code, CopyButton, Group, Stack } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

/** A key as a PEM block, and a button that copies it as it is. */
export function PublicKeyText({ publicKey }: { publicKey: string }) {
  return (
    <Stack gap="xs">
      {/* The block takes the keyboard's focus, so that it can be scrolled on a narrow screen. */}
      <Code block tabIndex={0} role="group" aria-label="Public key">
        {publicKey.trim()}
      </Code>
      <Group>
        <CopyButton value={publicKey}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            >
              {copied ? "Copied" : "Copy public key"}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}
