import { Group, Skeleton, Text, Timeline } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Bounded } from "../ui/bounded.tsx";
import { byCursor } from "../ui/by-cursor.ts";
import { Instant } from "../ui/instant.tsx";
import { Section } from "../ui/section.tsx";
import { ShowMore } from "../ui/show-more.tsx";
import type { Campaign } from "./campaign-values.ts";

interface MatchTrailProps {
  readonly campaign: Campaign;
  readonly participantId: string;
}

/** The participant's submissions in the journal, each with the reason for its match as the server decided it. */
export function MatchTrail({ campaign, participantId }: MatchTrailProps) {
  const pages = api.useInfiniteQuery(
    "get",
    "/operator/v1/campaigns/{campaignId}/journal",
    { params: { path: { campaignId: campaign.id }, query: { participantId } } },
    byCursor,
  );
  const submissions = pages.data?.pages.flatMap((page) => page.items);
  const { matchMultiplier } = campaign.perTradeProfitMatch;
  return (
    <Section
      title="How this match was computed"
      description="Every submission for this user, newest first, and its effect on the match."
    >
      {pages.error === null && submissions === undefined && <Skeleton height={120} />}
      {submissions !== undefined && (
        <Timeline bulletSize={18} lineWidth={2} active={submissions.length}>
          {submissions.map((submission) => (
            <Timeline.Item
              key={submission.submissionId}
              title={
                <Group gap="xs">
                  <Text fw={600}>Profit of {formatTokens(submission.tradeProfit)}</Text>
                  <Text size="sm">
                    <Instant value={submission.date} />
                    {submission.created && ", the first submission"}
                  </Text>
                </Group>
              }
            >
              <Text size="sm">
                {matchMultiplier} × {formatTokens(submission.tradeProfit)} profit: {reasonFor(submission)}
              </Text>
              <Text size="sm">
                {submission.delta.amount === "0"
                  ? `Nothing is added. The match stays ${formatTokens(submission.amountMatched)}.`
                  : `${formatTokens(submission.delta)} is added. The match is now ${formatTokens(submission.amountMatched)}.`}{" "}
                {formatTokens(submission.currentAmountTotal)} of {formatTokens(submission.maxAmountTotal)} is committed
                in the campaign.
              </Text>
              <Named submission={submission} />
            </Timeline.Item>
          ))}
        </Timeline>
      )}
      <ShowMore pages={pages} label="Show earlier submissions" />
    </Section>
  );
}

function Named({ submission: { wallets, receiver } }: { submission: Schemas["JournalEntry"] }) {
  if (wallets === null) return null;
  return (
    <>
      <Text size="sm">Wallets in the submission:</Text>
      {wallets.map(({ address, chainName }) => (
        <Text key={`${chainName} ${address}`} size="sm" component="div">
          <Bounded text={`${address} on ${chainName}`} lines={1} />
        </Text>
      ))}
      {receiver !== null && (
        <Text size="sm" component="div">
          This submission set the receiver to <Bounded text={receiver} lines={1} />
        </Text>
      )}
    </>
  );
}

function reasonFor({ clampedBy, delta, amountMatched, maxMatchPerUser }: Schemas["JournalEntry"]): string {
  if (clampedBy === "MAX_AMOUNT_PER_USER") return `limited by the cap of ${formatTokens(maxMatchPerUser)} per user.`;
  if (clampedBy === "CAMPAIGN_BUDGET") return "limited by the campaign's remaining budget.";
  if (delta.amount !== "0") return "matched in full.";
  return amountMatched.amount === "0" ? "nothing to match." : "no more than before. A match never falls.";
}
