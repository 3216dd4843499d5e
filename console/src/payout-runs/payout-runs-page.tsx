import { Select, SimpleGrid } from "@mantine/core";
import { MerchantSelect } from "../ui/merchant-select.tsx";
import { Page } from "../ui/page.tsx";
import { PayoutRunsTable } from "../ui/payout-runs-table.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { CampaignSelect } from "./campaign-select.tsx";
import { RUN_STATUSES } from "./run-values.ts";

export function PayoutRunsPage() {
  const { filters, setFilter } = useFilters(["status", "merchantId", "campaignId"]);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Payout runs"
      description="A run reserves what is owed, gives you the file that pays it, and records what became of it."
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        <Select
          label="Status"
          description="Draft, approved and so on"
          placeholder="Every status"
          data={[...RUN_STATUSES]}
          value={filters.status ?? null}
          onChange={(status) => setFilter("status", status)}
          clearable
          clearButtonProps={{ "aria-label": "Show every status" }}
        />
        <MerchantSelect
          description="Type a name, domain, email or id"
          placeholder="Every merchant"
          value={filters.merchantId ?? ""}
          onChange={(merchantId) => setFilter("merchantId", merchantId)}
          clearable
          clearButtonProps={{ "aria-label": "Show every merchant" }}
        />
        <CampaignSelect
          merchantId={filters.merchantId}
          value={filters.campaignId ?? ""}
          onChange={(campaignId) => setFilter("campaignId", campaignId)}
        />
      </SimpleGrid>
      <PayoutRunsTable
        filters={filters}
        empty={
          isFiltered
            ? "No payout run matches these filters."
            : "No payout runs yet. Create one on the page of a campaign, with “New payout run”."
        }
      />
    </Page>
  );
}
