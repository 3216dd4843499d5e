import { SimpleGrid } from "@mantine/core";
import { ChainFilter } from "../ui/chain-filter.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { ChoiceFilter, MerchantChoice } from "../ui/list-filters.tsx";
import { TimeFilter } from "../ui/time-filter.tsx";

export const DEPOSIT_FILTERS = ["merchantId", "userId", "status", "chainId", "createdAfter", "createdBefore"] as const;
type FilterName = (typeof DEPOSIT_FILTERS)[number];

const STATUSES = ["pending", "completed", "failed"];

interface DepositFiltersProps {
  readonly filters: Partial<Record<FilterName, string>>;
  readonly setFilter: (name: FilterName, value: string | null) => void;
}

export function DepositFilters({ filters, setFilter }: DepositFiltersProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <MerchantChoice value={filters.merchantId} onFilter={(merchantId) => setFilter("merchantId", merchantId)} />
      <FilterInput
        label="User id"
        description="From the merchant's Users tab; its start is enough"
        placeholder="2d8b9104…"
        value={filters.userId ?? ""}
        onFilter={(text) => setFilter("userId", text)}
        spellCheck={false}
      />
      <ChoiceFilter
        label="Status"
        description="Pending includes every state in progress"
        everything="every status"
        data={STATUSES}
        value={filters.status}
        onFilter={(status) => setFilter("status", status)}
      />
      <ChainFilter value={filters.chainId ?? ""} onFilter={(text) => setFilter("chainId", text)} />
      <TimeFilter
        label="Created after"
        value={filters.createdAfter}
        onFilter={(instant) => setFilter("createdAfter", instant)}
      />
      <TimeFilter
        label="Created before"
        value={filters.createdBefore}
        onFilter={(instant) => setFilter("createdBefore", instant)}
      />
    </SimpleGrid>
  );
}
