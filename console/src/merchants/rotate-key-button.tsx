import { Checkbox, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { PUBLIC_KEY_LENGTH_MAX } from "../limits.ts";
import { useMayChange } from "../session/session.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";

type Merchant = Schemas["Merchant"];

/** Swaps the key of an approved merchant. */
export function RotateKeyButton({ merchant }: { merchant: Merchant }) {
  const mayChange = useMayChange();
  if (!mayChange || (merchant.status !== "ACTIVE" && merchant.status !== "SUSPENDED")) return null;
  return (
    <DialogButton label="Rotate key" color="red" variant="light">
      {(close) => <RotateKeyDialog merchant={merchant} onClose={close} />}
    </DialogButton>
  );
}

function RotateKeyDialog({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  // Not kept as a draft: somebody may paste a private key by mistake, and that must not lie around in the browser.
  const [publicKey, setPublicKey] = useState("");
  const [allowRetired, setAllowRetired] = useState(false);
  const rotation = api.useMutation("put", "/operator/v1/merchants/{merchantId}/public-key");
  return (
    <FormDialog
      title={`Rotate the key of ${merchant.displayName}`}
      consequence={
        <>
          <Text inherit>
            What happens: the old key stops working at once. Requests that {merchant.displayName} still signs with it
            are refused, so agree on the moment with the merchant. The call takes about a second; once it is answered,
            every process knows the new key. The merchant's contact is told by mail.
          </Text>
          <Text inherit mt="xs">
            The old key is retired: no merchant can use it again, unless you allow it below.
          </Text>
        </>
      }
      submitLabel="Replace the key"
      color="red"
      success="The new key is in force."
      canSubmit={publicKey.trim() !== ""}
      onSubmit={() =>
        rotation.mutateAsync({
          params: { path: { merchantId: merchant.merchantId } },
          body: { publicKey, allowRetired },
        })
      }
      onClose={onClose}
    >
      <Textarea
        label="New public key"
        description="An ECDSA P-256 public key: one PEM block. Never paste a private key."
        placeholder="-----BEGIN PUBLIC KEY-----"
        value={publicKey}
        onChange={(event) => setPublicKey(event.currentTarget.value)}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        autosize
        minRows={5}
        maxRows={10}
        maxLength={PUBLIC_KEY_LENGTH_MAX}
        spellCheck={false}
        autoComplete="off"
        required
        data-autofocus
      />
      <Checkbox
        label="Allow a retired key"
        description="Only to take back a swap: somebody else may hold the private key of a key that was swapped out."
        checked={allowRetired}
        onChange={(event) => setAllowRetired(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
