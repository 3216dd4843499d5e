import { Anchor, Button, Group, Select } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { SEARCH_LENGTH_MAX } from "../limits.ts";
import { useMayChange } from "../session/session.ts";
import { Bounded } from "../ui/bounded.tsx";
import { BudgetBar } from "../ui/budget-bar.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CampaignWindow } from "../ui/campaign-window.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { MerchantFilter } from "../ui/merchant-filter.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { useFilters } from "../ui/use-filters.ts";

const STATUSES = ["DRAFT", "ACTIVE", "PAUSED", "ENDED"];

export function CampaignsPage() {
  const { filters, setFilter } = useFilters(["search", "status", "merchantId"]);
  const mayChange = useMayChange();
  // The address goes to the API unchecked. The API reports what is wrong.
  const query: object = filters;
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/campaigns",
    { params: { query } },
    {
      ...byCursor,
      placeholderData: keepPreviousData,
    },
  );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Campaigns"
      description="Rewards that match the profit users made by trading."
      actions={mayChange ? <NewCampaignButton merchantId={filters.merchantId} /> : undefined}
    >
      <Group align="flex-end">
        <FilterInput
          label="Search"
          type="search"
          maxLength={SEARCH_LENGTH_MAX}
          placeholder="Name or campaign id"
          value={filters.search ?? ""}
          onFilter={(search) => setFilter("search", search)}
          miw={{ base: "100%", xs: 280 }}
        />
        <Select
          label="Status"
          placeholder="Every status"
          data={STATUSES}
          value={filters.status ?? null}
          onChange={(status) => setFilter("status", status)}
          clearable
          clearButtonProps={{ "aria-label": "Show every status" }}
        />
        {filters.merchantId !== undefined && (
          <MerchantFilter merchantId={filters.merchantId} onRemove={() => setFilter("merchantId", null)} />
        )}
      </Group>
      <CursorTable
        label="Campaigns"
        pages={pages}
        keyOf={({ id }) => id}
        empty={isFiltered ? "No campaign matches these filters." : "No campaigns yet. Create one with “New campaign”."}
        columns={[
          {
            label: "Name",
            isKey: true,
            width: 150,
            cell: ({ id, displayName }) => (
              <Anchor component={Link} to={`/campaigns/${id}`} inherit fw={500}>
                <Bounded text={displayName} />
              </Anchor>
            ),
          },
          { label: "Merchant", cell: ({ merchantId }) => <MerchantName merchantId={merchantId} /> },
          { label: "Status", isKey: true, width: 100, cell: ({ status }) => <StatusBadge status={status} /> },
          {
            label: "Window",
            width: 160,
            cell: ({ startDate, endDate }) => <CampaignWindow startDate={startDate} endDate={endDate} />,
          },
          {
            label: "Budget used",
            isKey: true,
            width: 200,
            cell: ({ displayName, perTradeProfitMatch: { currentAmountTotal, maxAmountTotal } }) => (
              <BudgetBar name={displayName} committed={currentAmountTotal} total={maxAmountTotal} />
            ),
          },
        ]}
      />
    </Page>
  );
}

function NewCampaignButton({ merchantId }: { merchantId: string | undefined }) {
  const to =
    merchantId === undefined ? "/campaigns/new" : `/campaigns/new?merchantId=${encodeURIComponent(merchantId)}`;
  return (
    <Button component={Link} to={to} leftSection={<IconPlus size={16} />}>
      New campaign
    </Button>
  );
}
