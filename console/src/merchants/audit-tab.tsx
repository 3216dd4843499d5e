import { Button, Group, Stack, Title } from "@mantine/core";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { AuditEntryDetail } from "../ui/audit-entry-detail.tsx";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";

export function AuditTab({ merchant: { merchantId } }: { merchant: Schemas["Merchant"] }) {
  const entries = api.useInfiniteQuery(
    "get",
    "/operator/v1/audit-log",
    { params: { query: { merchantId } } },
    byCursor,
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Changes
        </Title>
        <Button component={Link} to={`/audit-log?merchantId=${merchantId}`} variant="default">
          Open in the audit log
        </Button>
      </Group>
      <CursorTable
        label="Changes to this merchant"
        pages={entries}
        keyOf={({ position }) => String(position)}
        empty="No changes for this merchant."
        columns={[
          { label: "When", width: 115, cell: ({ date }) => <Instant value={date} /> },
          { label: "Who", cell: ({ actor }) => <Bounded text={actor} /> },
          { label: "What", width: 320, cell: (entry) => <AuditEntryDetail entry={entry} /> },
        ]}
      />
    </Stack>
  );
}
