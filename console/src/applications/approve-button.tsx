import { TextInput } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { DISPLAY_NAME_LENGTH_MAX } from "../limits.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useMailConfigured } from "../ui/mail.ts";
import { nameFromDomain } from "./name-from-domain.ts";

interface ApproveButtonProps {
  readonly application: Schemas["Application"];
  readonly onDecided: (application: Schemas["Application"]) => void;
}

export function ApproveButton(props: ApproveButtonProps) {
  return (
    <DialogButton label="Approve" aria-label={`Approve ${props.application.domain}`}>
      {(close) => <ApproveDialog {...props} onClose={close} />}
    </DialogButton>
  );
}

function ApproveDialog({ application, onDecided, onClose }: ApproveButtonProps & { onClose: () => void }) {
  const { applicationId, domain, email } = application;
  const [displayName, setDisplayName] = useState(() => nameFromDomain(domain));
  const isMailSent = useMailConfigured();
  const approval = api.useMutation("post", "/operator/v1/applications/{applicationId}/approve");

  async function approve(): Promise<void> {
    const approved = await approval.mutateAsync({
      params: { path: { applicationId } },
      body: { displayName: displayName.trim() },
    });
    onDecided(approved);
  }

  return (
    <FormDialog
      title={`Approve ${domain}`}
      consequence={`The merchant becomes active immediately: it can sign requests with its key, and pages on ${domain} may embed the deposit flow. ${mailSentence(isMailSent, email)}You cannot undo this, but you can suspend a merchant.`}
      submitLabel="Approve this merchant"
      success={`${displayName.trim()} was approved.`}
      canSubmit={displayName.trim() !== ""}
      onSubmit={approve}
      onClose={onClose}
    >
      <TextInput
        label="Display name"
        description="Operators see this name. You can change it later."
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
        maxLength={DISPLAY_NAME_LENGTH_MAX}
        required
        data-autofocus
      />
    </FormDialog>
  );
}

function mailSentence(isMailSent: boolean | undefined, email: string): string {
  if (isMailSent === undefined) return "";
  return isMailSent
    ? `A mail to ${email} confirms the approval. `
    : `No mail server is configured, so no mail is sent: tell ${email} yourself. `;
}
