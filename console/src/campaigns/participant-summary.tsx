import { Group, List, Text } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { formatTokens } from "../ui/amounts.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { formatCount } from "../ui/format.ts";
import { Instant } from "../ui/instant.tsx";
import { Section } from "../ui/section.tsx";
import { owedTo } from "./owed.ts";

type Participant = Schemas["OperatorParticipant"];

const MEANINGS: Record<Participant["status"], string> = {
  QUALIFIED: "Qualified: nothing is matched yet.",
  MATCHED: "Matched: a reward is committed but not fully paid.",
  PAID: "Paid: confirmed payouts cover the whole match.",
  FAILED: "Failed: the last payout failed, and no other is open. The amount is owed again.",
};

export function ParticipantSummary({ participant }: { participant: Participant }) {
  return (
    <Section title="Summary" description={MEANINGS[participant.status]}>
      <Facts>
        <Fact label="Profit (last submission)">{formatTokens(participant.tradeProfit)}</Fact>
        <Fact label="Match">{formatTokens(participant.amountMatched)}</Fact>
        <Fact label="Cap">{formatTokens(participant.maxMatchPerUser)}</Fact>
        <Fact label="Owed (match minus open and confirmed payouts)">{formatTokens(owedTo(participant))}</Fact>
        <Fact label="Qualified since">
          <Instant value={participant.qualifiedDate} />
        </Fact>
        <Fact label="Participant id">
          <Copyable value={participant.id} label="participant id" short />
        </Fact>
        <Fact
          label={participant.walletCount === 1 ? "Wallet" : `${formatCount(participant.walletCount)} wallets`}
          isWide
        >
          <List listStyleType="none" spacing={4} size="sm">
            {participant.associatedWallets.map(({ address, chainName, qualifiedDate }) => (
              <List.Item key={`${address} ${chainName}`}>
                <Group gap="xs" component="span">
                  <Copyable value={address} label={`wallet on ${chainName}`} />
                  <Text span size="sm">
                    on {chainName},{" "}
                    {qualifiedDate === null ? (
                      "not qualified"
                    ) : (
                      <>
                        qualified <Instant value={qualifiedDate} />
                      </>
                    )}
                  </Text>
                </Group>
              </List.Item>
            ))}
          </List>
        </Fact>
      </Facts>
    </Section>
  );
}
