import { Anchor, Divider, Group, Stack, Text } from "@mantine/core";
import { IconCoinOff } from "@tabler/icons-react";
import { Fragment } from "react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Instant } from "../ui/instant.tsx";
import { AttentionCard } from "./attention-card.tsx";
import { countOf } from "./overview.ts";

type FailedPayouts = Schemas["Overview"]["failedPayouts"];

const COUNTED_UP_TO = 1_000;

export function FailedPayoutsCard({ failedPayouts: { count, participants } }: { failedPayouts: FailedPayouts }) {
  const isCut = count > participants.length;
  return (
    <AttentionCard
      icon={IconCoinOff}
      color="red"
      title={countOf(count, "payout failed", "payouts failed", COUNTED_UP_TO)}
      sentence={`Nothing more is on its way to these participants until a new payout is recorded.${
        isCut ? ` The latest ${participants.length}:` : ""
      }`}
    >
      <Stack gap="xs">
        {participants.map((participant) => (
          <Fragment key={participant.participantId}>
            <Divider />
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <Stack gap={0} miw={0}>
                <Anchor
                  component={Link}
                  to={`/campaigns/${participant.campaignId}/participants/${participant.participantId}`}
                  size="sm"
                  fw={500}
                  truncate
                >
                  {participant.merchantUserId}
                </Anchor>
                <Text size="sm" truncate>
                  {participant.campaignName}
                </Text>
              </Stack>
              <Stack gap={0} align="flex-end">
                <Text size="sm" className="number">
                  {formatTokens(participant.amountOwed)} owed
                </Text>
                <Text size="sm">
                  <Instant value={participant.updateDate} />
                </Text>
              </Stack>
            </Group>
          </Fragment>
        ))}
      </Stack>
    </AttentionCard>
  );
}
