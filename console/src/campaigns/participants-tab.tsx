import { Anchor, Group, Select, Stack } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { SEARCH_LENGTH_MAX } from "../limits.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { Instant } from "../ui/instant.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { useFilters } from "../ui/use-filters.ts";
import type { Campaign } from "./campaign-values.ts";
import { owedTo } from "./owed.ts";

const STATUSES = ["QUALIFIED", "MATCHED", "PAID", "FAILED"];

export function ParticipantsTab({ campaign }: { campaign: Campaign }) {
  const { filters, setFilter } = useFilters(["search", "status"]);
  // The address goes to the API unchecked. The API reports what is wrong.
  const query: object = filters;
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/campaigns/{campaignId}/participants",
    { params: { path: { campaignId: campaign.id }, query } },
    {
      ...byCursor,
      // Only a call that names one participant answers without a page.
      getNextPageParam: (page) => ("items" in page ? page.nextCursor : null),
      select: (data) => ({ ...data, pages: data.pages.filter((page) => "items" in page) }),
    },
  );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <Group align="flex-end">
        <FilterInput
          label="User id or participant id"
          description="The merchant's user id in full, or the start of the participant id"
          placeholder="user-1042 or 2d8b9104…"
          maxLength={SEARCH_LENGTH_MAX}
          w={{ base: "100%", sm: 380 }}
          value={filters.search ?? ""}
          onFilter={(text) => setFilter("search", text)}
          spellCheck={false}
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
      </Group>
      <CursorTable
        label="Participants"
        pages={pages}
        keyOf={({ id }) => id}
        empty={
          isFiltered
            ? "No participant matches. Enter the user id exactly as the merchant submits it."
            : "No participants yet. A user appears here after the merchant's first submission for them."
        }
        columns={[
          {
            label: "User",
            isKey: true,
            width: 130,
            cell: ({ id, merchantUserId }) => (
              <Anchor component={Link} to={`/campaigns/${campaign.id}/participants/${id}`} inherit fw={500}>
                <Bounded text={merchantUserId} />
              </Anchor>
            ),
          },
          {
            label: "Status",
            isKey: true,
            width: 105,
            cell: ({ status, held }) => <Statuses status={status} held={held} />,
          },
          { label: "Profit", width: 158, amount: ({ tradeProfit }) => formatTokens(tradeProfit) },
          { label: "Match", width: 158, amount: ({ amountMatched }) => formatTokens(amountMatched) },
          { label: "Owed", isKey: true, width: 158, amount: (participant) => formatTokens(owedTo(participant)) },
          { label: "Updated", width: 110, cell: ({ updateDate }) => <Instant value={updateDate} /> },
        ]}
      />
    </Stack>
  );
}

function Statuses({ status, held }: { status: string; held: boolean }) {
  return (
    <Group gap={4}>
      <StatusBadge status={status} />
      {held && <StatusBadge status="HELD" />}
    </Group>
  );
}
