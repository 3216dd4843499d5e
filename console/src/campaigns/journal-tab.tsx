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
          { label: "#", isNumber: true, width: 48, cell: ({ position }) => position },
          { label: "Date", width: 105, isKey: true, cell: ({ date }) => <Instant value={date} /> },
          {
            label: "User",
            isKey: true,
            width: 110,
            cell: ({ participantId, merchantUserId }) => (
              <Anchor component={Link} to={`/campaigns/${campaign.id}/participants/${participantId}`} inherit>
                <Bounded text={merchantUserId} />
              </Anchor>
            ),
          },
          { label: "Profit", width: 125, amount: ({ tradeProfit }) => formatTokens(tradeProfit) },
          { label: "Added", isKey: true, width: 125, amount: ({ delta }) => `+${formatTokens(delta)}` },
          { label: "Match after", width: 125, amount: ({ amountMatched }) => formatTokens(amountMatched) },
          { label: "Limited by", width: 100, cell: ({ clampedBy }) => LIMITS[clampedBy ?? "NONE"] },
          {
            label: "Committed after",
            width: 130,
            amount: ({ currentAmountTotal }) => formatTokens(currentAmountTotal),
          },
        ]}
      />
    </Stack>
  );
}
