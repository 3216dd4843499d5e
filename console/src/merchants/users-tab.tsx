import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { ADDRESS_LENGTH_MAX } from "../limits.ts";
import { formatUsd } from "../ui/amounts.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { formatCount } from "../ui/format.ts";
import { Instant } from "../ui/instant.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { UserWallets } from "./user-wallets.tsx";

export function UsersTab({ merchant: { merchantId } }: { merchant: Schemas["Merchant"] }) {
  const { filters, setFilter } = useFilters(["wallet"]);
  const users = api.useInfiniteQuery(
    "get",
    "/operator/v1/merchants/{merchantId}/users",
    { params: { path: { merchantId }, query: { embeddedWalletAddress: filters.wallet } } },
    byCursor,
  );
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Stack gap={4}>
          <Title order={2} size="h4">
            Users who deposited
          </Title>
          <Text size="sm">A user id stands for one payer of this merchant. It does not reveal who the payer is.</Text>
        </Stack>
        <FilterInput
          label="Wallet"
          placeholder="Full address"
          value={filters.wallet ?? ""}
          onFilter={(wallet) => setFilter("wallet", wallet)}
          maxLength={ADDRESS_LENGTH_MAX}
          miw={{ base: "100%", xs: 320 }}
        />
      </Group>
      <CursorTable
        label="Users who deposited"
        pages={users}
        keyOf={({ userId }) => userId}
        empty={filters.wallet === undefined ? "No deposits yet." : "This wallet has no deposits with this merchant."}
        columns={[
          {
            label: "User",
            isKey: true,
            width: 215,
            cell: ({ userId }) => (
              <Group gap="xs" wrap="nowrap">
                <Copyable value={userId} label={`user id ${userId}`} short />
                <Anchor
                  component={Link}
                  to={`/deposits?merchantId=${merchantId}&userId=${userId}`}
                  size="sm"
                  className="whole"
                  aria-label={`Deposits of user ${userId}`}
                >
                  Deposits
                </Anchor>
              </Group>
            ),
          },
          {
            label: "Completed",
            isKey: true,
            width: 120,
            cell: ({ amounts }) => <Sum bucket={amounts.completed} />,
            isNumber: true,
          },
          { label: "Pending", width: 110, cell: ({ amounts }) => <Sum bucket={amounts.pending} />, isNumber: true },
          { label: "Failed", width: 110, cell: ({ amounts }) => <Sum bucket={amounts.failed} />, isNumber: true },
          {
            label: "Wallets",
            width: 85,
            cell: ({ userId, walletCount }) => (
              <UserWallets merchantId={merchantId} userId={userId} walletCount={walletCount} />
            ),
            isNumber: true,
          },
          { label: "First deposit", width: 110, cell: ({ firstDepositAt }) => <Instant value={firstDepositAt} /> },
          {
            label: "Last deposit",
            isKey: true,
            width: 110,
            cell: ({ lastDepositAt }) => <Instant value={lastDepositAt} />,
          },
        ]}
      />
    </Stack>
  );
}

function Sum({ bucket }: { bucket: Schemas["ReportedUser"]["amounts"]["total"] }) {
  if (bucket.count === 0) return "–";
  return (
    <>
      {formatUsd(bucket.amount)}
      <Text span size="xs" display="block">
        {bucket.count === 1 ? "1 deposit" : `${formatCount(bucket.count)} deposits`}
      </Text>
    </>
  );
}
