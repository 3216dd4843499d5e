import { Button, SimpleGrid } from "@mantine/core";
import { Link } from "react-router";
import { useMayChange } from "../session/session.ts";
import { CampaignChoice, ChoiceFilter, MerchantChoice } from "../ui/list-filters.tsx";
import { Page } from "../ui/page.tsx";
import { PayoutRunsTable } from "../ui/payout-runs-table.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { RUN_STATUSES } from "./run-values.ts";

export function PayoutRunsPage() {
  const mayChange = useMayChange();
  const { filters, setFilter } = useFilters(["status", "merchantId", "campaignId"]);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Payout runs"
      description="A run reserves what is owed, gives you the file that pays it, and records what became of it."
      actions={
        mayChange && (
          <Button component={Link} to="/payout-runs/new">
            New payout run
          </Button>
        )
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        <ChoiceFilter
          label="Status"
          description="Draft, approved and so on"
          everything="every status"
          data={[...RUN_STATUSES]}
          value={filters.status}
          onFilter={(status) => setFilter("status", status)}
        />
        <MerchantChoice value={filters.merchantId} onFilter={(merchantId) => setFilter("merchantId", merchantId)} />
        <CampaignChoice
          merchantId={filters.merchantId}
          value={filters.campaignId}
          onFilter={(campaignId) => setFilter("campaignId", campaignId)}
        />
      </SimpleGrid>
      <PayoutRunsTable
        filters={filters}
        empty={
          isFiltered
            ? "No payout run matches these filters."
            : "No payout runs yet. Create one with “New payout run”, here or on the page of a campaign."
        }
      />
    </Page>
  );
}
