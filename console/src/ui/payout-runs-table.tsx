import { Anchor } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { formatTokens } from "./amounts.ts";
import { byCursor } from "./by-cursor.ts";
import { CampaignName } from "./campaign-name.tsx";
import { type Column, CursorTable } from "./cursor-table.tsx";
import { formatCount } from "./format.ts";
import { Instant } from "./instant.tsx";
import { MerchantName } from "./merchant-name.tsx";
import { StatusBadge } from "./status-badge.tsx";

type Run = Schemas["PayoutRun"];

interface PayoutRunsTableProps {
  readonly filters: Partial<Record<"status" | "merchantId" | "campaignId", string>>;
  readonly empty: string;
  /** Whose runs they are is clear where they are those of one campaign. */
  readonly isOfOneCampaign?: boolean;
}

const OWNERS: Column<Run>[] = [
  { label: "Merchant", width: 125, cell: ({ merchantId }) => <MerchantName merchantId={merchantId} /> },
  { label: "Campaign", width: 130, cell: ({ campaignId }) => <CampaignName campaignId={campaignId} /> },
];

const LEFT_OUT: Column<Run> = {
  label: "Left out",
  width: 80,
  isNumber: true,
  cell: ({ leftOutCount }) => formatCount(leftOutCount),
};

export function PayoutRunsTable({ filters, empty, isOfOneCampaign = false }: PayoutRunsTableProps) {
  // The address goes to the API unchecked. The API reports what is wrong.
  const query: object = filters;
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/payout-runs",
    { params: { query } },
    { ...byCursor, placeholderData: keepPreviousData },
  );
  return (
    <CursorTable
      label="Payout runs"
      pages={pages}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          label: "Run",
          isKey: true,
          width: 108,
          cell: ({ id, createDate }) => (
            <Anchor component={Link} to={`/payout-runs/${id}`} inherit fw={500}>
              <Instant value={createDate} />
            </Anchor>
          ),
        },
        { label: "Status", isKey: true, width: 112, cell: ({ status }) => <StatusBadge status={status} /> },
        ...(isOfOneCampaign ? [] : OWNERS),
        { label: "Payouts", width: 75, isNumber: true, cell: ({ counts }) => formatCount(counts.payouts) },
        { label: "Reserved", isKey: true, width: 150, amount: ({ totals }) => formatTokens(totals.reserved) },
        { label: "Confirmed", width: 150, amount: ({ totals }) => formatTokens(totals.confirmed) },
        ...(isOfOneCampaign ? [LEFT_OUT] : []),
      ]}
    />
  );
}
