import { Anchor, Button } from "@mantine/core";
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
  // The address goes to the API unchecked. The API reports what is wrong.
  const query: object = filters;
  const pages = api.useInfiniteQuery("get", "/operator/v1/deposits", { params: { query } }, byCursor);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Deposits"
      description="Deposits through the hosted flow, newest first."
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
        empty={isFiltered ? "No deposit matches these filters." : "No deposits yet."}
        columns={[
          {
            label: "Deposit, user",
            width: 142,
            cell: ({ merchantId, id, userId }) => (
              <>
                <Copyable value={id} label={`deposit id ${id}`} short />
                <Copyable value={userId} label={`user id ${userId}`} short />
                <Anchor
                  component={Link}
                  to={`/merchants/${merchantId}/deposits/${encodeURIComponent(id)}`}
                  size="sm"
                  aria-label={`Details of deposit ${id}`}
                >
                  Details
                </Anchor>
              </>
            ),
          },
          {
            label: "Merchant",
            isKey: true,
            width: 100,
            cell: ({ merchantId }) => <MerchantName merchantId={merchantId} />,
          },
          { label: "Status", isKey: true, width: 115, cell: ({ status }) => <StatusBadge status={status} /> },
          { label: "Amount", isKey: true, width: 115, amount: ({ amount }) => formatUsd(amount) },
          { label: "Token", width: 90, cell: (deposit) => <Token {...deposit} /> },
          {
            label: "Wallet",
            width: 142,
            cell: ({ embeddedWalletAddress }) => (
              <Copyable value={embeddedWalletAddress} label={`wallet ${embeddedWalletAddress}`} short />
            ),
          },
          {
            label: "Created, updated",
            width: 185,
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

function Token({ token, chain }: Pick<Schemas["OperatorDeposit"], "token" | "chain">) {
  return (
    <>
      <span title={token.address}>{token.symbol}</span> on <span title={`Chain id ${chain.chainId}`}>{chain.name}</span>
    </>
  );
}
