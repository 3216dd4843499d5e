import { Anchor, Button, Group, Stack, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { Bounded } from "../ui/bounded.tsx";
import { BudgetBar } from "../ui/budget-bar.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CampaignWindow } from "../ui/campaign-window.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";

export function CampaignsTab({ merchant }: { merchant: Schemas["Merchant"] }) {
  const { merchantId, status } = merchant;
  const isApproved = status === "ACTIVE" || status === "SUSPENDED";
  const mayCreate = useMayChange() && isApproved;
  const campaigns = api.useInfiniteQuery(
    "get",
    "/operator/v1/campaigns",
    { params: { query: { merchantId } } },
    byCursor,
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Campaigns
        </Title>
        <Group>
          <Button component={Link} to={`/campaigns?merchantId=${merchantId}`} variant="default">
            Open in campaigns
          </Button>
          {mayCreate && (
            <Button
              component={Link}
              to={`/campaigns/new?merchantId=${merchantId}`}
              leftSection={<IconPlus size={16} aria-hidden />}
            >
              New campaign
            </Button>
          )}
        </Group>
      </Group>
      <CursorTable
        label="Campaigns"
        pages={campaigns}
        keyOf={({ id }) => id}
        empty="No campaigns yet."
        columns={[
          {
            label: "Name",
            isKey: true,
            width: 170,
            cell: ({ id, displayName }) => (
              <Anchor component={Link} to={`/campaigns/${id}`} fw={500} inherit>
                <Bounded text={displayName} />
              </Anchor>
            ),
          },
          { label: "Status", isKey: true, width: 100, cell: (campaign) => <StatusBadge status={campaign.status} /> },
          {
            label: "Window",
            width: 160,
            cell: ({ startDate, endDate }) => <CampaignWindow startDate={startDate} endDate={endDate} />,
          },
          {
            label: "Budget used",
            isKey: true,
            width: 220,
            cell: ({ displayName, perTradeProfitMatch: { currentAmountTotal, maxAmountTotal } }) => (
              <BudgetBar name={displayName} committed={currentAmountTotal} total={maxAmountTotal} />
            ),
          },
        ]}
      />
    </Stack>
  );
}
