import type { ButtonProps } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { ReasonField, reasonOf } from "../ui/reason-field.tsx";

type Participant = Schemas["OperatorParticipant"];

const HOLD = {
  label: "Hold",
  title: "Hold this participant",
  consequence:
    "It gets no new payout, by itself or in a payout run, until you release it. Submissions go on as before, and what is owed stays owed. A payout run that has it and is not exported yet has to be cancelled and made again.",
  success: "The participant is held.",
};
const RELEASE = {
  label: "Release",
  title: "Release this participant",
  consequence: "It can be paid again, by itself or in the next payout run.",
  success: "The participant was released.",
};

export function HoldOrRelease({ participant, ...button }: { participant: Participant } & ButtonProps) {
  return (
    <DialogButton label={participant.held ? RELEASE.label : HOLD.label} variant="default" {...button}>
      {(close) => <HoldDialog participant={participant} onClose={close} />}
    </DialogButton>
  );
}

function HoldDialog({ participant, onClose }: { participant: Participant; onClose: () => void }) {
  const [reason, setReason] = useState("");
  // What the button said when it was pressed, even if the page behind is loaded again.
  const [isHeld] = useState(participant.held);
  const hold = api.useMutation("post", "/operator/v1/participants/{participantId}/hold");
  const release = api.useMutation("post", "/operator/v1/participants/{participantId}/release");
  const { label, ...words } = isHeld ? RELEASE : HOLD;
  const why = reasonOf(reason);
  return (
    <FormDialog
      {...words}
      submitLabel={label}
      canSubmit={why !== undefined}
      onSubmit={() =>
        (isHeld ? release : hold).mutateAsync({
          params: { path: { participantId: participant.id } },
          body: { reason: why ?? "" },
        })
      }
      onClose={onClose}
    >
      <ReasonField
        value={reason}
        onChange={setReason}
        required
        description="Kept in the audit log, where only operators see it."
      />
    </FormDialog>
  );
}
