import { Checkbox, Textarea } from "@mantine/core";
import { useState } from "react";
import { api } from "../api/client.ts";
import { REASON_LENGTH_MAX } from "../limits.ts";
import { formatTokens } from "../ui/amounts.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import type { Run } from "./run-values.ts";

/** Releases what the run reserved. An exported run may have been sent, so that needs a person's word and a reason. */
export function CancelRunDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const [isUnsent, setUnsent] = useState(false);
  const [reason, setReason] = useState("");
  const cancel = api.useMutation("post", "/operator/v1/payout-runs/{runId}/cancel");
  // Another operator may export it while this is open: then the page is loaded again, and the dialog asks for more.
  const mayBeSent = run.status === "EXPORTED";
  const why = reason.trim();
  return (
    <FormDialog
      title={`Cancel the payout run of ${formatTokens(run.totals.reserved)}`}
      consequence={
        mayBeSent
          ? "The file was downloaded, so somebody may have sent it or may still send it. If that happens after you cancel, users are paid twice. All amounts of the run are owed again. You cannot undo this."
          : "All amounts of the run are owed again, and the next run takes them. You cannot undo this."
      }
      submitLabel="Cancel run"
      dismissLabel="Go back"
      color="red"
      success="The payout run was cancelled."
      canSubmit={!mayBeSent || (isUnsent && why !== "")}
      onSubmit={() =>
        cancel.mutateAsync({
          params: { path: { runId: run.id } },
          body: { ...(mayBeSent && { confirmNotSent: isUnsent }), ...(why !== "" && { reason: why }) },
        })
      }
      onClose={onClose}
    >
      <Textarea
        label="Reason"
        description={mayBeSent ? "The merchant sees it." : "Optional. The merchant sees it."}
        required={mayBeSent}
        autosize
        minRows={2}
        maxLength={REASON_LENGTH_MAX}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {mayBeSent && (
        <Checkbox
          label="Nothing of this run was sent, and nothing will be."
          checked={isUnsent}
          onChange={(event) => setUnsent(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}
