import { Checkbox, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { environment } from "../environment.ts";
import { PUBLIC_KEY_LENGTH_MAX } from "../limits.ts";
import { useMayChange } from "../session/session.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useMailConfigured } from "../ui/mail.ts";
import { ReasonField, reasonOf } from "../ui/reason-field.tsx";

type Merchant = Schemas["Merchant"];

/** Replaces the key of an approved merchant. */
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
  // Not kept as a draft: a private key that was pasted by mistake must not stay in the browser.
  const [publicKey, setPublicKey] = useState("");
  const [allowRetired, setAllowRetired] = useState(false);
  const [reason, setReason] = useState("");
  // The sandbox never mails merchants.
  const isMailSent = useMailConfigured() === true && environment === "production";
  const rotation = api.useMutation("put", "/operator/v1/merchants/{merchantId}/public-key");
  return (
    <FormDialog
      title={
        <>
          Rotate the key of <Foreign text={merchant.displayName} />
        </>
      }
      consequence={
        <>
          <Text inherit>
            The old key stops working immediately. Requests that <Foreign text={merchant.displayName} /> still signs
            with it are rejected, so agree on a time with the merchant. The call takes about a second. After that, the
            new key works everywhere.{isMailSent && " The merchant's contact gets a mail."}
          </Text>
          <Text inherit mt="xs">
            The old key is retired. No merchant can use it again unless you allow it below.
          </Text>
        </>
      }
      submitLabel="Replace key"
      color="red"
      success="The new key is active."
      canSubmit={publicKey.trim() !== ""}
      onSubmit={() =>
        rotation.mutateAsync({
          params: { path: { merchantId: merchant.merchantId } },
          body: { publicKey, allowRetired, reason: reasonOf(reason) },
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
        description="Only to undo a replacement. Somebody else may hold the private key of a replaced key."
        checked={allowRetired}
        onChange={(event) => setAllowRetired(event.currentTarget.checked)}
      />
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
