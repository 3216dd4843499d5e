import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { Foreign } from "../ui/foreign.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { ReasonField, reasonOf } from "../ui/reason-field.tsx";
import { visibleText } from "../ui/visible-text.ts";

type Token = Schemas["OperatorToken"];

export function RevokeToken({ token }: { token: Token }) {
  return (
    <DialogButton label="Revoke" aria-label={`Revoke ${visibleText(token.name)}`} size="xs" color="red" variant="light">
      {(close) => <RevokeDialog token={token} onClose={close} />}
    </DialogButton>
  );
}

function RevokeDialog({ token: { id, name }, onClose }: { token: Token; onClose: () => void }) {
  const [cascade, setCascade] = useState(true);
  const [reason, setReason] = useState("");
  const params = { path: { tokenId: id } };
  // Without an answer the count is not shown; the default still ends what the token made.
  const { data } = api.useQuery("get", "/operator/v1/tokens/{tokenId}", { params }, { retry: false });
  const revoke = api.useMutation("delete", "/operator/v1/tokens/{tokenId}");
  const count = data?.descendantCount;
  return (
    <FormDialog
      title="Revoke"
      submitLabel="Revoke"
      color="red"
      success={`${name} was revoked.`}
      onClose={onClose}
      onSubmit={() => revoke.mutateAsync({ params: { ...params, query: { cascade, reason: reasonOf(reason) } } })}
      consequence={
        <>
          Requests with the token “<Foreign text={name} />” are rejected immediately, and sessions that signed in with
          it end. {describeOthers(count)} You cannot undo this, but you can create a new token.
        </>
      }
    >
      {count !== undefined && count > 0 && (
        <Checkbox
          label={count === 1 ? "Also revoke the token it made" : `Also revoke the ${count} tokens it made`}
          description="Including those that were made with them. Choose this if the token may have been stolen."
          checked={cascade}
          onChange={(event) => setCascade(event.currentTarget.checked)}
        />
      )}
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}

function describeOthers(count: number | undefined): string {
  if (count === undefined) return "Tokens that were made with it end too.";
  return count === 0 ? "No valid token was made with it." : "";
}
