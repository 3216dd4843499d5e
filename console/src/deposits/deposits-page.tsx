import { Button, Text } from "@mantine/core";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { formatUsd } from "../ui/amounts.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { Copyable } from "../ui/copyable.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { DEPOSIT_FILTERS, DepositFilters } from "./deposit-filters.tsx";

export function DepositsPage() {
  const { filters, setFilter } = useFilters(DEPOSIT_FILTERS);
  // What the address says goes to the API as it is; the API says what is wrong with it.
  const query: object = filters;
  const pages = api.useInfiniteQuery("get", "/operator/v1/deposits", { params: { query } }, byCursor);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Deposits"
      description="What users deposited through the hosted flow, newest first."
      actions={
        isFiltered ? (
          <Button component={Link} to="/deposits" replace variant="default">
            Clear all filters
          </Button>
        ) : undefined
      }
    >
      <DepositFilters filters={filters} setFilter={setFilter} />
      <CursorTable
        label="Deposits"
        pages={pages}
        keyOf={({ merchantId, id }) => `${merchantId} ${id}`}
        empty={isFiltered ? "No deposit matches these filters." : "No deposit has been reported yet."}
        columns={[
          { label: "Deposit", cell: ({ id }) => <Copyable value={id} label={`deposit id ${id}`} short /> },
          { label: "Merchant", cell: ({ merchantId }) => <MerchantName merchantId={merchantId} /> },
          { label: "User", cell: ({ userId }) => <Copyable value={userId} label={`user id ${userId}`} short /> },
          { label: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
          { label: "Amount", isNumber: true, cell: (deposit) => <Amount {...deposit} /> },
          {
            label: "Wallet",
            cell: ({ embeddedWalletAddress }) => (
              <Copyable value={embeddedWalletAddress} label={`wallet ${embeddedWalletAddress}`} short />
            ),
          },
          {
            label: "Created, updated",
            cell: ({ createDate, updateDate }) => (
              <>
                <Instant value={createDate} />
                <br />
                <Instant value={updateDate} />
              </>
            ),
          },
        ]}
      />
    </Page>
  );
}

function Amount({ amount, token, chain }: Pick<Schemas["OperatorDeposit"], "amount" | "token" | "chain">) {
  return (
    <>
      <Text size="sm" fw={500}>
        {formatUsd(amount)}
      </Text>
      <Text size="sm">
        <span title={token.address}>{token.symbol}</span> on{" "}
        <span title={`Chain id ${chain.chainId}`}>{chain.name}</span>
      </Text>
    </>
  );
}
