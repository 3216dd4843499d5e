import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { SEARCH_LENGTH_MAX } from "../limits.ts";
import { Bounded } from "../ui/bounded.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { useFilters } from "../ui/use-filters.ts";

type Found = Schemas["Found"];

const KINDS: Record<Found["kind"], string> = {
  merchant: "Merchant",
  application: "Application",
  campaign: "Campaign",
  participant: "Participant",
  payout: "Payout",
  deposit: "Deposit",
  user: "User who deposited",
  token: "Operator token",
};

const ID_START_LENGTH_MIN = 8;

/** What an id belongs to, of which only the start may be known. */
export function SearchPage() {
  const { filters, setFilter } = useFilters(["q"]);
  const q = (filters.q ?? "").slice(0, SEARCH_LENGTH_MAX);
  const found = api.useQuery("get", "/operator/v1/search", { params: { query: { q } } }, { enabled: q !== "" });
  return (
    <Page title="Find an id" description="Find out what an id belongs to, also when you know only its start.">
      <FilterInput
        label="Id"
        type="search"
        description="The whole id, its first 8 or more characters, or start and end as shown in lists"
        placeholder="2d8b9104…c3f1"
        maxLength={SEARCH_LENGTH_MAX}
        value={q}
        onFilter={(text) => setFilter("q", text)}
        spellCheck={false}
        maw={420}
      />
      {q !== "" && (
        <CursorTable
          label="Found"
          pages={{
            data: found.data && { pages: [found.data] },
            error: found.error,
            hasNextPage: false,
            isFetchingNextPage: false,
            isFetchNextPageError: false,
            fetchNextPage: () => {},
            refetch: found.refetch,
          }}
          action="search"
          // Deposits of two merchants may have the same id.
          keyOf={({ kind, id, merchantId }) => `${kind} ${id} ${merchantId}`}
          empty={
            q.length < ID_START_LENGTH_MIN
              ? `Nothing has exactly this id. Type ${ID_START_LENGTH_MIN} or more characters to find ids that start like this.`
              : "Nothing has an id that starts like this."
          }
          columns={[
            { label: "What", isKey: true, width: 130, cell: ({ kind }) => KINDS[kind] },
            {
              label: "Name",
              isKey: true,
              width: 180,
              cell: (item) => (
                <Anchor component={Link} to={pageOf(item)} inherit fw={500}>
                  <Bounded text={item.name ?? `Open ${KINDS[item.kind].toLowerCase()}`} />
                </Anchor>
              ),
            },
            {
              label: "Merchant",
              cell: ({ merchantId }) =>
                merchantId === null ? <Text size="sm">none</Text> : <MerchantName merchantId={merchantId} />,
            },
            {
              label: "Id",
              isKey: true,
              width: 300,
              cell: ({ id, kind }) => <Copyable value={id} label={`${kind} id`} />,
            },
          ]}
        />
      )}
    </Page>
  );
}

function pageOf({ kind, id, merchantId, campaignId, participantId, userId }: Found): string {
  switch (kind) {
    case "merchant":
      return `/merchants/${id}`;
    case "application":
      return "/applications?status=ALL";
    case "campaign":
      return `/campaigns/${id}`;
    case "participant":
    case "payout":
      return `/campaigns/${campaignId}/participants/${participantId}`;
    case "deposit":
    case "user":
      return `/deposits?merchantId=${merchantId}&userId=${userId}`;
    case "token":
      return "/tokens";
  }
}
