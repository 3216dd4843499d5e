import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Failure } from "./failure.tsx";
import { notifyFailure, notifySuccess } from "./notify.ts";
import { useReturnedFocus } from "./use-returned-focus.ts";

interface FormDialogProps {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly consequence?: ReactNode;
  readonly submitLabel: string;
  /** Of the button that changes nothing. */
  readonly dismissLabel?: string | undefined;
  readonly color?: ButtonProps["color"];
  /** Said when it worked; nothing is said without it, where what comes next speaks for itself. */
  readonly success?: string;
  readonly onClose: () => void;
  readonly onSubmit: () => Promise<unknown>;
  readonly canSubmit?: boolean;
  readonly size?: string;
  readonly children?: ReactNode;
}

/**
 * A form in a dialog of its own, rendered while it is open. It shows progress, success and the API's own refusal, after which it
 * stays with what was typed.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, consequence, submitLabel, dismissLabel = "Cancel", color, success, size = "md", children } = props;
  const { onClose, onSubmit, canSubmit = true } = props;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  // The state is only seen by the next render; a second click may come before it.
  const isUnderWay = useRef(false);
  useReturnedFocus();

  // Reading again after a refusal may take the dialog away, where somebody else was faster; its reason is still told.
  const untold = useRef<unknown>(null);
  useEffect(
    () => () => {
      if (untold.current !== null) notifyFailure(untold.current);
    },
    [],
  );

  function close(): void {
    untold.current = null;
    onClose();
  }

  async function submit(): Promise<void> {
    if (isUnderWay.current || !canSubmit) return;
    isUnderWay.current = true;
    setBusy(true);
    setProblem(null);
    untold.current = null;
    try {
      await onSubmit();
      if (success !== undefined) notifySuccess(success);
      onClose();
    } catch (error) {
      setProblem(error);
      untold.current = error;
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={isBusy ? () => {} : close}
      // A slip of the mouse must not throw away what was typed.
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
          {problem !== null && <Failure error={problem} />}
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
