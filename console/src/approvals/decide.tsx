import { Group } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { requestOf } from "../ui/approval-actions.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";

/** Approving makes the change; the API refuses it when it is no longer the one that is shown. */
export function Decide({ approval: { id, action } }: { approval: Schemas["Approval"] }) {
  const approve = api.useMutation("post", "/operator/v1/approvals/{approvalId}/approve");
  const reject = api.useMutation("post", "/operator/v1/approvals/{approvalId}/reject");
  const params = { path: { approvalId: id } };
  const isToken = action === "token.create";
  return (
    <Group justify="flex-end">
      <ConfirmButton
        label="Reject"
        title={`Reject: ${requestOf(action).toLowerCase()}`}
        color="red"
        variant="light"
        consequence="Nothing is changed. The one who asked can ask again."
        success="The request was rejected."
        asksReason
        action={(reason) => reject.mutateAsync({ params, body: { reason } })}
      />
      <ConfirmButton
        label="Approve"
        title={`Approve: ${requestOf(action).toLowerCase()}`}
        consequence={
          isToken
            ? "The one who asked can then fetch the token. Its holder counts as a person who can approve changes."
            : "The change is made immediately, exactly as it is shown. If something has changed since it was asked, nothing is done."
        }
        success={isToken ? "Approved. The one who asked can fetch the token now." : "Approved and done."}
        asksReason
        action={(reason) => approve.mutateAsync({ params, body: { reason } })}
      />
    </Group>
  );
}
