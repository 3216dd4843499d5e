import { Anchor, Button, Group, Stack, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { BudgetBar } from "../ui/budget-bar.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";

export function CampaignsTab({ merchant: { merchantId, status } }: { merchant: Schemas["Merchant"] }) {
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
      <CursorTable
        label="Campaigns"
        pages={campaigns}
        keyOf={({ id }) => id}
        empty="This merchant has no campaign yet."
        columns={[
          {
            label: "Name",
            cell: ({ id, displayName }) => (
              <Anchor component={Link} to={`/campaigns/${id}`} fw={500} inherit>
                {displayName}
              </Anchor>
            ),
          },
          { label: "Status", cell: (campaign) => <StatusBadge status={campaign.status} /> },
          {
            label: "Runs",
            cell: ({ startDate, endDate }) => (
              <>
                <Instant value={startDate} /> to <Instant value={endDate} />
              </>
            ),
          },
          {
            label: "Budget",
            cell: ({ displayName, perTradeProfitMatch: { currentAmountTotal, maxAmountTotal } }) => (
              <BudgetBar name={displayName} committed={currentAmountTotal} total={maxAmountTotal} />
            ),
          },
        ]}
      />
    </Stack>
  );
}
