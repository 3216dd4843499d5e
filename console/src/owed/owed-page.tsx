import { Button, Group, SegmentedControl, SimpleGrid } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { formatTokens } from "../ui/amounts.ts";
import { byCursor } from "../ui/by-cursor.ts";
import { CampaignName } from "../ui/campaign-name.tsx";
import { chainName } from "../ui/chains.ts";
import { Copyable } from "../ui/copyable.tsx";
import { type Column, CursorTable } from "../ui/cursor-table.tsx";
import { MerchantChoice } from "../ui/list-filters.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { useFilters } from "../ui/use-filters.ts";

type Owed = Schemas["Owed"];

const GROUPS = [
  { value: "campaign", label: "By campaign" },
  { value: "merchant", label: "By merchant" },
  { value: "token", label: "By token" },
];
const AGES = ["0–6 days", "7–29 days", "30–89 days", "90+ days"];

export function OwedPage() {
  const mayChange = useMayChange();
  const { filters, setFilter } = useFilters(["groupBy", "merchantId"]);
  const groupBy = GROUPS.find(({ value }) => value === filters.groupBy)?.value ?? "campaign";
  // The address goes to the API unchecked. The API reports what is wrong.
  const query: object = { ...filters, groupBy };
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/owed",
    { params: { query } },
    { ...byCursor, placeholderData: keepPreviousData },
  );
  return (
    <Page
      title="Owed"
      description="What is matched and not covered by an open or confirmed payout, by the day on which it was matched. Payouts of a campaign count against what was matched first."
    >
      <Group align="flex-end" justify="space-between">
        <SegmentedControl
          aria-label="Add up"
          data={GROUPS}
          value={groupBy}
          onChange={(group) => setFilter("groupBy", group === "campaign" ? null : group)}
        />
        <SimpleGrid cols={1} w={{ base: "100%", xs: 320 }}>
          <MerchantChoice value={filters.merchantId} onFilter={(merchantId) => setFilter("merchantId", merchantId)} />
        </SimpleGrid>
      </Group>
      <CursorTable
        label="Owed"
        pages={pages}
        keyOf={({ merchantId, campaignId, chainId, tokenAddress, owed }) =>
          [merchantId, campaignId, chainId, tokenAddress, owed.currency, owed.decimalPlaces].join()
        }
        empty={filters.merchantId === undefined ? "Nothing is owed." : "This merchant owes nothing."}
        columns={[
          ...(groupBy === "campaign" ? [CAMPAIGN] : []),
          ...(groupBy === "token" ? [] : [MERCHANT]),
          ...(groupBy === "campaign" ? [] : [CAMPAIGNS]),
          TOKEN,
          { label: "Owed", isKey: true, width: 140, amount: ({ owed }) => formatTokens(owed) },
          ...AGES.map(
            (label, index): Column<Owed> => ({
              label,
              width: 95,
              amount: ({ ageing }) => amountOnly(ageing[index]?.amount),
            }),
          ),
          ...(mayChange && groupBy !== "token" ? [PAY] : []),
        ]}
      />
    </Page>
  );
}

/** The column of what is owed names the currency. */
const amountOnly = (amount: Schemas["TokenAmount"] | undefined) =>
  amount === undefined ? "" : formatTokens(amount).replace(` ${amount.currency}`, "");

const CAMPAIGN: Column<Owed> = {
  label: "Campaign",
  isKey: true,
  width: 120,
  cell: ({ campaignId }) => <CampaignName campaignId={campaignId} />,
};

const MERCHANT: Column<Owed> = {
  label: "Merchant",
  isKey: true,
  width: 105,
  cell: ({ merchantId }) => merchantId !== null && <MerchantName merchantId={merchantId} />,
};

const CAMPAIGNS: Column<Owed> = {
  label: "Campaigns",
  width: 85,
  isNumber: true,
  cell: ({ campaigns }) => campaigns,
};

const TOKEN: Column<Owed> = {
  label: "Token",
  width: 138,
  cell: ({ chainId, tokenAddress }) => (
    <>
      {chainName(chainId)}
      <br />
      <Copyable value={tokenAddress} label="token" short />
    </>
  ),
};

/** Leads to the form. Nothing is reserved before it is sent. */
const PAY: Column<Owed> = {
  label: "Pay",
  width: 102,
  cell: (owed) => (
    <Button component={Link} to={`/payout-runs/new?${scopeOf(owed)}`} size="compact-sm" variant="light">
      New run
    </Button>
  ),
};

function scopeOf({ merchantId, campaignId, chainId, tokenAddress }: Owed): URLSearchParams {
  if (campaignId !== null) return new URLSearchParams({ campaignId });
  return new URLSearchParams({ merchantId: merchantId ?? "", chainId: String(chainId), tokenAddress });
}
