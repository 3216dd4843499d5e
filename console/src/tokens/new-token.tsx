import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { Schemas } from "../api/client.ts";
import { Instant } from "../ui/instant.tsx";

interface NewTokenProps {
  readonly created: Schemas["CreatedOperatorToken"];
  readonly onClose: () => void;
}

/** The one time that a token is shown. No stray click or key closes it. */
export function NewToken({ created, onClose }: NewTokenProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Token of ${created.name}`}
      size="lg"
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" title="Copy it now">
          It is shown this once and cannot be read again. Keep it where you keep passwords.
        </Alert>
        <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {created.token}
        </Code>
        <Text size="sm">
          Role {created.role}, valid until <Instant value={created.expiresAt} />.
        </Text>
        <Group justify="space-between">
          <CopyButton value={created.token}>
            {({ copied, copy }) => (
              <Button
                onClick={copy}
                color={copied ? "teal" : undefined}
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              >
                {copied ? "Copied" : "Copy token"}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            I have stored it, close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
