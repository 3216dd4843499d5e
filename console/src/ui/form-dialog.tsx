import { Button, type ButtonProps, Group, Modal, Stack } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Failure } from "./failure.tsx";
import { notifySuccess } from "./notify.ts";

interface FormDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly color?: ButtonProps["color"];
  /** Said when it worked; nothing is said without it, where what comes next speaks for itself. */
  readonly success?: string;
  readonly onClose: () => void;
  readonly onSubmit: () => Promise<unknown>;
  readonly canSubmit?: boolean;
  readonly size?: string;
  readonly children: ReactNode;
}

/**
 * A form in a dialog of its own, rendered while it is open. It shows progress, success and the API's own refusal, after which it
 * stays with what was typed.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, submitLabel, color, success, onClose, onSubmit, canSubmit = true, size = "md", children } = props;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  // The state is only seen by the next render; a second click may come before it.
  const isUnderWay = useRef(false);
  // The dialog is gone when it closes, so it is not Mantine that gives the keyboard's focus back to what opened it.
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus();
    },
    [opener],
  );

  async function submit(): Promise<void> {
    if (isUnderWay.current || !canSubmit) return;
    isUnderWay.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await onSubmit();
      if (success !== undefined) notifySuccess(success);
      onClose();
    } catch (error) {
      setProblem(error);
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={isBusy ? () => {} : onClose}
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
          {children}
          {problem !== null && <Failure error={problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
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
