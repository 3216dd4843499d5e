import { Anchor, Group, Select, Stack } from "@mantine/core";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { codeOf } from "../api/errors.ts";
import { formatTokens } from "../ui/amounts.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { Instant } from "../ui/instant.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { useFilters } from "../ui/use-filters.ts";
import type { Campaign } from "./campaign-values.ts";
import { owedTo } from "./owed.ts";

type Participant = Schemas["Participant"];

const STATUSES = ["QUALIFIED", "MATCHED", "PAID", "FAILED"];
const NOBODY: { items: Participant[]; nextCursor: null } = { items: [], nextCursor: null };

export function ParticipantsTab({ campaign }: { campaign: Campaign }) {
  const { filters, setFilter } = useFilters(["merchantUserId", "status"]);
  const pages = useParticipants(campaign.id, filters);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <Group align="flex-end">
        <FilterInput
          label="User id"
          description="The merchant's own id of the user, exactly"
          placeholder="user-1042"
          value={filters.merchantUserId ?? ""}
          onFilter={(text) => setFilter("merchantUserId", text)}
        />
        <Select
          label="Status"
          placeholder="Every status"
          data={STATUSES}
          value={filters.status ?? null}
          onChange={(status) => setFilter("status", status)}
          // A user id names one participant, whatever its status.
          disabled={filters.merchantUserId !== undefined}
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
            ? "No participant matches. A user id must be written exactly as the merchant submits it."
            : "Nobody takes part yet. Users appear here with the merchant's first submission for them."
        }
        columns={[
          {
            label: "User",
            cell: ({ id, merchantUserId }) => (
              <Anchor component={Link} to={`/campaigns/${campaign.id}/participants/${id}`} inherit fw={500}>
                {merchantUserId}
              </Anchor>
            ),
          },
          { label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
          { label: "Profit", isNumber: true, cell: ({ tradeProfit }) => formatTokens(tradeProfit) },
          { label: "Match", isNumber: true, cell: ({ amountMatched }) => formatTokens(amountMatched) },
          { label: "Owed", isNumber: true, cell: (participant) => formatTokens(owedTo(participant)) },
          { label: "Updated", cell: ({ updateDate }) => <Instant value={updateDate} /> },
        ]}
      />
    </Stack>
  );
}

// A user id is answered with that one participant or a 404; both are shown as the list they mean.
function useParticipants(campaignId: string, filters: object) {
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/campaigns/{campaignId}/participants",
    { params: { path: { campaignId }, query: filters } },
    {
      ...byCursor,
      getNextPageParam: (page) => ("items" in page ? page.nextCursor : null),
      select: (data) => ({
        ...data,
        pages: data.pages.map((page) => ("items" in page ? page : { items: [page], nextCursor: null })),
      }),
    },
  );
  const isNobody = pages.error !== null && codeOf(pages.error) === "PARTICIPANT_NOT_FOUND";
  return isNobody ? { ...pages, error: null, data: { pages: [NOBODY] } } : pages;
}
