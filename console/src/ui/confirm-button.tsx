import type { ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { DialogButton } from "./dialog-button.tsx";
import { FormDialog } from "./form-dialog.tsx";

interface ConfirmButtonProps extends ButtonProps {
  readonly label: string;
  /** Of the dialog. Defaults to the label. */
  readonly title?: string;
  /** What will happen, and whether it can be undone. */
  readonly consequence: ReactNode;
  /** Defaults to the label. */
  readonly confirmLabel?: string;
  readonly dismissLabel?: string;
  readonly success: string;
  readonly action: () => Promise<unknown>;
  /** Fields of the dialog. Their state outlives it; where it should not, use a DialogButton with a FormDialog. */
  readonly children?: ReactNode;
  readonly canConfirm?: boolean;
}

/** A button that explains its action and asks before doing it. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, title = label, consequence, confirmLabel = label, dismissLabel, success, ...rest } = props;
  const { action, children, canConfirm = true, ...button } = rest;
  return (
    <DialogButton label={label} {...button}>
      {(close) => (
        <FormDialog
          title={title}
          consequence={consequence}
          submitLabel={confirmLabel}
          dismissLabel={dismissLabel}
          color={button.color}
          success={success}
          onClose={close}
          onSubmit={action}
          canSubmit={canConfirm}
        >
          {children}
        </FormDialog>
      )}
    </DialogButton>
  );
}
