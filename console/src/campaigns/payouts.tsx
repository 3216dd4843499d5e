import { Alert, Anchor, Card, Group, Stack, Text, Title } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { formatTokens } from "../ui/amounts.ts";
import { chainName } from "../ui/chains.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { describeProof } from "../ui/payout-proof.ts";
import { Section } from "../ui/section.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { StatusTrail } from "../ui/status-trail.tsx";
import { Transaction } from "../ui/transaction.tsx";
import type { Campaign } from "./campaign-values.ts";
import { ChangeReceiver } from "./change-receiver.tsx";
import { HoldOrRelease } from "./hold-or-release.tsx";
import { owedTo } from "./owed.ts";
import { PayoutMoves } from "./payout-moves.tsx";
import { RecordPayout } from "./record-payout.tsx";

type Payout = Schemas["Payout"];

interface PayoutsProps {
  readonly campaign: Campaign;
  readonly participant: Schemas["OperatorParticipant"];
}

/** The payouts themselves are sent elsewhere. This page records them. */
export function Payouts({ campaign, participant }: PayoutsProps) {
  const mayChange = useMayChange();
  const owed = owedTo(participant);
  return (
    <Section
      title="Payouts"
      description={
        owed.amount === "0"
          ? "Nothing is owed: open and confirmed payouts cover the whole match."
          : `${formatTokens(owed)} is owed and not covered by an open or confirmed payout.`
      }
      actions={mayChange && <RecordPayout campaign={campaign} participant={participant} />}
    >
      {owed.amount !== "0" && <Obstacles campaign={campaign} participant={participant} />}
      {participant.payouts.length === 0 && <Text size="sm">No payouts yet.</Text>}
      {participant.payouts.map((payout) => (
        <PayoutCard key={payout.id} payout={payout} mayChange={mayChange} />
      ))}
    </Section>
  );
}

/** Why nothing can be paid now, with the button that changes it. */
function Obstacles({ campaign, participant }: PayoutsProps) {
  const mayChange = useMayChange();
  const chain = chainName(campaign.perTradeProfitMatch.payoutChainId);
  return (
    <>
      {participant.receiver === null && (
        <Alert color="yellow" icon={<IconInfoCircle />} title={`There is no receiver on ${chain}`}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              Nothing can be paid until there is one. A submission with a qualified wallet on {chain} sets it. Or ask
              the merchant where to pay, and set it here.
            </Text>
            {mayChange && <ChangeReceiver campaign={campaign} participant={participant} size="xs" />}
          </Stack>
        </Alert>
      )}
      {participant.held && (
        <Alert color="yellow" icon={<IconInfoCircle />} title="This participant is held">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">Nothing can be paid until you release it. What is owed stays owed.</Text>
            {mayChange && <HoldOrRelease participant={participant} size="xs" />}
          </Stack>
        </Alert>
      )}
    </>
  );
}

function PayoutCard({ payout, mayChange }: { payout: Payout; mayChange: boolean }) {
  const proof = describeProof(payout);
  return (
    <Card withBorder component="article">
      <Stack>
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={3} size="h5">
              {formatTokens(payout.amount)}
            </Title>
            <StatusBadge status={payout.cancelled ? "CANCELLED" : payout.status} />
          </Group>
          {/* Until it is submitted, a payout of a run moves with the run alone. */}
          {mayChange && !(payout.runId !== null && payout.status === "PENDING") && (
            <Group gap="xs">
              <PayoutMoves payout={payout} />
            </Group>
          )}
        </Group>
        <Facts>
          {/* In full, because a similar address may have the same start and end. */}
          <Fact label="Recipient" isWide>
            <Copyable value={payout.recipientAddress} label="recipient" />
          </Fact>
          <Fact label="Transaction" isWide>
            <Transaction chainId={payout.chainId} hash={payout.transactionHash} />
          </Fact>
          {proof !== null && (
            <Fact label="Proof" isWide>
              {proof}
            </Fact>
          )}
          <Fact label="Chain">{chainName(payout.chainId)}</Fact>
          {payout.runId !== null && (
            <Fact label="Part of">
              <Anchor component={Link} to={`/payout-runs/${payout.runId}`} inherit>
                a payout run
              </Anchor>
            </Fact>
          )}
          <Fact label="Payout id">
            <Copyable value={payout.id} label="payout id" short />
          </Fact>
        </Facts>
        <StatusTrail payout={payout} />
      </Stack>
    </Card>
  );
}
