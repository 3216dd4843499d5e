import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { IconCoinOff } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Bounded } from "../ui/bounded.tsx";
import { Figure, fractionDigitsOf } from "../ui/figure.tsx";
import { Instant } from "../ui/instant.tsx";
import { AttentionCard } from "./attention-card.tsx";
import { FirstFew } from "./first-few.tsx";
import { countOf } from "./overview.ts";

type FailedPayouts = Schemas["Overview"]["failedPayouts"];

const COUNTED_UP_TO = 1_000;
const SHOWN_FIRST = 4;

export function FailedPayoutsCard({ failedPayouts: { count, participants } }: { failedPayouts: FailedPayouts }) {
  const isCut = count > participants.length;
  const fractionDigits = Math.max(...participants.map(({ amountOwed }) => fractionDigitsOf(formatTokens(amountOwed))));
  return (
    <AttentionCard
      icon={IconCoinOff}
      color="red"
      title={countOf(count, "payout failed", "payouts failed", COUNTED_UP_TO)}
      sentence={`These participants get nothing until you record a new payout.${
        isCut ? ` The ${participants.length} most recent:` : ""
      }`}
      action={
        isCut ? (
          <Button component={Link} to="/failed-payouts" variant="light">
            Show all failed payouts
          </Button>
        ) : undefined
      }
    >
      <FirstFew
        items={participants}
        keyOf={({ participantId }) => participantId}
        row={(participant) => <FailedPayout participant={participant} fractionDigits={fractionDigits} />}
        count={SHOWN_FIRST}
      />
    </AttentionCard>
  );
}

interface FailedPayoutProps {
  readonly participant: FailedPayouts["participants"][number];
  readonly fractionDigits: number;
}

function FailedPayout({ participant, fractionDigits }: FailedPayoutProps) {
  const { campaignId, participantId, merchantUserId, campaignName, amountOwed, updateDate } = participant;
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Stack gap={0} miw={0}>
        <Anchor component={Link} to={`/campaigns/${campaignId}/participants/${participantId}`} size="sm" fw={500}>
          <Bounded text={merchantUserId} lines={1} />
        </Anchor>
        <Text size="sm" c="dimmed" component="div">
          <Bounded text={campaignName} lines={1} />
        </Text>
      </Stack>
      <Stack gap={0} align="flex-end" flex="none" maw="60%">
        <Text size="sm" ta="right" style={{ fontVariantNumeric: "tabular-nums" }}>
          <Figure text={formatTokens(amountOwed)} fractionDigits={fractionDigits} /> owed
        </Text>
        <Text size="sm" c="dimmed">
          <Instant value={updateDate} />
        </Text>
      </Stack>
    </Group>
  );
}
