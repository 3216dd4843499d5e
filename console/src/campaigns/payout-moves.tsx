import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { api, type Schemas } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";

type Payout = Schemas["Payout"];

const FAILURE_REASON_LENGTH_MAX = 1_000;
const TRANSACTION_HASH_LENGTH_MAX = 128;

/** PENDING → SUBMITTED → CONFIRMED or FAILED; a pending one that fails was cancelled. Closed payouts stay as they are. */
export function PayoutMoves({ payout }: { payout: Payout }) {
  if (payout.status === "PENDING") {
    return (
      <>
        <MarkSubmitted payout={payout} />
        <MarkFailed payout={payout} label="Cancel payout" success="The payout is cancelled." />
      </>
    );
  }
  if (payout.status === "SUBMITTED") {
    return (
      <>
        <MarkConfirmed payout={payout} />
        <MarkFailed payout={payout} label="Mark as failed" success="The payout is marked as failed." />
      </>
    );
  }
  return null;
}

function useMove({ id }: Payout) {
  const move = api.useMutation("post", "/operator/v1/payouts/{payoutId}/status");
  type Request = Parameters<typeof move.mutateAsync>[0]["body"];
  return (body: Request) => move.mutateAsync({ params: { path: { payoutId: id } }, body });
}

function MarkSubmitted({ payout }: { payout: Payout }) {
  const move = useMove(payout);
  const [hash, setHash] = useState("");
  return (
    <ConfirmButton
      label="Mark as submitted"
      size="xs"
      consequence={`Say so once the transaction of ${formatTokens(payout.amount)} is sent. What happens: the merchant sees the payout as submitted, with the transaction's hash.`}
      success="The payout is marked as submitted."
      canConfirm={hash.trim() !== ""}
      action={() => move({ status: "SUBMITTED", transactionHash: hash.trim() })}
    >
      <TextInput
        label="Transaction hash"
        required
        maxLength={TRANSACTION_HASH_LENGTH_MAX}
        spellCheck={false}
        data-autofocus
        value={hash}
        onChange={(event) => setHash(event.currentTarget.value)}
      />
    </ConfirmButton>
  );
}

function MarkConfirmed({ payout }: { payout: Payout }) {
  const move = useMove(payout);
  return (
    <ConfirmButton
      label="Mark as confirmed"
      size="xs"
      consequence={`Say so once ${formatTokens(payout.amount)} has safely arrived. What happens: it counts as paid to the user. This cannot be undone.`}
      success="The payout is confirmed."
      action={() => move({ status: "CONFIRMED" })}
    />
  );
}

function MarkFailed({ payout, label, success }: { payout: Payout; label: string; success: string }) {
  const move = useMove(payout);
  const [reason, setReason] = useState("");
  return (
    <ConfirmButton
      label={label}
      size="xs"
      color="red"
      variant="light"
      consequence={`What happens: ${formatTokens(payout.amount)} is owed again and can be paid by a new payout. This one cannot be taken up again, so make sure that nothing was or will be sent.`}
      success={success}
      canConfirm={reason.trim() !== ""}
      action={() => move({ status: "FAILED", reason: reason.trim() })}
    >
      <Textarea
        label="Reason"
        description="The merchant sees it."
        required
        autosize
        minRows={2}
        maxLength={FAILURE_REASON_LENGTH_MAX}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmButton>
  );
}
