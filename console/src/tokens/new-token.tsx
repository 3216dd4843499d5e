import { Alert, Button, Code, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { useBlocker } from "react-router";
import type { Schemas } from "../api/client.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { Instant } from "../ui/instant.tsx";
import { useReturnedFocus } from "../ui/use-returned-focus.ts";

interface NewTokenProps {
  readonly created: Schemas["CreatedOperatorToken"];
  readonly onClose: () => void;
}

/** Shows a token, which happens only once. A stray click, a key or Back does not close it, and a reload asks first. */
export function NewToken({ created, onClose }: NewTokenProps) {
  useReturnedFocus();
  useStayingHere();
  return (
    <Modal
      opened
      onClose={onClose}
      title={
        <>
          Token of <Foreign text={created.name} />
        </>
      }
      size="lg"
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" title="Copy it now">
          This token is shown only once. Store it in your password manager.
        </Alert>
        <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {created.token}
        </Code>
        <Text size="sm">
          Role {created.role}, valid until <Instant value={created.expiresAt} />.
        </Text>
        <Group justify="space-between">
          <CopyButton value={created.token} label="Copy token" data-autofocus />
          <Button variant="default" onClick={onClose}>
            I have stored it, close
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function useStayingHere(): void {
  const blocker = useBlocker(true);
  useEffect(() => {
    if (blocker.state === "blocked") blocker.reset();
  }, [blocker]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
}
