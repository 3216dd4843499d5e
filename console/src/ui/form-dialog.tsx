import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { isWaiting } from "./approval-actions.ts";
import { Failure } from "./failure.tsx";
import { notifyFailure, notifySuccess, notifyWaiting } from "./notify.ts";
import { useReturnedFocus } from "./use-returned-focus.ts";

interface FormDialogProps {
  readonly title: ReactNode;
  /** What will happen, and whether it can be undone. */
  readonly consequence?: ReactNode;
  readonly submitLabel: string;
  /** Of the button that changes nothing. */
  readonly dismissLabel?: string | undefined;
  readonly color?: ButtonProps["color"];
  /** Shown when it worked. Leave it out where the next screen makes it clear. */
  readonly success?: string;
  readonly onClose: () => void;
  /** Resolves to the API's answer, which may be that the change waits for a second person. */
  readonly onSubmit: () => Promise<unknown>;
  readonly canSubmit?: boolean;
  readonly size?: string;
  readonly children?: ReactNode;
}

/**
 * A form in a dialog, rendered while it is open. It shows progress, success and the API's error. After an error it stays open
 * with what was typed.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, consequence, submitLabel, dismissLabel = "Cancel", color, success, size = "md", children } = props;
  const { onClose, onSubmit, canSubmit = true } = props;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  // A second click may come before the next render sees the state.
  const isSending = useRef(false);
  const action = `${submitLabel.charAt(0).toLowerCase()}${submitLabel.slice(1)}`;
  useReturnedFocus();

  // After an error the page is loaded again, which may remove the dialog. Its error is then shown as a notification.
  const unseenError = useRef<unknown>(null);
  const lastAction = useRef(action);
  useEffect(
    () => () => {
      if (unseenError.current !== null) notifyFailure(unseenError.current, lastAction.current);
    },
    [],
  );

  function close(): void {
    unseenError.current = null;
    onClose();
  }

  async function submit(): Promise<void> {
    if (isSending.current || !canSubmit) return;
    isSending.current = true;
    setBusy(true);
    setProblem(null);
    unseenError.current = null;
    lastAction.current = action;
    try {
      const answer = await onSubmit();
      if (isWaiting(answer)) notifyWaiting();
      else if (success !== undefined) notifySuccess(success);
      onClose();
    } catch (error) {
      setProblem(error);
      unseenError.current = error;
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={isBusy ? () => {} : close}
      // A stray click must not throw away what was typed.
      closeOnClickOutside={false}
      title={title}
      size={size}
      centered
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          {consequence !== undefined && (
            <Text component="div" size="sm">
              {consequence}
            </Text>
          )}
          {children}
          {problem !== null && <Failure error={problem} action={action} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={isBusy}>
              {dismissLabel}
            </Button>
            <Button type="submit" color={color} loading={isBusy} disabled={!canSubmit}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
