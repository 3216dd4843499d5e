import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Bounded } from "../ui/bounded.tsx";
import { CampaignName } from "../ui/campaign-name.tsx";
import { type Column, CursorTable } from "../ui/cursor-table.tsx";
import { formatCount } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { counted, type Run } from "./run-values.ts";

const REASONS: Record<Schemas["LeftOut"]["reason"], string> = {
  NO_RECEIVER: "No receiver on the payout chain",
  HELD: "Held by an operator",
  BELOW_MINIMUM: "Owed less than the minimum",
};

const CAMPAIGN: Column<Schemas["LeftOut"]> = {
  label: "Campaign",
  width: 170,
  cell: ({ campaignId }) => (campaignId === undefined ? "Not recorded" : <CampaignName campaignId={campaignId} />),
};

/** Who is owed something and was not taken into the run, and why. */
export function LeftOut({ run }: { run: Run }) {
  const { leftOut, leftOutCount } = run;
  const campaignOf = (one: Schemas["LeftOut"]) => one.campaignId ?? run.campaignId;
  if (leftOutCount === 0) {
    return (
      <Section title="Left out">
        <Text size="sm">No one was left out of this run.</Text>
      </Section>
    );
  }
  return (
    <Section
      title="Left out"
      description={
        leftOut.length < leftOutCount
          ? `The first ${formatCount(leftOut.length)} of ${formatCount(leftOutCount)}. All of them are in owed.csv of the campaign.`
          : `Owed something when the run was made, but not paid by it: ${counted(leftOutCount, "participant")}.`
      }
    >
      <CursorTable
        label="Left out"
        pages={{
          data: { pages: [{ items: leftOut }] },
          error: null,
          hasNextPage: false,
          isFetchingNextPage: false,
          isFetchNextPageError: false,
          fetchNextPage: () => {},
          refetch: () => {},
        }}
        keyOf={({ participantId }) => participantId}
        empty=""
        columns={[
          {
            label: "User",
            width: 170,
            cell: (one) =>
              // An older run of all campaigns does not say to which of them a participant belongs.
              campaignOf(one) === null ? (
                <Bounded text={one.merchantUserId} />
              ) : (
                <Anchor
                  component={Link}
                  to={`/campaigns/${campaignOf(one)}/participants/${one.participantId}`}
                  inherit
                  fw={500}
                >
                  <Bounded text={one.merchantUserId} />
                </Anchor>
              ),
          },
          ...(run.campaignId === null ? [CAMPAIGN] : []),
          { label: "Reason", width: 230, cell: ({ reason }) => REASONS[reason] },
          { label: "Owed", width: 158, amount: ({ owed }) => formatTokens(owed) },
        ]}
      />
    </Section>
  );
}
