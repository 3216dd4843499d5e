import { Textarea, TextInput } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { REASON_LENGTH_MAX, TRANSACTION_HASH_LENGTH_MAX } from "../limits.ts";
import { problemWithTransactionHash } from "../ui/addresses.ts";
import { formatTokens } from "../ui/amounts.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { sentenceAbout } from "../ui/sentence.ts";
import { useDraftText } from "../ui/use-draft-text.ts";

type Payout = Schemas["Payout"];

interface MoveDialogProps {
  readonly payout: Payout;
  readonly onClose: () => void;
}

/** PENDING → SUBMITTED → CONFIRMED or FAILED; a pending one that fails was cancelled. Closed payouts stay as they are. */
export function PayoutMoves({ payout }: { payout: Payout }) {
  if (payout.status === "PENDING") {
    return (
      <>
        <DialogButton label="Mark as submitted" size="xs">
          {(close) => <SubmittedDialog payout={payout} onClose={close} />}
        </DialogButton>
        <DialogButton label="Cancel payout" size="xs" color="red" variant="light">
          {(close) => <FailedDialog payout={payout} onClose={close} />}
        </DialogButton>
      </>
    );
  }
  if (payout.status === "SUBMITTED") {
    return (
      <>
        <MarkConfirmed payout={payout} />
        <DialogButton label="Mark as failed" size="xs" color="red" variant="light">
          {(close) => <FailedDialog payout={payout} onClose={close} />}
        </DialogButton>
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

function SubmittedDialog({ payout, onClose }: MoveDialogProps) {
  const move = useMove(payout);
  const hash = useDraftText(`transaction-hash-${payout.id}`);
  const typed = hash.text.trim();
  const problem = sentenceAbout("The hash", problemWithTransactionHash(typed, payout.chainId));
  return (
    <FormDialog
      title={`Mark the payout of ${formatTokens(payout.amount)} as submitted`}
      consequence="Say so once the transaction is sent. What happens: the merchant sees the payout as submitted, with the transaction's hash."
      submitLabel="Mark as submitted"
      success="The payout is marked as submitted."
      canSubmit={problem === null}
      onSubmit={() => move({ status: "SUBMITTED", transactionHash: typed })}
      onClose={() => {
        hash.drop();
        onClose();
      }}
    >
      <TextInput
        label="Transaction hash"
        required
        maxLength={TRANSACTION_HASH_LENGTH_MAX}
        spellCheck={false}
        data-autofocus
        value={hash.text}
        onChange={(event) => hash.type(event.currentTarget.value)}
        error={typed !== "" && problem}
      />
    </FormDialog>
  );
}

function MarkConfirmed({ payout }: { payout: Payout }) {
  const move = useMove(payout);
  return (
    <ConfirmButton
      label="Mark as confirmed"
      title={`Mark the payout of ${formatTokens(payout.amount)} as confirmed`}
      size="xs"
      consequence="Say so once it has safely arrived. What happens: it counts as paid to the user. This cannot be undone."
      success="The payout is confirmed."
      action={() => move({ status: "CONFIRMED" })}
    />
  );
}

function FailedDialog({ payout, onClose }: MoveDialogProps) {
  const move = useMove(payout);
  const reason = useDraftText(`failure-reason-${payout.id}`);
  const amount = formatTokens(payout.amount);
  const words =
    payout.status === "PENDING"
      ? { title: `Cancel the payout of ${amount}`, submitLabel: "Cancel payout", success: "The payout is cancelled." }
      : {
          title: `Mark the payout of ${amount} as failed`,
          submitLabel: "Mark as failed",
          success: "The payout is marked as failed.",
        };
  return (
    <FormDialog
      {...words}
      dismissLabel="Keep it"
      color="red"
      consequence={`What happens: ${amount} is owed again and can be paid by a new payout. This one cannot be taken up again, so make sure that nothing was or will be sent.`}
      canSubmit={reason.text.trim() !== ""}
      onSubmit={() => move({ status: "FAILED", reason: reason.text.trim() })}
      onClose={() => {
        reason.drop();
        onClose();
      }}
    >
      <Textarea
        label="Reason"
        description="The merchant sees it."
        required
        autosize
        minRows={2}
        maxLength={REASON_LENGTH_MAX}
        data-autofocus
        value={reason.text}
        onChange={(event) => reason.type(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
