import { Anchor, SimpleGrid, Stack } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { TRANSACTION_HASH_LENGTH_MAX } from "../limits.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CampaignName } from "../ui/campaign-name.tsx";
import { CursorTable } from "../ui/cursor-table.tsx";
import { DialogButton } from "../ui/dialog-button.tsx";
import { FilterInput } from "../ui/filter-input.tsx";
import { Instant } from "../ui/instant.tsx";
import { CampaignChoice, ChoiceFilter, MerchantChoice } from "../ui/list-filters.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";
import { FlagBadges } from "../ui/participant-flags.tsx";
import { ProofText } from "../ui/proof-text.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Transaction } from "../ui/transaction.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { PayoutTrail } from "./payout-trail.tsx";

const FILTERS = ["status", "merchantId", "campaignId", "runId", "transactionHash", "proof"] as const;
const STATUSES = ["PENDING", "SUBMITTED", "CONFIRMED", "FAILED"];
const PROOFS = [
  { value: "MISMATCH", label: "Does not match the chain" },
  { value: "PENDING", label: "Waits for the chain" },
  { value: "REVERTED", label: "Reverted on the chain" },
];

export function PayoutsPage() {
  const { filters, setFilter } = useFilters(FILTERS);
  // The address goes to the API unchecked. The API reports what is wrong.
  const query: object = filters;
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/payouts",
    { params: { query } },
    { ...byCursor, placeholderData: keepPreviousData },
  );
  return (
    <Page title="Payouts" description="Every payout of every merchant, newest first.">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        <ChoiceFilter
          label="Status"
          description="A cancelled payout is FAILED"
          everything="every status"
          data={STATUSES}
          value={filters.status}
          onFilter={(status) => setFilter("status", status)}
        />
        <MerchantChoice value={filters.merchantId} onFilter={(merchantId) => setFilter("merchantId", merchantId)} />
        <CampaignChoice
          merchantId={filters.merchantId}
          value={filters.campaignId}
          onFilter={(campaignId) => setFilter("campaignId", campaignId)}
        />
        <FilterInput
          label="Payout run"
          description="The whole id of a run"
          value={filters.runId ?? ""}
          onFilter={(runId) => setFilter("runId", runId)}
          spellCheck={false}
        />
        <FilterInput
          label="Transaction hash"
          description="The whole hash"
          maxLength={TRANSACTION_HASH_LENGTH_MAX}
          value={filters.transactionHash ?? ""}
          onFilter={(hash) => setFilter("transactionHash", hash)}
          spellCheck={false}
        />
        <ChoiceFilter
          label="Proof on chain"
          description="Decided discrepancies included"
          everything="every payout"
          data={PROOFS}
          value={filters.proof}
          onFilter={(proof) => setFilter("proof", proof)}
        />
      </SimpleGrid>
      <CursorTable
        label="Payouts"
        pages={pages}
        keyOf={({ id }) => id}
        empty={Object.keys(filters).length > 0 ? "No payout matches these filters." : "No payouts yet."}
        columns={[
          {
            label: "User",
            isKey: true,
            width: 105,
            cell: ({ campaignId, participantId, merchantUserId, flags }) => (
              <Stack gap={2} align="flex-start">
                <Anchor component={Link} to={`/campaigns/${campaignId}/participants/${participantId}`} inherit fw={500}>
                  <Bounded text={merchantUserId} />
                </Anchor>
                {flags.length > 0 && <FlagBadges flags={flags} />}
              </Stack>
            ),
          },
          {
            label: "Status",
            isKey: true,
            width: 110,
            cell: ({ status, cancelled }) => <StatusBadge status={cancelled ? "CANCELLED" : status} />,
          },
          { label: "Amount", isKey: true, width: 130, amount: ({ amount }) => formatTokens(amount) },
          { label: "Merchant", width: 105, cell: ({ merchantId }) => <MerchantName merchantId={merchantId} /> },
          { label: "Campaign", width: 105, cell: ({ campaignId }) => <CampaignName campaignId={campaignId} /> },
          {
            label: "Run",
            width: 92,
            cell: ({ runId }) =>
              runId === null ? (
                "None"
              ) : (
                <Anchor component={Link} to={`/payout-runs/${runId}`} inherit>
                  {runId.slice(0, 8)}
                </Anchor>
              ),
          },
          {
            label: "Transaction",
            width: 163,
            cell: (payout) => (
              <Stack gap={2} align="flex-start">
                <Transaction chainId={payout.chainId} hash={payout.transactionHash} short />
                <ProofText payout={payout} />
              </Stack>
            ),
          },
          { label: "Created", width: 105, cell: ({ createDate }) => <Instant value={createDate} /> },
          {
            label: "Trail",
            width: 75,
            cell: (payout) => (
              <DialogButton
                label="Trail"
                size="compact-sm"
                variant="default"
                aria-label={`Trail of the payout ${payout.id}`}
              >
                {(close) => <PayoutTrail payout={payout} onClose={close} />}
              </DialogButton>
            ),
          },
        ]}
      />
    </Page>
  );
}
