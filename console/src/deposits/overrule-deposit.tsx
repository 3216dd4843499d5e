import { Select } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { ReasonField, reasonOf } from "../ui/reason-field.tsx";

type Deposit = Schemas["OperatorDeposit"];

const STATES = [
  { value: "COMPLETED", label: "completed" },
  { value: "FAILED", label: "failed" },
  { value: "PENDING", label: "pending" },
] as const;
const FLOW = { value: "FLOW", label: "what the hosted flow reports" } as const;
type Choice = (typeof STATES)[number]["value"] | typeof FLOW.value;

export function OverruleDeposit({ deposit }: { deposit: Deposit }) {
  return (
    <DialogButton label="Overrule the status" variant="default">
      {(close) => <OverruleDialog deposit={deposit} onClose={close} />}
    </DialogButton>
  );
}

function OverruleDialog({ deposit, onClose }: { deposit: Deposit; onClose: () => void }) {
  const { merchantId, id: depositId } = deposit;
  const [choice, setChoice] = useState<Choice | null>(null);
  const [reason, setReason] = useState("");
  const overrule = api.useMutation("put", "/operator/v1/merchants/{merchantId}/deposits/{depositId}/state");
  const why = reasonOf(reason);
  return (
    <FormDialog
      title="Overrule the status of this deposit"
      consequence="The status stays until an operator changes it, also if the hosted flow reports something else later. Only completed deposits qualify a wallet for new submissions. Matches that exist stay."
      submitLabel="Overrule"
      success="The deposit was changed."
      canSubmit={choice !== null && why !== undefined}
      onSubmit={() =>
        overrule.mutateAsync({
          params: { path: { merchantId, depositId } },
          body: { state: choice === FLOW.value ? null : choice, reason: why ?? "" },
        })
      }
      onClose={onClose}
    >
      <Select
        label="New status"
        required
        data-autofocus
        data={deposit.reportedStatus === null ? STATES : [...STATES, FLOW]}
        value={choice}
        onChange={(value) => setChoice(value)}
      />
      <ReasonField
        value={reason}
        onChange={setReason}
        required
        description="Kept with the deposit and in the audit log, where only operators see it."
      />
    </FormDialog>
  );
}
