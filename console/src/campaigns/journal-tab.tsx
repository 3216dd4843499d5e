import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { CursorTable } from "../ui/cursor-table.tsx";
import { Instant } from "../ui/instant.tsx";
import type { Campaign } from "./campaign-values.ts";

const LIMITS = { MAX_AMOUNT_PER_USER: "Cap per user", CAMPAIGN_BUDGET: "Budget", NONE: "–" } as const;

export function JournalTab({ campaign }: { campaign: Campaign }) {
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/campaigns/{campaignId}/journal",
    { params: { path: { campaignId: campaign.id } } },
    byCursor,
  );
  return (
    <Stack>
      <Text size="sm">
        Every accepted submission, newest first. Entries are never changed or removed. A participant's page explains
        each match.
      </Text>
      <CursorTable
        label="Journal of submissions"
        pages={pages}
        keyOf={({ submissionId }) => submissionId}
        empty="No submissions yet."
        columns={[
          { label: "#", isNumber: true, width: 60, cell: ({ position }) => position },
          { label: "Date", width: 110, isKey: true, cell: ({ date }) => <Instant value={date} /> },
          {
            label: "User",
            isKey: true,
            cell: ({ participantId, merchantUserId }) => (
              <Anchor component={Link} to={`/campaigns/${campaign.id}/participants/${participantId}`} inherit>
                <Bounded text={merchantUserId} />
              </Anchor>
            ),
          },
          { label: "Profit", amount: ({ tradeProfit }) => formatTokens(tradeProfit) },
          { label: "Added", isKey: true, amount: ({ delta }) => `+${formatTokens(delta)}` },
          { label: "Match after", amount: ({ amountMatched }) => formatTokens(amountMatched) },
          { label: "Limited by", width: 110, cell: ({ clampedBy }) => LIMITS[clampedBy ?? "NONE"] },
          {
            label: "Committed after",
            width: 150,
            amount: ({ currentAmountTotal }) => formatTokens(currentAmountTotal),
          },
        ]}
      />
    </Stack>
  );
}
