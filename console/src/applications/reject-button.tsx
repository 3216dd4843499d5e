import { Textarea } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { dropDraft, keepDraft, readDraft } from "../ui/drafts.ts";

interface RejectButtonProps {
  readonly application: Schemas["Application"];
  readonly onDecided: (application: Schemas["Application"]) => void;
}

const REASON_LENGTH_MAX = 1_000;

export function RejectButton({ application, onDecided }: RejectButtonProps) {
  const { applicationId, domain, email } = application;
  const draft = `reject-${applicationId}`;
  const [reason, setReason] = useState(() => readDraft(draft, { reason: "" }).reason);
  const rejection = api.useMutation("post", "/operator/v1/applications/{applicationId}/reject");

  function type(text: string): void {
    setReason(text);
    keepDraft(draft, { reason: text });
  }

  async function reject(): Promise<void> {
    const rejected = await rejection.mutateAsync({
      params: { path: { applicationId } },
      body: { reason: reason.trim() },
    });
    dropDraft(draft);
    onDecided(rejected);
  }

  return (
    <ConfirmButton
      label="Reject"
      aria-label={`Reject ${domain}`}
      color="red"
      variant="light"
      confirmLabel="Reject and send the reason"
      success={`The application of ${domain} is rejected.`}
      canConfirm={reason.trim() !== ""}
      action={reject}
      consequence={`What happens: ${email} is told by mail, with the reason exactly as you write it here. A decision cannot be taken back, but the same key may apply again.`}
    >
      <Textarea
        label="Reason"
        description="The applicant reads this."
        placeholder="The domain does not resolve."
        value={reason}
        onChange={(event) => type(event.currentTarget.value)}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={REASON_LENGTH_MAX}
        required
        data-autofocus
      />
    </ConfirmButton>
  );
}
