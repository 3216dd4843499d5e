import { Anchor, Group, Select, Stack } from "@mantine/core";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { codeOf } from "../api/errors.ts";
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

type Participant = Schemas["Participant"];

const STATUSES = ["QUALIFIED", "MATCHED", "PAID", "FAILED"];
const NO_PARTICIPANTS: { items: Participant[]; nextCursor: null } = { items: [], nextCursor: null };

export function ParticipantsTab({ campaign }: { campaign: Campaign }) {
  const { filters, setFilter } = useFilters(["merchantUserId", "status"]);
  const pages = useParticipants(campaign.id, filters);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <Group align="flex-end">
        <FilterInput
          label="User id"
          description="The merchant's user id, in full"
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
          // A user id selects one participant; the API then ignores the status.
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
          { label: "Status", isKey: true, width: 105, cell: ({ status }) => <StatusBadge status={status} /> },
          { label: "Profit", width: 158, amount: ({ tradeProfit }) => formatTokens(tradeProfit) },
          { label: "Match", width: 158, amount: ({ amountMatched }) => formatTokens(amountMatched) },
          { label: "Owed", isKey: true, width: 158, amount: (participant) => formatTokens(owedTo(participant)) },
          { label: "Updated", width: 110, cell: ({ updateDate }) => <Instant value={updateDate} /> },
        ]}
      />
    </Stack>
  );
}

// With a user id the API answers one participant or 404. Both are shown as a list.
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
  const isNotFound = pages.error !== null && codeOf(pages.error) === "PARTICIPANT_NOT_FOUND";
  return isNotFound ? { ...pages, error: null, data: { pages: [NO_PARTICIPANTS] } } : pages;
}
