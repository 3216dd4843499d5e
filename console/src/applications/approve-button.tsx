import { TextInput } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { nameFromDomain } from "./name-from-domain.ts";

interface ApproveButtonProps {
  readonly application: Schemas["Application"];
  readonly onDecided: (application: Schemas["Application"]) => void;
}

export function ApproveButton({ application, onDecided }: ApproveButtonProps) {
  const { applicationId, domain, email } = application;
  const [displayName, setDisplayName] = useState(() => nameFromDomain(domain));
  const approval = api.useMutation("post", "/operator/v1/applications/{applicationId}/approve");

  async function approve(): Promise<void> {
    const approved = await approval.mutateAsync({
      params: { path: { applicationId } },
      body: { displayName: displayName.trim() },
    });
    onDecided(approved);
  }

  return (
    <ConfirmButton
      label="Approve"
      aria-label={`Approve ${domain}`}
      confirmLabel="Approve this merchant"
      success={`${displayName.trim()} is approved.`}
      canConfirm={displayName.trim() !== ""}
      action={approve}
      consequence={`What happens: the merchant is active at once, so its key signs requests; pages on ${domain} may embed the deposit flow; and ${email} is told by mail. A decision cannot be taken back, but a merchant can be suspended.`}
    >
      <TextInput
        label="Display name"
        description="For operators to recognise the merchant by. You can change it later."
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
        maxLength={255}
        required
        data-autofocus
      />
    </ConfirmButton>
  );
}
