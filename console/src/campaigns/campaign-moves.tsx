import { api } from "../api/client.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Foreign } from "../ui/foreign.tsx";
import type { Campaign } from "./campaign-values.ts";

/** DRAFT → ACTIVE ↔ PAUSED → ENDED: only the moves that the campaign's status allows. */
export function CampaignMoves({ campaign: { id, status, displayName } }: { campaign: Campaign }) {
  const activate = api.useMutation("post", "/operator/v1/campaigns/{campaignId}/activate");
  const resume = api.useMutation("post", "/operator/v1/campaigns/{campaignId}/resume");
  const pause = api.useMutation("post", "/operator/v1/campaigns/{campaignId}/pause");
  const end = api.useMutation("post", "/operator/v1/campaigns/{campaignId}/end");
  const params = { path: { campaignId: id } };
  const name = <Foreign text={displayName} />;
  return (
    <>
      {status === "DRAFT" && (
        <ConfirmButton
          label="Activate"
          title={<>Activate {name}</>}
          consequence="The merchant can then submit its users' profits, and matches are committed from the budget. After that you can only improve the terms for users, and the campaign cannot become a draft again."
          success={`${displayName} is active.`}
          action={() => activate.mutateAsync({ params, body: {} })}
        />
      )}
      {status === "PAUSED" && (
        <ConfirmButton
          label="Resume"
          title={<>Resume {name}</>}
          consequence="The merchant can submit its users' profits again."
          success={`${displayName} is active.`}
          action={() => resume.mutateAsync({ params, body: {} })}
        />
      )}
      {status === "ACTIVE" && (
        <ConfirmButton
          label="Pause"
          title={<>Pause {name}</>}
          variant="default"
          consequence="Submissions are rejected until you resume the campaign. Deposits still qualify wallets, matches stay as they are, and you can still record payouts."
          success={`${displayName} is paused.`}
          asksReason
          action={(reason) => pause.mutateAsync({ params, body: { reason } })}
        />
      )}
      {(status === "ACTIVE" || status === "PAUSED") && (
        <ConfirmButton
          label="End"
          title={<>End {name}</>}
          color="red"
          variant="light"
          confirmLabel="End campaign"
          consequence="The campaign accepts no more submissions. You cannot undo this. Matches stay as they are, and you can still pay what is owed."
          success={`${displayName} has ended.`}
          asksReason
          action={(reason) => end.mutateAsync({ params, body: { reason } })}
        />
      )}
    </>
  );
}
