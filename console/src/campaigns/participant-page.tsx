import { Group, Skeleton, Stack } from "@mantine/core";
import { useParams } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { Failure } from "../ui/failure.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { WaitingApprovals } from "../ui/waiting-approvals.tsx";
import type { Campaign } from "./campaign-values.ts";
import { MatchTrail } from "./match-trail.tsx";
import { ParticipantSummary } from "./participant-summary.tsx";
import { Payouts } from "./payouts.tsx";
import { Receiver } from "./receiver.tsx";

type Participant = Schemas["OperatorParticipant"];

export function ParticipantPage() {
  const { campaignId = "", participantId = "" } = useParams();
  const path = { campaignId };
  const campaign = api.useQuery("get", "/operator/v1/campaigns/{campaignId}", { params: { path } });
  const participant = api.useQuery("get", "/operator/v1/campaigns/{campaignId}/participants", {
    params: { path, query: { id: participantId } },
  });
  const found = participant.data;
  // With an id the answer is one participant. The type also allows a page, for queries without an id.
  if (campaign.data !== undefined && found !== undefined && !("items" in found)) {
    return <LoadedParticipant campaign={campaign.data} participant={found} />;
  }
  const failed = [campaign, participant].find(({ error }) => error !== null);
  return (
    <Page title="Participant" above={{ to: `/campaigns/${campaignId}?tab=participants`, label: "Participants" }}>
      {failed === undefined ? (
        <Skeleton height={240} />
      ) : (
        <Failure
          error={failed.error}
          action="load the participant"
          onRetry={() => Promise.all([campaign.refetch(), participant.refetch()])}
        />
      )}
    </Page>
  );
}

function LoadedParticipant({ campaign, participant }: { campaign: Campaign; participant: Participant }) {
  return (
    <Page
      title={participant.merchantUserId}
      above={{ to: `/campaigns/${campaign.id}?tab=participants`, label: campaign.displayName }}
      description={
        <Group gap="xs">
          <StatusBadge status={participant.status} />
          {participant.held && <StatusBadge status="HELD" />}
          <span>
            User of <MerchantName merchantId={campaign.merchantId} />
          </span>
        </Group>
      }
    >
      <Stack gap="lg">
        <WaitingApprovals of={{ subject: participant.id }} />
        <ParticipantSummary participant={participant} />
        <Receiver campaign={campaign} participant={participant} />
        <Payouts campaign={campaign} participant={participant} />
        <MatchTrail campaign={campaign} participantId={participant.id} />
      </Stack>
    </Page>
  );
}
