import { Button, Group, Stack, Title } from "@mantine/core";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { formatUsd } from "../ui/amounts.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";

const RECENT_COUNT = 10;

/** The latest few; the explorer has the rest and the filters. */
export function DepositsTab({ merchant: { merchantId } }: { merchant: Schemas["Merchant"] }) {
  const deposits = api.useInfiniteQuery(
    "get",
    "/operator/v1/deposits",
    { params: { query: { merchantId, limit: RECENT_COUNT } } },
    byCursor,
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Recent deposits
        </Title>
        <Button component={Link} to={`/deposits?merchantId=${merchantId}`} variant="default">
          All deposits
        </Button>
      </Group>
      <CursorTable
        label="Recent deposits"
        pages={{ ...deposits, hasNextPage: false }}
        keyOf={({ id }) => id}
        empty="No deposit has been reported for this merchant."
        columns={[
          { label: "Created", cell: ({ createDate }) => <Instant value={createDate} /> },
          { label: "Deposit", cell: ({ id }) => <Copyable value={id} label={`deposit id ${id}`} short /> },
          { label: "Status", cell: (deposit) => <StatusBadge status={deposit.status} /> },
          { label: "Chain", cell: ({ chain, token }) => `${token.symbol} on ${chain.name}` },
          {
            label: "Wallet",
            cell: ({ embeddedWalletAddress }) => (
              <Copyable value={embeddedWalletAddress} label={`wallet ${embeddedWalletAddress}`} short />
            ),
          },
          { label: "Amount", cell: ({ amount }) => formatUsd(amount), isNumber: true },
        ]}
      />
    </Stack>
  );
}
