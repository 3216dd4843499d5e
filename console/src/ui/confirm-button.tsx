import type { ButtonProps } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { DialogButton } from "./dialog-button.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { ReasonField, reasonOf } from "./reason-field.tsx";

interface ConfirmButtonProps extends ButtonProps {
  readonly label: string;
  /** Of the dialog. Defaults to the label. */
  readonly title?: ReactNode;
  /** What will happen, and whether it can be undone. */
  readonly consequence: ReactNode;
  /** Defaults to the label. */
  readonly confirmLabel?: string;
  readonly success: string;
  /** Whether the dialog asks for a reason. */
  readonly asksReason?: boolean;
  readonly action: (reason: string | undefined) => Promise<unknown>;
}

/** A button that explains its action and asks before doing it. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, title, consequence, confirmLabel, success, asksReason, action, ...button } = props;
  return (
    <DialogButton label={label} {...button}>
      {(close) => <ConfirmDialog {...props} onClose={close} />}
    </DialogButton>
  );
}

function ConfirmDialog(props: ConfirmButtonProps & { onClose: () => void }) {
  const { label, title = label, consequence, confirmLabel = label, success, color, onClose } = props;
  const { asksReason = false, action } = props;
  const [reason, setReason] = useState("");
  return (
    <FormDialog
      title={title}
      consequence={consequence}
      submitLabel={confirmLabel}
      color={color}
      success={success}
      onClose={onClose}
      onSubmit={() => action(reasonOf(reason))}
    >
      {asksReason && <ReasonField value={reason} onChange={setReason} />}
    </FormDialog>
  );
}
