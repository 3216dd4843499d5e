import { api } from "../api/client.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import type { Campaign } from "./campaign-values.ts";

/** DRAFT → ACTIVE ↔ PAUSED → ENDED: only the moves that the campaign's status allows. */
export function CampaignMoves({ campaign: { id, status, displayName } }: { campaign: Campaign }) {
  const activate = api.useMutation("post", "/operator/v1/campaigns/{campaignId}/activate");
  const pause = api.useMutation("post", "/operator/v1/campaigns/{campaignId}/pause");
  const end = api.useMutation("post", "/operator/v1/campaigns/{campaignId}/end");
  const request = { params: { path: { campaignId: id } }, body: {} };
  return (
    <>
      {(status === "DRAFT" || status === "PAUSED") && (
        <ConfirmButton
          label={status === "DRAFT" ? "Activate" : "Resume"}
          title={`${status === "DRAFT" ? "Activate" : "Resume"} ${displayName}`}
          consequence={
            status === "DRAFT"
              ? "What happens: the merchant can submit its users' profits, and matches are committed from the budget. From then on the terms can only get better for users; it cannot become a draft again."
              : "What happens: the merchant can submit its users' profits again."
          }
          success={`${displayName} is active.`}
          action={() => activate.mutateAsync(request)}
        />
      )}
      {status === "ACTIVE" && (
        <ConfirmButton
          label="Pause"
          title={`Pause ${displayName}`}
          variant="default"
          consequence="What happens: submissions are refused until you resume the campaign. Deposits go on qualifying wallets, matches stay as they are, and payouts can still be recorded."
          success={`${displayName} is paused.`}
          action={() => pause.mutateAsync(request)}
        />
      )}
      {(status === "ACTIVE" || status === "PAUSED") && (
        <ConfirmButton
          label="End"
          title={`End ${displayName}`}
          color="red"
          variant="light"
          confirmLabel="End for good"
          consequence="What happens: the campaign accepts no more submissions, ever. This cannot be undone. Matches stay as they are, and what is owed can still be paid out."
          success={`${displayName} has ended.`}
          action={() => end.mutateAsync(request)}
        />
      )}
    </>
  );
}
