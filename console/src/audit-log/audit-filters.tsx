import { Select, SimpleGrid } from "@mantine/core";
import { api } from "../api/client.ts";
import { AUDIT_ACTIONS } from "../ui/audit-actions.ts";
import { MerchantSelect } from "../ui/merchant-select.tsx";
import { TimeFilter } from "../ui/time-filter.tsx";
import { visibleText } from "../ui/visible-text.ts";

export const AUDIT_FILTERS = ["merchantId", "actor", "action", "createdAfter", "createdBefore"] as const;
type FilterName = (typeof AUDIT_FILTERS)[number];

const BOOTSTRAP = "bootstrap token";
const TOKENS_MAX = 100;

interface AuditFiltersProps {
  readonly filters: Partial<Record<FilterName, string>>;
  readonly setFilter: (name: FilterName, value: string | null) => void;
}

export function AuditFilters({ filters, setFilter }: AuditFiltersProps) {
  const actors = useActors();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <Select
        label="Who"
        description="A token, or press a name in the list"
        placeholder="Everyone"
        searchable
        data={withChosen(actors, filters.actor)}
        value={filters.actor ?? null}
        onChange={(actor) => setFilter("actor", actor)}
        nothingFoundMessage="No token has this name."
        clearable
        clearButtonProps={{ "aria-label": "Show everyone" }}
      />
      <Select
        label="What"
        description="One kind of change"
        placeholder="Every change"
        searchable
        data={withChosen(AUDIT_ACTIONS, filters.action)}
        value={filters.action ?? null}
        onChange={(action) => setFilter("action", action)}
        nothingFoundMessage="No such change."
        clearable
        clearButtonProps={{ "aria-label": "Show every change" }}
      />
      <MerchantSelect
        description="Type a name, domain, email or id"
        placeholder="Every merchant"
        value={filters.merchantId ?? ""}
        onChange={(merchantId) => setFilter("merchantId", merchantId)}
        clearable
        clearButtonProps={{ "aria-label": "Show every merchant" }}
      />
      <TimeFilter
        label="After"
        value={filters.createdAfter}
        onFilter={(instant) => setFilter("createdAfter", instant)}
      />
      <TimeFilter
        label="Before"
        value={filters.createdBefore}
        onFilter={(instant) => setFilter("createdBefore", instant)}
      />
    </SimpleGrid>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The newest tokens as the log names them. Any other actor is chosen by pressing its name in the list. */
function useActors(): Choice[] {
  const { data } = api.useQuery("get", "/operator/v1/tokens", { params: { query: { limit: TOKENS_MAX } } });
  const tokens = (data?.items ?? []).map(({ id, name }) => ({
    value: `${name} (${id})`,
    label: `${visibleText(name)} (${id.slice(0, 8)}…)`,
  }));
  return [{ value: BOOTSTRAP, label: BOOTSTRAP }, ...tokens];
}

function withChosen(choices: readonly Choice[], chosen: string | undefined): Choice[] {
  const isListed = chosen === undefined || choices.some(({ value }) => value === chosen);
  return isListed ? [...choices] : [{ value: chosen, label: visibleText(chosen) }, ...choices];
}
