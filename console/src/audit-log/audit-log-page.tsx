import { Anchor, Button, Text } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { AuditEntryDetail } from "../ui/audit-entry-detail.tsx";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { visibleText } from "../ui/visible-text.ts";
import { AUDIT_FILTERS, AuditFilters } from "./audit-filters.tsx";
import { ChainVerification } from "./chain-verification.tsx";

export function AuditLogPage() {
  const { filters, setFilter } = useFilters(AUDIT_FILTERS);
  // The address goes to the API unchecked. The API reports what is wrong.
  const query: object = filters;
  const pages = api.useInfiniteQuery("get", "/operator/v1/audit-log", { params: { query } }, byCursor);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Audit log"
      description="Every change made by an operator, newest first. Entries cannot be changed."
      actions={
        isFiltered ? (
          <Button component={Link} to="/audit-log" replace variant="default">
            Clear all filters
          </Button>
        ) : undefined
      }
    >
      <ChainVerification />
      <AuditFilters filters={filters} setFilter={setFilter} />
      <CursorTable
        label="Audit log"
        pages={pages}
        keyOf={({ position }) => String(position)}
        empty={isFiltered ? "No change matches these filters." : "No changes yet."}
        columns={[
          { label: "#", isNumber: true, width: 60, cell: ({ position }) => position },
          { label: "When", isKey: true, width: 110, cell: ({ date }) => <Instant value={date} /> },
          {
            label: "Who",
            isKey: true,
            cell: ({ actor }) => (
              <Anchor
                component="button"
                type="button"
                inherit
                ta="left"
                onClick={() => setFilter("actor", actor)}
                title={`Show only changes by ${visibleText(actor)}`}
              >
                <Bounded text={actor} />
              </Anchor>
            ),
          },
          { label: "What", isKey: true, width: 280, cell: (entry) => <AuditEntryDetail entry={entry} /> },
          {
            label: "Merchant",
            width: 110,
            cell: ({ merchantId }) =>
              merchantId === null ? <Text size="sm">none</Text> : <MerchantName merchantId={merchantId} />,
          },
          {
            label: "Request",
            cell: ({ requestId }) =>
              requestId === null ? (
                <Text size="sm">none</Text>
              ) : (
                <Copyable value={requestId} label={`request id ${requestId}`} short />
              ),
          },
        ]}
      />
    </Page>
  );
}
