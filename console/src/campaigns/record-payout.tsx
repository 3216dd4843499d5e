import { Autocomplete, Text, TextInput } from "@mantine/core";
import { problemWithRecipient, withChecksum } from "@matchbook/addresses";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { ADDRESS_LENGTH_MAX } from "../limits.ts";
import { formatTokens, problemWithAmount, toBaseUnits } from "../ui/amounts.ts";
import { chainName } from "../ui/chains.ts";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { randomKey } from "../ui/random-key.ts";
import { sentenceAbout } from "../ui/sentence.ts";
import type { Campaign } from "./campaign-values.ts";
import { owedTo } from "./owed.ts";
import { typedAmount } from "./typed-amount.ts";

type Participant = Schemas["OperatorParticipant"];

interface RecordPayoutProps {
  readonly campaign: Campaign;
  readonly participant: Participant;
}

export function RecordPayout(props: RecordPayoutProps) {
  return (
    <DialogButton label="Record a payout" disabled={owedTo(props.participant).amount === "0"}>
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
  const wallets = walletsOnChain(participant, payoutChainId);
  const preferred = wallets.find(({ qualifiedDate }) => qualifiedDate !== null);
  const [recipient, setRecipient] = useState(preferred?.address ?? "");
  const record = api.useMutation("post", "/operator/v1/participants/{participantId}/payouts");
  const units = toBaseUnits(amount, rest.decimalPlaces);
  const problem = problemWith(recipient.trim(), campaign);

  return (
    <FormDialog
      title="Record a payout"
      submitLabel="Record"
      success="Payout recorded as pending."
      onClose={onClose}
      onSubmit={() =>
        record.mutateAsync({
          params: { path: { participantId: participant.id }, header: { "idempotency-key": idempotencyKey } },
          body: { amount: { ...rest, amount: units ?? "" }, recipientAddress: recipient.trim() },
        })
      }
      canSubmit={units !== null && units !== "0" && recipient.trim() !== "" && problem === null}
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
      <Autocomplete
        label={`Recipient on ${chainName(payoutChainId)}`}
        description={
          preferred === undefined
            ? "The user has no qualified wallet on the payout chain. Ask the merchant where to pay."
            : "Default: the wallet that qualified first on the payout chain, as in owed.csv."
        }
        required
        maxLength={ADDRESS_LENGTH_MAX}
        spellCheck={false}
        data={wallets.map(({ address }) => address)}
        renderOption={({ option: { value } }) =>
          wallets.some(({ address, qualifiedDate }) => address === value && qualifiedDate === null)
            ? `${value} (not qualified)`
            : value
        }
        filter={({ options }) => options}
        value={recipient}
        onChange={setRecipient}
        error={recipient.trim() !== "" && problem}
      />
    </FormDialog>
  );
}

function problemWith(recipient: string, { perTradeProfitMatch: { payoutChainId, payoutTokenAddress } }: Campaign) {
  if (withChecksum(recipient) === withChecksum(payoutTokenAddress)) return "This is the token's own contract.";
  return sentenceAbout("The address", problemWithRecipient(recipient, payoutChainId));
}

/**
 * The user's wallets on a chain, in the order of owed.csv: the first to qualify comes first. Wallets that do not qualify come
 * last; owed.csv never pays to them. Chains without an EVM id are matched by name.
 */
function walletsOnChain({ associatedWallets }: Participant, chainId: number): Participant["associatedWallets"] {
  const qualifiedSince = ({ qualifiedDate }: { qualifiedDate: string | null }) => qualifiedDate ?? "9999";
  return (
    associatedWallets
      .filter((wallet) =>
        wallet.chainId === null ? wallet.chainName === chainName(chainId) : wallet.chainId === chainId,
      )
      .sort((one, other) => qualifiedSince(one).localeCompare(qualifiedSince(other)))
      // Deposits may spell an EVM address in any case. Offer the spelling whose checksum holds.
      .map((wallet) => ({ ...wallet, address: withChecksum(wallet.address) }))
  );
}
