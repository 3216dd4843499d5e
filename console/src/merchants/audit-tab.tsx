import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
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
          Who changed what
        </Title>
        <Button component={Link} to="/audit-log" variant="default">
          Whole audit log
        </Button>
      </Group>
      <CursorTable
        label="Changes to this merchant"
        pages={entries}
        keyOf={({ position }) => String(position)}
        empty="No operator has changed anything about this merchant."
        columns={[
          { label: "When", cell: ({ date }) => <Instant value={date} /> },
          { label: "Who", cell: ({ actor }) => actor },
          { label: "What", cell: ({ action }) => <span className="mono">{action}</span> },
          { label: "Detail", cell: ({ detail }) => <Detail detail={detail} /> },
        ]}
      />
    </Stack>
  );
}

function Detail({ detail }: { detail: Schemas["AuditEntry"]["detail"] }) {
  return Object.entries(detail).map(([name, value]) => (
    <Text key={name} size="sm">
      {name}: <span className="mono">{typeof value === "string" ? value : JSON.stringify(value)}</span>
    </Text>
  ));
}
