import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { Failure } from "./failure.tsx";
import { notifySuccess } from "./notify.ts";

interface ConfirmButtonProps extends ButtonProps {
  readonly label: string;
  /** What will happen, and whether it can be undone. */
  readonly consequence: ReactNode;
  /** Defaults to the label. */
  readonly confirmLabel?: string;
  readonly success: string;
  readonly action: () => Promise<unknown>;
  /** Fields of the dialog, if the action needs any. */
  readonly children?: ReactNode;
  readonly canConfirm?: boolean;
}

/** A button whose action is told first and confirmed. It shows progress, success and the API's own refusal. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, consequence, confirmLabel = label, success, action, children, canConfirm = true, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);

  async function confirm(): Promise<void> {
    // A second click while the first is under way does nothing.
    if (isBusy) return;
    setBusy(true);
    setProblem(null);
    try {
      await action();
      notifySuccess(success);
      close();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        {...button}
        onClick={() => {
          setProblem(null);
          open();
        }}
      >
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={isBusy ? () => {} : close}
        title={label}
        centered
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            confirm();
          }}
        >
          <Stack>
            <Text component="div" size="sm">
              {consequence}
            </Text>
            {children}
            {problem !== null && <Failure error={problem} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={close} disabled={isBusy}>
                Cancel
              </Button>
              <Button type="submit" color={button.color} loading={isBusy} disabled={!canConfirm}>
                {confirmLabel}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
