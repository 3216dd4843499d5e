import { Anchor, Button, Group, Stack, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { BudgetBar } from "../ui/budget-bar.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CampaignWindow } from "../ui/campaign-window.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";

export function CampaignsTab({ merchant }: { merchant: Schemas["Merchant"] }) {
  const { merchantId, displayName, status } = merchant;
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
            All campaigns of {displayName}
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
        empty="This merchant has no campaign yet."
        columns={[
          {
            label: "Name",
            cell: ({ id, displayName: name }) => (
              <Anchor component={Link} to={`/campaigns/${id}`} fw={500} inherit>
                {name}
              </Anchor>
            ),
          },
          { label: "Status", cell: (campaign) => <StatusBadge status={campaign.status} /> },
          {
            label: "Window",
            cell: ({ startDate, endDate }) => <CampaignWindow startDate={startDate} endDate={endDate} />,
          },
          {
            label: "Budget",
            cell: ({ displayName: name, perTradeProfitMatch: { currentAmountTotal, maxAmountTotal } }) => (
              <BudgetBar name={name} committed={currentAmountTotal} total={maxAmountTotal} />
            ),
          },
        ]}
      />
    </Stack>
  );
}
