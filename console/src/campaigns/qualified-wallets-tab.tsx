import { Anchor, Badge, Group, Stack } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { Bounded } from "../ui/bounded.tsx";
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
  // The address goes to the API unchecked. The API reports what is wrong.
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
          description="The full address"
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
            ? "No qualified wallet matches. A wallet needs a completed deposit in the campaign's window."
            : "No qualified wallets yet. A wallet qualifies with its first completed deposit in the campaign's window."
        }
        columns={[
          {
            label: "Wallet",
            isKey: true,
            width: 270,
            cell: ({ address }) => <Copyable value={address} label={`wallet ${address}`} />,
          },
          {
            label: "Chain",
            width: 110,
            cell: ({ chainId, chainName }) => (chainId === null ? chainName : `${chainName} (${chainId})`),
          },
          {
            label: "Qualified",
            isKey: true,
            width: 120,
            cell: ({ qualifiedDate }) => <Instant value={qualifiedDate} />,
          },
          {
            label: "User",
            isKey: true,
            cell: ({ participant }) =>
              participant === null ? (
                <Badge color="gray" variant="light">
                  not claimed
                </Badge>
              ) : (
                <Anchor component={Link} to={`/campaigns/${campaign.id}/participants/${participant.id}`} inherit>
                  <Bounded text={participant.merchantUserId} />
                </Anchor>
              ),
          },
        ]}
      />
    </Stack>
  );
}
