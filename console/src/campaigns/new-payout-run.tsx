import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../api/client.ts";
import { RUN_NOTE_LENGTH_MAX } from "../limits.ts";
import { problemWithAmount, toBaseUnits } from "../ui/amounts.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { forgetRequest, keyOfRequest } from "../ui/request-key.ts";
import type { Campaign } from "./campaign-values.ts";

export function NewPayoutRun({ campaign }: { campaign: Campaign }) {
  return (
    <DialogButton label="New payout run">
      {(close) => <NewPayoutRunDialog campaign={campaign} onClose={close} />}
    </DialogButton>
  );
}

/** Reserves what the campaign owes. The run's page then shows who was left out. */
function NewPayoutRunDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const navigate = useNavigate();
  const create = api.useMutation("post", "/operator/v1/payout-runs");
  const [minimum, setMinimum] = useState("");
  const [note, setNote] = useState("");
  const { currency, decimalPlaces } = campaign.perTradeProfitMatch.maxAmountTotal;
  const problem = minimum.trim() === "" ? null : problemWithAmount(minimum, decimalPlaces);

  async function submit(): Promise<void> {
    const amount = toBaseUnits(minimum, decimalPlaces);
    const body = {
      campaignId: campaign.id,
      ...(amount !== null && { minimumAmount: { amount, currency, decimalPlaces } }),
      ...(note.trim() !== "" && { note: note.trim() }),
    };
    // A second try after a lost answer finds the run that was made.
    const request = `new-payout-run-${campaign.id}`;
    const header = { "idempotency-key": keyOfRequest(request, body) };
    const run = await create.mutateAsync({ params: { header }, body });
    forgetRequest(request);
    await navigate(`/payout-runs/${run.id}`);
  }

  return (
    <FormDialog
      title="New payout run"
      consequence={`Reserves everything in ${currency} that this campaign owes and can pay, for up to 10,000 participants. The run then shows who was left out and why. Nothing is sent, and you can cancel it.`}
      submitLabel="Create run"
      canSubmit={problem === null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={`Minimum in ${currency}`}
        description="Optional. Participants who are owed less are left out."
        inputMode="decimal"
        value={minimum}
        onChange={(event) => setMinimum(event.currentTarget.value)}
        error={problem}
      />
      <Textarea
        label="Note"
        description="Optional. Only operators see it."
        autosize
        minRows={1}
        maxRows={6}
        maxLength={RUN_NOTE_LENGTH_MAX}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
