import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { api } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
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
        Every accepted submission, newest first. Rows are never changed or removed. A user's page explains each match in
        words.
      </Text>
      <CursorTable
        label="Journal of submissions"
        pages={pages}
        keyOf={({ submissionId }) => submissionId}
        empty="Nothing was submitted yet."
        columns={[
          { label: "#", isNumber: true, cell: ({ position }) => position },
          { label: "Date", cell: ({ date }) => <Instant value={date} /> },
          {
            label: "User",
            cell: ({ participantId, merchantUserId }) => (
              <Anchor component={Link} to={`/campaigns/${campaign.id}/participants/${participantId}`} inherit>
                {merchantUserId}
              </Anchor>
            ),
          },
          { label: "Profit", isNumber: true, cell: ({ tradeProfit }) => formatTokens(tradeProfit) },
          { label: "Added", isNumber: true, cell: ({ delta }) => `+${formatTokens(delta)}` },
          { label: "Match after", isNumber: true, cell: ({ amountMatched }) => formatTokens(amountMatched) },
          { label: "Limited by", cell: ({ clampedBy }) => LIMITS[clampedBy ?? "NONE"] },
          {
            label: "Committed after",
            isNumber: true,
            cell: ({ currentAmountTotal }) => formatTokens(currentAmountTotal),
          },
        ]}
      />
    </Stack>
  );
}
