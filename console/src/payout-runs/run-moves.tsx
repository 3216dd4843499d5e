import { api } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { DialogButton } from "../ui/dialog-button.tsx";
import { CancelRunDialog } from "./cancel-run.tsx";
import { ImportResultsDialog } from "./import-results.tsx";
import { counted, type Run } from "./run-values.ts";
import { SubmitRunDialog } from "./submit-run.tsx";

/** DRAFT → APPROVED → EXPORTED → SUBMITTED → SETTLED: only the moves that the run's status allows. Exporting is a section. */
export function RunMoves({ run }: { run: Run }) {
  const { id, status, counts, totals } = run;
  const approve = api.useMutation("post", "/operator/v1/payout-runs/{runId}/approve");
  return (
    <>
      {status === "DRAFT" && (
        <ConfirmButton
          label="Approve"
          title={`Approve the payout run of ${formatTokens(totals.reserved)}`}
          consequence={`It can then be exported, and the file pays ${counted(counts.payouts, "participant")}. You can still cancel it.`}
          success="The payout run is approved."
          asksReason
          action={(reason) => approve.mutateAsync({ params: { path: { runId: id } }, body: { reason } })}
        />
      )}
      {status === "EXPORTED" && (
        <DialogButton label="Mark as submitted">
          {(close) => <SubmitRunDialog run={run} onClose={close} />}
        </DialogButton>
      )}
      {status === "SUBMITTED" && (
        <DialogButton label="Import results">
          {(close) => <ImportResultsDialog run={run} onClose={close} />}
        </DialogButton>
      )}
      {(status === "DRAFT" || status === "APPROVED" || status === "EXPORTED") && (
        <DialogButton label="Cancel run" color="red" variant="light">
          {(close) => <CancelRunDialog run={run} onClose={close} />}
        </DialogButton>
      )}
    </>
  );
}
