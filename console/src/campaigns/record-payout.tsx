import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { formatTokens, problemWithAmount, toBaseUnits } from "../ui/amounts.ts";
import { chainName } from "../ui/chains.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { randomKey } from "../ui/random-key.ts";
import type { Campaign } from "./campaign-values.ts";
import { owedTo } from "./owed.ts";
import { typedAmount } from "./typed-amount.ts";

type Participant = Schemas["OperatorParticipant"];

interface RecordPayoutProps {
  readonly campaign: Campaign;
  readonly participant: Participant;
}

/** The button, disabled while nothing can be paid. The section below it says why. */
export function RecordPayout(props: RecordPayoutProps) {
  const { held, receiver } = props.participant;
  const isPayable = owedTo(props.participant).amount !== "0" && !held && receiver !== null;
  return (
    <DialogButton label="Record a payout" disabled={!isPayable}>
      {(close) => <RecordPayoutDialog {...props} onClose={close} />}
    </DialogButton>
  );
}

function RecordPayoutDialog({ campaign, participant, onClose }: RecordPayoutProps & { onClose: () => void }) {
  // One key while the dialog is open: a double click, or a retry after a lost answer, records one payout.
  const [idempotencyKey] = useState(randomKey);
  const [rest] = useState(() => owedTo(participant));
  const [amount, setAmount] = useState(() => typedAmount(rest));
  const { payoutChainId } = campaign.perTradeProfitMatch;
  const record = api.useMutation("post", "/operator/v1/participants/{participantId}/payouts");
  const units = toBaseUnits(amount, rest.decimalPlaces);

  return (
    <FormDialog
      title="Record a payout"
      submitLabel="Record"
      success="Payout recorded as pending."
      onClose={onClose}
      onSubmit={() =>
        record.mutateAsync({
          params: { path: { participantId: participant.id }, header: { "idempotency-key": idempotencyKey } },
          body: { amount: { ...rest, amount: units ?? "" } },
        })
      }
      canSubmit={units !== null && units !== "0"}
    >
      <Text size="sm">
        Matchbook sends nothing. Record the payout before you send it, then mark it as submitted with its transaction
        hash. {formatTokens(rest)} is owed.
      </Text>
      <TextInput
        label={`Amount in ${rest.currency}`}
        inputMode="decimal"
        required
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={problemWithAmount(amount, rest.decimalPlaces)}
      />
      <TextInput
        label={`Receiver on ${chainName(payoutChainId)}`}
        description="Every payout goes to the participant's receiver. Submissions set it once; operators change it with a reason."
        readOnly
        value={participant.receiver?.address ?? ""}
      />
    </FormDialog>
  );
}
