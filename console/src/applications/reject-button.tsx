import { Textarea } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { REASON_LENGTH_MAX } from "../limits.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useDraftText } from "../ui/use-draft-text.ts";

interface RejectButtonProps {
  readonly application: Schemas["Application"];
  readonly onDecided: (application: Schemas["Application"]) => void;
}

export function RejectButton(props: RejectButtonProps) {
  return (
    <DialogButton label="Reject" aria-label={`Reject ${props.application.domain}`} color="red" variant="light">
      {(close) => <RejectDialog {...props} onClose={close} />}
    </DialogButton>
  );
}

function RejectDialog({ application, onDecided, onClose }: RejectButtonProps & { onClose: () => void }) {
  const { applicationId, domain, email } = application;
  const reason = useDraftText(`reject-${applicationId}`);
  const rejection = api.useMutation("post", "/operator/v1/applications/{applicationId}/reject");

  async function reject(): Promise<void> {
    const rejected = await rejection.mutateAsync({
      params: { path: { applicationId } },
      body: { reason: reason.text.trim() },
    });
    onDecided(rejected);
  }

  return (
    <FormDialog
      title={`Reject ${domain}`}
      consequence={`What happens: ${email} is told by mail, with the reason exactly as you write it here. A decision cannot be taken back, but the same key may apply again.`}
      submitLabel="Reject and send the reason"
      color="red"
      success={`The application of ${domain} is rejected.`}
      canSubmit={reason.text.trim() !== ""}
      onSubmit={reject}
      onClose={() => {
        reason.drop();
        onClose();
      }}
    >
      <Textarea
        label="Reason"
        description="The applicant reads this."
        placeholder="The domain does not resolve."
        value={reason.text}
        onChange={(event) => reason.type(event.currentTarget.value)}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={REASON_LENGTH_MAX}
        required
        data-autofocus
      />
    </FormDialog>
  );
}
