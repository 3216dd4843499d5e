import { Textarea, TextInput } from "@mantine/core";
import { problemWithTransactionHash } from "@matchbook/addresses";
import { api, type Schemas } from "../api/client.ts";
import { REASON_LENGTH_MAX, TRANSACTION_HASH_LENGTH_MAX } from "../limits.ts";
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

/** PENDING → SUBMITTED → CONFIRMED or FAILED. A pending payout can be cancelled, and a confirmed one reversed. */
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
  if (payout.status === "CONFIRMED") {
    return (
      <DialogButton label="Reverse" size="xs" color="red" variant="light">
        {(close) => <ReverseDialog payout={payout} onClose={close} />}
      </DialogButton>
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
      consequence="Do this once the transaction is sent. The merchant sees the payout as submitted, with the transaction hash."
      submitLabel="Mark as submitted"
      success="Payout marked as submitted."
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
      consequence="Do this once the transaction is final. The payout then counts as paid. After that it can only be reversed."
      success="Payout confirmed."
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
      ? { title: `Cancel the payout of ${amount}`, submitLabel: "Cancel payout", success: "Payout cancelled." }
      : {
          title: `Mark the payout of ${amount} as failed`,
          submitLabel: "Mark as failed",
          success: "Payout marked as failed.",
        };
  return (
    <FormDialog
      {...words}
      dismissLabel="Go back"
      color="red"
      consequence={`${amount} is owed again, and you can pay it with a new payout. You cannot reopen this payout, so make sure that nothing was or will be sent.`}
      canSubmit={reason.text.trim() !== ""}
      onSubmit={() => move({ status: "FAILED", reason: reason.text.trim() })}
      onClose={() => {
        reason.drop();
        onClose();
      }}
    >
      <MerchantReason value={reason.text} onChange={reason.type} />
    </FormDialog>
  );
}

function ReverseDialog({ payout, onClose }: MoveDialogProps) {
  const reverse = api.useMutation("post", "/operator/v1/payouts/{payoutId}/reverse");
  const reason = useDraftText(`reversal-reason-${payout.id}`);
  const amount = formatTokens(payout.amount);
  const why = reason.text.trim();
  return (
    <FormDialog
      title={`Reverse the payout of ${amount}`}
      submitLabel="Reverse"
      success="Payout reversed."
      dismissLabel="Go back"
      color="red"
      consequence={`The payout becomes FAILED, and ${amount} is owed again. Do this only if the money did not arrive or came back: the next payout run pays it once more. You cannot undo this.`}
      canSubmit={why !== ""}
      onSubmit={() => reverse.mutateAsync({ params: { path: { payoutId: payout.id } }, body: { reason: why } })}
      onClose={() => {
        reason.drop();
        onClose();
      }}
    >
      <MerchantReason value={reason.text} onChange={reason.type} />
    </FormDialog>
  );
}

function MerchantReason({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <Textarea
      label="Reason"
      description="The merchant sees it."
      required
      autosize
      minRows={2}
      maxLength={REASON_LENGTH_MAX}
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
