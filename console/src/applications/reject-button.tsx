import { Textarea } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { REASON_LENGTH_MAX } from "../limits.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useMailConfigured } from "../ui/mail.ts";
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
  const isMailSent = useMailConfigured();
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
      consequence={`${
        isMailSent === false
          ? `No mail server is configured, so no mail is sent: tell ${email} the reason yourself.`
          : isMailSent === true
            ? `A mail to ${email} contains the reason exactly as you write it here.`
            : "The reason is kept with the application."
      } You cannot undo this, but the merchant can apply again with the same key.`}
      submitLabel="Reject application"
      color="red"
      success={`The application of ${domain} was rejected.`}
      canSubmit={reason.text.trim() !== ""}
      onSubmit={reject}
      onClose={() => {
        reason.drop();
        onClose();
      }}
    >
      <Textarea
        label="Reason"
        description="The applicant can read this."
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
