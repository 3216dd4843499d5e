import { Skeleton, Stack } from "@mantine/core";
import { useParams } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { Failure } from "../ui/failure.tsx";
import { Page } from "../ui/page.tsx";
import { PageTabs } from "../ui/page-tabs.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { WaitingApprovals } from "../ui/waiting-approvals.tsx";
import { AuditTab } from "./audit-tab.tsx";
import { CampaignsTab } from "./campaigns-tab.tsx";
import { DepositsTab } from "./deposits-tab.tsx";
import { DomainsTab } from "./domains-tab.tsx";
import { KeyTab } from "./key-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { SuspensionButton } from "./suspension-button.tsx";
import { UsersTab } from "./users-tab.tsx";

type Merchant = Schemas["Merchant"];

const TABS = [
  { name: "overview", label: "Overview", Content: OverviewTab },
  { name: "key", label: "Key", Content: KeyTab },
  { name: "domains", label: "Domains", Content: DomainsTab },
  { name: "deposits", label: "Deposits", Content: DepositsTab },
  { name: "users", label: "Users", Content: UsersTab },
  { name: "campaigns", label: "Campaigns", Content: CampaignsTab },
  { name: "audit", label: "Audit", Content: AuditTab },
];

const ABOVE = { to: "/merchants", label: "Merchants" };

export function MerchantPage() {
  const { merchantId = "" } = useParams();
  const { data, error, refetch } = api.useQuery("get", "/operator/v1/merchants/{merchantId}", {
    params: { path: { merchantId } },
  });
  if (data !== undefined) return <KnownMerchant key={merchantId} merchant={data} />;
  return (
    <Page title="Merchant" above={ABOVE}>
      {error === null ? <Waiting /> : <Failure error={error} action="load the merchant" onRetry={() => refetch()} />}
    </Page>
  );
}

function KnownMerchant({ merchant }: { merchant: Merchant }) {
  return (
    <Page
      title={merchant.displayName}
      above={ABOVE}
      description={<StatusBadge status={merchant.status} />}
      actions={<SuspensionButton merchant={merchant} />}
    >
      <WaitingApprovals of={{ subject: merchant.merchantId }} />
      <PageTabs
        label="About this merchant"
        tabs={TABS.map(({ Content, ...tab }) => ({ ...tab, content: <Content merchant={merchant} /> }))}
      />
    </Page>
  );
}

function Waiting() {
  return (
    <Stack aria-busy="true">
      <Skeleton height={36} />
      <Skeleton height={180} />
    </Stack>
  );
}
