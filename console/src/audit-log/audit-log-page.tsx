import { Group, Text } from "@mantine/core";
import { api } from "../api/client.ts";
import { AuditEntryDetail } from "../ui/audit-entry-detail.tsx";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { MerchantFilter } from "../ui/merchant-filter.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { ChainVerification } from "./chain-verification.tsx";

export function AuditLogPage() {
  const { filters, setFilter } = useFilters(["merchantId"]);
  const pages = api.useInfiniteQuery("get", "/operator/v1/audit-log", { params: { query: filters } }, byCursor);
  return (
    <Page title="Audit log" description="Every change made by an operator, newest first. Entries cannot be changed.">
      <ChainVerification />
      {filters.merchantId !== undefined && (
        <Group>
          <MerchantFilter merchantId={filters.merchantId} onRemove={() => setFilter("merchantId", null)} />
        </Group>
      )}
      <CursorTable
        label="Audit log"
        pages={pages}
        keyOf={({ position }) => String(position)}
        empty={filters.merchantId === undefined ? "No changes yet." : "No changes for this merchant."}
        columns={[
          { label: "#", isNumber: true, width: 60, cell: ({ position }) => position },
          { label: "When", isKey: true, width: 110, cell: ({ date }) => <Instant value={date} /> },
          { label: "Who", isKey: true, cell: ({ actor }) => <Bounded text={actor} /> },
          { label: "What", isKey: true, width: 260, cell: (entry) => <AuditEntryDetail entry={entry} /> },
          {
            label: "Merchant",
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
