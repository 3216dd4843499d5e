import { TextInput } from "@mantine/core";
import { problemWithTransactionHash } from "@matchbook/addresses";
import { api } from "../api/client.ts";
import { TRANSACTION_HASH_LENGTH_MAX } from "../limits.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { sentenceAbout } from "../ui/sentence.ts";
import { useDraftText } from "../ui/use-draft-text.ts";
import { counted, type Run } from "./run-values.ts";

/** One transaction that paid every row. */
export function SubmitRunDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const submit = api.useMutation("post", "/operator/v1/payout-runs/{runId}/submit");
  const hash = useDraftText(`run-transaction-hash-${run.id}`);
  const typed = hash.text.trim();
  const problem = problemWithTransactionHash(typed, run.chainId);
  return (
    <FormDialog
      title="Mark the run as submitted"
      consequence={`Do this once the transaction is sent. The merchant sees ${counted(run.counts.pending, "payout")} as submitted, with this hash. The run cannot be cancelled after that.`}
      submitLabel="Mark as submitted"
      success="The payout run is submitted."
      canSubmit={problem === null}
      onSubmit={() => submit.mutateAsync({ params: { path: { runId: run.id } }, body: { transactionHashes: [typed] } })}
      onClose={() => {
        hash.drop();
        onClose();
      }}
    >
      <TextInput
        label="Transaction hash"
        description="One transaction for every payout of the run. If you paid in several, see POST /payout-runs/ID/submit."
        required
        maxLength={TRANSACTION_HASH_LENGTH_MAX}
        spellCheck={false}
        data-autofocus
        value={hash.text}
        onChange={(event) => hash.type(event.currentTarget.value)}
        error={typed !== "" && sentenceAbout("The hash", problem)}
      />
    </FormDialog>
  );
}
