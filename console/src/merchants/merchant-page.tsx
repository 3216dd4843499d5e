import { Skeleton, Stack, Tabs } from "@mantine/core";
import type { ComponentType } from "react";
import { useParams } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { Failure } from "../ui/failure.tsx";
import { Page } from "../ui/page.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { AuditTab } from "./audit-tab.tsx";
import { CampaignsTab } from "./campaigns-tab.tsx";
import { DepositsTab } from "./deposits-tab.tsx";
import { DomainsTab } from "./domains-tab.tsx";
import { KeyTab } from "./key-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { StandingButton } from "./standing-button.tsx";
import { UsersTab } from "./users-tab.tsx";

type Merchant = Schemas["Merchant"];

const TABS: readonly { name: string; label: string; content: ComponentType<{ merchant: Merchant }> }[] = [
  { name: "overview", label: "Overview", content: OverviewTab },
  { name: "key", label: "Key", content: KeyTab },
  { name: "domains", label: "Domains", content: DomainsTab },
  { name: "deposits", label: "Deposits", content: DepositsTab },
  { name: "users", label: "Users", content: UsersTab },
  { name: "campaigns", label: "Campaigns", content: CampaignsTab },
  { name: "audit", label: "Audit", content: AuditTab },
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
      {error === null ? <Waiting /> : <Failure error={error} onRetry={() => refetch()} />}
    </Page>
  );
}

function KnownMerchant({ merchant }: { merchant: Merchant }) {
  const { filters, setFilter } = useFilters(["tab"]);
  const open = TABS.find(({ name }) => name === filters.tab)?.name ?? "overview";
  return (
    <Page
      title={merchant.displayName}
      above={ABOVE}
      description={<StatusBadge status={merchant.status} />}
      actions={<StandingButton merchant={merchant} />}
    >
      <Tabs
        value={open}
        onChange={(name) => setFilter("tab", name === "overview" ? null : name)}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <Tabs.List aria-label="About this merchant">
          {TABS.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name, content: Content }) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            <Content merchant={merchant} />
          </Tabs.Panel>
        ))}
      </Tabs>
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
