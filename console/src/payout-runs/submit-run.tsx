import { Checkbox, Stack, TextInput } from "@mantine/core";
import { problemWithTransactionHash } from "@matchbook/addresses";
import { useState } from "react";
import { api } from "../api/client.ts";
import { SAFE_BATCH_TRANSFERS_MAX, TRANSACTION_HASH_LENGTH_MAX } from "../limits.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { formatCount } from "../ui/format.ts";
import { sentenceAbout } from "../ui/sentence.ts";
import { useDraftText } from "../ui/use-draft-text.ts";
import { readRows } from "./read-rows.ts";
import { counted, type Run } from "./run-values.ts";

/** The transaction that paid every row, or one for each of the files of Safe's transaction builder. */
export function SubmitRunDialog({ run, onClose }: { run: Run; onClose: () => void }) {
  const submit = api.useMutation("post", "/operator/v1/payout-runs/{runId}/submit");
  // One hash in each line, so that a reload keeps all of them.
  const draft = useDraftText(`run-transaction-hashes-${run.id}`);
  const [isSeveral, setSeveral] = useState(() => draft.text.includes("\n"));
  const batches = Math.ceil(run.counts.payouts / SAFE_BATCH_TRANSFERS_MAX);
  const typed = draft.text.split("\n");
  const hashes = Array.from({ length: isSeveral ? batches : 1 }, (_, index) => (typed[index] ?? "").trim());
  const fields = hashes.map((hash, index) => ({
    label: isSeveral ? `Transaction hash of file ${index + 1}` : "Transaction hash",
    description: isSeveral ? positionsOf(index, run.counts.payouts) : "It counts for every payout of the run.",
    hash,
    problem: problemWithTransactionHash(hash, run.chainId),
    type: (text: string) => draft.type(hashes.with(index, text).join("\n")),
  }));

  async function send(): Promise<void> {
    const params = { path: { runId: run.id } };
    if (!isSeveral) {
      await submit.mutateAsync({ params, body: { transactionHashes: hashes } });
      return;
    }
    const rows = await readRows(run.id);
    const payouts = rows.map(({ id }, position) => ({
      payoutId: id,
      transactionHash: hashes[Math.floor(position / SAFE_BATCH_TRANSFERS_MAX)] ?? "",
    }));
    await submit.mutateAsync({ params, body: { payouts } });
  }

  return (
    <FormDialog
      title="Mark the run as submitted"
      consequence={`Do this once everything is sent. The merchant sees ${counted(run.counts.pending, "payout")} as submitted, with the hash. The run cannot be cancelled after that.`}
      submitLabel="Mark as submitted"
      success="The payout run is submitted."
      canSubmit={fields.every(({ problem }) => problem === null)}
      onSubmit={send}
      onClose={() => {
        draft.drop();
        onClose();
      }}
    >
      {batches > 1 && (
        <Checkbox
          label="Paid in several transactions, one for each file of the Safe transaction builder"
          checked={isSeveral}
          onChange={(event) => setSeveral(event.currentTarget.checked)}
        />
      )}
      <Stack gap="sm">
        {fields.map(({ label, description, hash, problem, type }) => (
          <TextInput
            key={label}
            label={label}
            description={description}
            required
            maxLength={TRANSACTION_HASH_LENGTH_MAX}
            spellCheck={false}
            data-autofocus={label === fields[0]?.label ? true : undefined}
            value={hash}
            onChange={(event) => type(event.currentTarget.value)}
            error={hash !== "" && sentenceAbout("The hash", problem)}
          />
        ))}
      </Stack>
    </FormDialog>
  );
}

function positionsOf(batch: number, count: number): string {
  const first = batch * SAFE_BATCH_TRANSFERS_MAX + 1;
  const last = Math.min(first + SAFE_BATCH_TRANSFERS_MAX - 1, count);
  return `Payouts ${formatCount(first)} to ${formatCount(last)}`;
}
