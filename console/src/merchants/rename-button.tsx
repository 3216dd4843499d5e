import { TextInput } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { DISPLAY_NAME_LENGTH_MAX } from "../limits.ts";
import { useMayChange } from "../session/session.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";

type Merchant = Schemas["Merchant"];

export function RenameButton({ merchant }: { merchant: Merchant }) {
  const mayChange = useMayChange();
  if (!mayChange) return null;
  return (
    <DialogButton label="Rename" size="compact-sm" variant="default">
      {(close) => <RenameDialog merchant={merchant} onClose={close} />}
    </DialogButton>
  );
}

function RenameDialog({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  const [name, setName] = useState(merchant.displayName);
  const renaming = api.useMutation("patch", "/operator/v1/merchants/{merchantId}");
  return (
    <FormDialog
      title={
        <>
          Rename <Foreign text={merchant.displayName} />
        </>
      }
      consequence="Operators see this name. Nothing else changes."
      submitLabel="Save name"
      success="Name saved."
      canSubmit={name.trim() !== "" && name.trim() !== merchant.displayName}
      onSubmit={() =>
        renaming.mutateAsync({
          params: { path: { merchantId: merchant.merchantId } },
          body: { displayName: name.trim() },
        })
      }
      onClose={onClose}
    >
      <TextInput
        label="Display name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={DISPLAY_NAME_LENGTH_MAX}
        required
        data-autofocus
      />
    </FormDialog>
  );
}
