import { SimpleGrid } from "@mantine/core";
import { api } from "../api/client.ts";
import { AUDIT_ACTIONS } from "../ui/audit-actions.ts";
import { FilterInput } from "../ui/filter-input.tsx";
import { ChoiceFilter, MerchantChoice } from "../ui/list-filters.tsx";
import { TimeFilter } from "../ui/time-filter.tsx";
import { visibleText } from "../ui/visible-text.ts";

export const AUDIT_FILTERS = ["merchantId", "actor", "action", "subject", "createdAfter", "createdBefore"] as const;
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
      <ChoiceFilter
        label="Who"
        description="A token, or press a name in the list"
        everything="everyone"
        searchable
        data={withChosen(actors, filters.actor)}
        value={filters.actor}
        onFilter={(actor) => setFilter("actor", actor)}
        nothingFoundMessage="No token has this name."
      />
      <ChoiceFilter
        label="What"
        description="One kind of change"
        everything="every change"
        searchable
        data={withChosen(AUDIT_ACTIONS, filters.action)}
        value={filters.action}
        onFilter={(action) => setFilter("action", action)}
        nothingFoundMessage="No such change."
      />
      <MerchantChoice value={filters.merchantId} onFilter={(merchantId) => setFilter("merchantId", merchantId)} />
      <FilterInput
        label="What was changed"
        description="The whole id, as the list shows it"
        value={filters.subject ?? ""}
        onFilter={(subject) => setFilter("subject", subject)}
        spellCheck={false}
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
