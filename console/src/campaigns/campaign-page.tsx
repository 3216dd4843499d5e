import { Group, Skeleton } from "@mantine/core";
import { useParams } from "react-router";
import { api } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { Failure } from "../ui/failure.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { PageTabs } from "../ui/page-tabs.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { WaitingApprovals } from "../ui/waiting-approvals.tsx";
import { CampaignMoves } from "./campaign-moves.tsx";
import { CampaignOverview } from "./campaign-overview.tsx";
import type { Campaign } from "./campaign-values.ts";
import { EditCampaign } from "./edit-campaign.tsx";
import { JournalTab } from "./journal-tab.tsx";
import { NewPayoutRun } from "./new-payout-run.tsx";
import { OwedTab } from "./owed-tab.tsx";
import { ParticipantsTab } from "./participants-tab.tsx";
import { QualifiedWalletsTab } from "./qualified-wallets-tab.tsx";

const TABS = [
  { name: "overview", label: "Overview", Content: CampaignOverview },
  { name: "participants", label: "Participants", Content: ParticipantsTab },
  { name: "wallets", label: "Qualified wallets", Content: QualifiedWalletsTab },
  { name: "journal", label: "Journal", Content: JournalTab },
  { name: "owed", label: "Owed", Content: OwedTab },
];

const ABOVE = { to: "/campaigns", label: "Campaigns" };

export function CampaignPage() {
  const { campaignId = "" } = useParams();
  const { data, error, refetch } = api.useQuery("get", "/operator/v1/campaigns/{campaignId}", {
    params: { path: { campaignId } },
  });
  if (data !== undefined) return <LoadedCampaign campaign={data} />;
  return (
    <Page title="Campaign" above={ABOVE}>
      {error === null ? (
        <Skeleton height={240} />
      ) : (
        <Failure error={error} action="load the campaign" onRetry={refetch} />
      )}
    </Page>
  );
}

function LoadedCampaign({ campaign }: { campaign: Campaign }) {
  const mayChange = useMayChange();
  return (
    <Page
      title={campaign.displayName}
      above={ABOVE}
      description={
        <Group gap="xs">
          <StatusBadge status={campaign.status} />
          <span>
            of <MerchantName merchantId={campaign.merchantId} />
          </span>
        </Group>
      }
      actions={
        mayChange ? (
          <>
            {campaign.status !== "DRAFT" && <NewPayoutRun campaign={campaign} />}
            <EditCampaign campaign={campaign} />
            <CampaignMoves campaign={campaign} />
          </>
        ) : undefined
      }
    >
      <WaitingApprovals of={{ subject: campaign.id }} />
      <PageTabs
        label="About this campaign"
        tabs={TABS.map(({ Content, ...tab }) => ({ ...tab, content: <Content campaign={campaign} /> }))}
      />
    </Page>
  );
}
