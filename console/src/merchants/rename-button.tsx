import { TextInput } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";

export function RenameButton({ merchant }: { merchant: Schemas["Merchant"] }) {
  const mayChange = useMayChange();
  const [name, setName] = useState(merchant.displayName);
  const renaming = api.useMutation("patch", "/operator/v1/merchants/{merchantId}");
  if (!mayChange) return null;
  return (
    <ConfirmButton
      label="Rename"
      size="compact-sm"
      variant="default"
      confirmLabel="Save the name"
      success="The new name is saved."
      canConfirm={name.trim() !== "" && name.trim() !== merchant.displayName}
      action={() =>
        renaming.mutateAsync({
          params: { path: { merchantId: merchant.merchantId } },
          body: { displayName: name.trim() },
        })
      }
      consequence="The name is for operators to recognise the merchant by. Nothing else changes with it."
    >
      <TextInput
        label="Display name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={255}
        required
        data-autofocus
      />
    </ConfirmButton>
  );
}
