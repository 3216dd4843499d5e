import { Anchor, Badge, Group, Stack } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { ChainFilter } from "../ui/chain-filter.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { Instant } from "../ui/instant.tsx";
import { useFilters } from "../ui/use-filters.ts";
import type { Campaign } from "./campaign-values.ts";

export function QualifiedWalletsTab({ campaign }: { campaign: Campaign }) {
  const { filters, setFilter } = useFilters(["address", "chainId"]);
  // What the address bar says goes to the API as it is; the API says what is wrong with it.
  const query: object = filters;
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/campaigns/{campaignId}/qualifiedWallets",
    { params: { path: { campaignId: campaign.id }, query } },
    byCursor,
  );
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Stack>
      <Group align="flex-end">
        <FilterInput
          label="Wallet address"
          description="The whole address"
          w={{ base: "100%", sm: 380 }}
          value={filters.address ?? ""}
          onFilter={(text) => setFilter("address", text)}
          spellCheck={false}
        />
        <ChainFilter value={filters.chainId ?? ""} onFilter={(text) => setFilter("chainId", text)} />
      </Group>
      <CursorTable
        label="Qualified wallets"
        pages={pages}
        keyOf={({ address, chainName }) => `${address} ${chainName}`}
        empty={
          isFiltered
            ? "No such wallet qualifies: it has no completed deposit within the campaign's window."
            : "No wallet qualifies yet. One does with its first completed deposit within the campaign's window."
        }
        columns={[
          { label: "Wallet", cell: ({ address }) => <Copyable value={address} label={`wallet ${address}`} /> },
          {
            label: "Chain",
            cell: ({ chainId, chainName }) => (chainId === null ? chainName : `${chainName} (${chainId})`),
          },
          { label: "Qualified", cell: ({ qualifiedDate }) => <Instant value={qualifiedDate} /> },
          {
            label: "Participant",
            cell: ({ participant }) =>
              participant === null ? (
                <Badge color="gray" variant="light">
                  not claimed
                </Badge>
              ) : (
                <Anchor component={Link} to={`/campaigns/${campaign.id}/participants/${participant.id}`} inherit>
                  <span className="mono">{participant.id.slice(0, 8)}…</span>
                </Anchor>
              ),
          },
        ]}
      />
    </Stack>
  );
}
