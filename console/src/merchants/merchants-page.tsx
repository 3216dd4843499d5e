import { Anchor, Group, Select } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { SEARCH_LENGTH_MAX } from "../limits.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { Instant } from "../ui/instant.tsx";
import { Page } from "../ui/page.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { useFilters } from "../ui/use-filters.ts";

const STATUSES = ["ACTIVE", "SUSPENDED", "PENDING", "REJECTED"];

export function MerchantsPage() {
  const { filters, setFilter } = useFilters(["search", "status"]);
  // The address goes to the API unchecked. The API reports what is wrong.
  const query: object = filters;
  const merchants = api.useInfiniteQuery(
    "get",
    "/operator/v1/merchants",
    { params: { query } },
    { ...byCursor, placeholderData: keepPreviousData },
  );
  const isFiltered = Object.keys(filters).length > 0;

  return (
    <Page title="Merchants" description="All merchants, newest first. Applicants are included.">
      <Group align="flex-end">
        <FilterInput
          label="Search"
          type="search"
          maxLength={SEARCH_LENGTH_MAX}
          placeholder="Name, domain, email or id"
          value={filters.search ?? ""}
          onFilter={(search) => setFilter("search", search)}
          miw={{ base: "100%", xs: 340 }}
        />
        <Select
          label="Status"
          placeholder="Any"
          data={STATUSES}
          value={filters.status ?? null}
          onChange={(chosen) => setFilter("status", chosen)}
          clearable
          clearButtonProps={{ "aria-label": "Any status" }}
        />
      </Group>
      <CursorTable
        label="Merchants"
        pages={merchants}
        keyOf={({ merchantId }) => merchantId}
        empty={
          isFiltered
            ? "No merchant matches. Try fewer letters or another status."
            : "No merchants yet. Merchants apply through the public API."
        }
        columns={[
          {
            label: "Name",
            isKey: true,
            width: 180,
            cell: ({ merchantId, displayName }) => (
              <Anchor component={Link} to={`/merchants/${merchantId}`} fw={500} inherit>
                <Bounded text={displayName} />
              </Anchor>
            ),
          },
          { label: "Domain", isKey: true, width: 160, cell: ({ domain }) => <Bounded text={domain} /> },
          { label: "Email", width: 160, cell: ({ email }) => <Bounded text={email} /> },
          { label: "Status", isKey: true, width: 115, cell: (merchant) => <StatusBadge status={merchant.status} /> },
          { label: "Created", width: 110, cell: ({ createDate }) => <Instant value={createDate} /> },
        ]}
      />
    </Page>
  );
}
