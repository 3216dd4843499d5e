import { Button, Group, Stack, Title } from "@mantine/core";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { formatUsd } from "../ui/amounts.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";

export function DepositsTab({ merchant: { merchantId } }: { merchant: Schemas["Merchant"] }) {
  const deposits = api.useInfiniteQuery(
    "get",
    "/operator/v1/deposits",
    { params: { query: { merchantId } } },
    byCursor,
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Deposits, newest first
        </Title>
        <Button component={Link} to={`/deposits?merchantId=${merchantId}`} variant="default">
          Open in deposits
        </Button>
      </Group>
      <CursorTable
        label="Deposits"
        pages={deposits}
        keyOf={({ id }) => id}
        empty="No deposits yet."
        columns={[
          { label: "Created", isKey: true, width: 115, cell: ({ createDate }) => <Instant value={createDate} /> },
          { label: "Deposit", width: 150, cell: ({ id }) => <Copyable value={id} label={`deposit id ${id}`} short /> },
          { label: "Status", isKey: true, width: 115, cell: (deposit) => <StatusBadge status={deposit.status} /> },
          { label: "Token", cell: ({ chain, token }) => `${token.symbol} on ${chain.name}` },
          {
            label: "Wallet",
            width: 150,
            cell: ({ embeddedWalletAddress }) => (
              <Copyable value={embeddedWalletAddress} label={`wallet ${embeddedWalletAddress}`} short />
            ),
          },
          { label: "Amount", isKey: true, width: 110, amount: ({ amount }) => formatUsd(amount) },
        ]}
      />
    </Stack>
  );
}
