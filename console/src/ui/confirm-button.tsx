import { Button, type ButtonProps, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { FormDialog } from "./form-dialog.tsx";

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

/** A button whose action is told first and confirmed. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, consequence, confirmLabel = label, success, action, children, canConfirm = true, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button {...button} onClick={open}>
        {label}
      </Button>
      {isOpen && (
        <FormDialog
          title={label}
          submitLabel={confirmLabel}
          color={button.color}
          success={success}
          onClose={close}
          onSubmit={action}
          canSubmit={canConfirm}
        >
          <Text component="div" size="sm">
            {consequence}
          </Text>
          {children}
        </FormDialog>
      )}
    </>
  );
}
