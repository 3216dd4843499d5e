import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import { MerchantName } from "../ui/merchant-name.tsx";
import { Page } from "../ui/page.tsx";

export function FailedPayoutsPage() {
  const pages = api.useInfiniteQuery("get", "/operator/v1/overview/failed-payouts", {}, byCursor);
  return (
    <Page
      title="Failed payouts"
      above={{ to: "/", label: "Home" }}
      description="Participants whose last payout failed. They get nothing until you record a new payout. Payouts that were cancelled before they were sent are not listed."
    >
      <CursorTable
        label="Failed payouts"
        pages={pages}
        keyOf={({ participantId }) => participantId}
        empty="No payout has failed."
        columns={[
          {
            label: "User",
            width: 170,
            isKey: true,
            cell: ({ campaignId, participantId, merchantUserId }) => (
              <Anchor component={Link} to={`/campaigns/${campaignId}/participants/${participantId}`} inherit fw={500}>
                <Bounded text={merchantUserId} />
              </Anchor>
            ),
          },
          { label: "Owed", isKey: true, width: 150, amount: ({ amountOwed }) => formatTokens(amountOwed) },
          {
            label: "Campaign",
            isKey: true,
            cell: ({ campaignId, campaignName }) => (
              <Anchor component={Link} to={`/campaigns/${campaignId}`} inherit>
                <Bounded text={campaignName} />
              </Anchor>
            ),
          },
          { label: "Merchant", cell: ({ merchantId }) => <MerchantName merchantId={merchantId} /> },
          { label: "Updated", width: 120, cell: ({ updateDate }) => <Instant value={updateDate} /> },
        ]}
      />
    </Page>
  );
}
