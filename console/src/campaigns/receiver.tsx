import { Alert, Anchor, Group, Stack, Text } from "@mantine/core";
import { IconFlag } from "@tabler/icons-react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { chainName } from "../ui/chains.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { meaningOfFlag } from "../ui/participant-flags.tsx";
import { Section } from "../ui/section.tsx";
import type { Campaign } from "./campaign-values.ts";
import { ChangeReceiver } from "./change-receiver.tsx";
import { HoldOrRelease } from "./hold-or-release.tsx";

interface ReceiverProps {
  readonly campaign: Campaign;
  readonly participant: Schemas["OperatorParticipant"];
}

/** Where a participant is paid, whether it is paid for now, and what to look at before paying. */
export function Receiver({ campaign, participant }: ReceiverProps) {
  const mayChange = useMayChange();
  const { receiver, held, flags } = participant;
  const chain = chainName(campaign.perTradeProfitMatch.payoutChainId);
  return (
    <Section
      title="Receiver"
      description="Payouts go to this address. Later submissions do not change it."
      actions={
        mayChange && (
          <Group gap="sm">
            <ChangeReceiver campaign={campaign} participant={participant} variant="default" />
            <HoldOrRelease participant={participant} />
          </Group>
        )
      }
    >
      <Facts>
        {/* In full, because a similar address may have the same start and end. */}
        <Fact label={`Address on ${chain}`} isWide>
          {receiver === null ? "None yet" : <Copyable value={receiver.address} label="receiver" />}
        </Fact>
        <Fact label="Set by">
          {receiver === null ? (
            "Not set: no submitted wallet qualifies on this chain"
          ) : receiver.setBy === "SUBMISSION" ? (
            "The merchant's submission"
          ) : (
            <>
              An operator (
              <Anchor
                component={Link}
                to={`/audit-log?action=participant.receiver&merchantId=${campaign.merchantId}`}
                inherit
              >
                see who and why
              </Anchor>
              )
            </>
          )}
        </Fact>
        <Fact label="Held">{held ? "Yes: it gets no new payout" : "No"}</Fact>
      </Facts>
      {flags.length > 0 && (
        <Alert color="yellow" icon={<IconFlag />} title="Look at this before you pay">
          <Stack gap={4}>
            {flags.map((flag) => (
              <Text key={flag} size="sm">
                {meaningOfFlag(flag)}
              </Text>
            ))}
          </Stack>
        </Alert>
      )}
    </Section>
  );
}
