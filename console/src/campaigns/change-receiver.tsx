import { type ButtonProps, TextInput } from "@mantine/core";
import { problemWithRecipient } from "@matchbook/addresses";
import { addressKey } from "@matchbook/addresses/chains";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { ADDRESS_LENGTH_MAX } from "../limits.ts";
import { chainName } from "../ui/chains.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { ReasonField, reasonOf } from "../ui/reason-field.tsx";
import { sentenceAbout } from "../ui/sentence.ts";
import type { Campaign } from "./campaign-values.ts";

interface ChangeReceiverProps {
  readonly campaign: Campaign;
  readonly participant: Schemas["OperatorParticipant"];
}

const labelOf = ({ receiver }: ChangeReceiverProps["participant"]) =>
  receiver === null ? "Set the receiver" : "Change the receiver";

export function ChangeReceiver({ campaign, participant, ...button }: ChangeReceiverProps & ButtonProps) {
  return (
    <DialogButton label={labelOf(participant)} {...button}>
      {(close) => <ChangeReceiverDialog campaign={campaign} participant={participant} onClose={close} />}
    </DialogButton>
  );
}

function ChangeReceiverDialog({ campaign, participant, onClose }: ChangeReceiverProps & { onClose: () => void }) {
  const [address, setAddress] = useState("");
  const [reason, setReason] = useState("");
  // The page behind the dialog is loaded again after a failed try, which must not rename the dialog.
  const [label] = useState(() => labelOf(participant));
  const change = api.useMutation("put", "/operator/v1/participants/{participantId}/receiver");
  const typed = address.trim();
  const problem = problemWith(typed, campaign, participant.receiver);
  const why = reasonOf(reason);
  return (
    <FormDialog
      title={label}
      consequence="Payouts from now on go to this address. Those that are already recorded keep theirs. A payout run that is not exported yet has to be cancelled and made again. The merchant's contact gets a mail with the change and the reason."
      submitLabel={label}
      success="The receiver was changed."
      canSubmit={problem === null && why !== undefined}
      onSubmit={() =>
        change.mutateAsync({
          params: { path: { participantId: participant.id } },
          body: { address: typed, reason: why ?? "" },
        })
      }
      onClose={onClose}
    >
      <TextInput
        label={`Address on ${chainName(campaign.perTradeProfitMatch.payoutChainId)}`}
        required
        maxLength={ADDRESS_LENGTH_MAX}
        spellCheck={false}
        data-autofocus
        value={address}
        onChange={(event) => setAddress(event.currentTarget.value)}
        error={typed !== "" && sentenceAbout("The address", problem)}
      />
      <ReasonField
        value={reason}
        onChange={setReason}
        required
        description="The merchant gets it by mail. Kept in the audit log."
      />
    </FormDialog>
  );
}

function problemWith(
  address: string,
  { perTradeProfitMatch: { payoutChainId, payoutTokenAddress } }: Campaign,
  receiver: Schemas["OperatorParticipant"]["receiver"],
): string | null {
  const problem = problemWithRecipient(address, payoutChainId);
  if (problem !== null) return problem;
  if (addressKey(address) === addressKey(payoutTokenAddress)) {
    return "is the token's own contract; what is sent there is lost";
  }
  return receiver !== null && addressKey(address) === addressKey(receiver.address) ? "is already the receiver" : null;
}
