import { Stack } from "@mantine/core";
import { formatTokens } from "../ui/amounts.ts";
import { chainName } from "../ui/chains.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Instant } from "../ui/instant.tsx";
import { Section } from "../ui/section.tsx";
import { Burndown } from "./burndown.tsx";
import type { Campaign } from "./campaign-values.ts";

const MEANINGS: Record<Campaign["status"], string> = {
  DRAFT: "Draft: you can change everything. It accepts no submissions yet.",
  ACTIVE: "Active: the merchant can submit its users' profits.",
  PAUSED: "Paused: submissions are rejected until you resume it.",
  ENDED: "Ended: it accepts no more submissions. You can still pay what is owed.",
};

export function CampaignOverview({ campaign }: { campaign: Campaign }) {
  const { status, startDate, endDate, createDate, updateDate, id, perTradeProfitMatch: terms } = campaign;
  return (
    <Stack gap="lg">
      <Section title="Terms" description={MEANINGS[status]}>
        <Facts>
          <Fact label="Match">{terms.matchMultiplier} × the profit</Fact>
          <Fact label="Cap per user">{formatTokens(terms.maxAmountPerUser)}</Fact>
          <Fact label="Total budget">{formatTokens(terms.maxAmountTotal)}</Fact>
          <Fact label="Deposits qualify from">
            <Instant value={startDate} />
          </Fact>
          <Fact label="Deposits qualify until">
            <Instant value={endDate} />
          </Fact>
          <Fact label="Payout chain">
            {chainName(terms.payoutChainId)} ({terms.payoutChainId})
          </Fact>
          <Fact label="Payout token" isWide>
            <Copyable value={terms.payoutTokenAddress} label="payout token" />
          </Fact>
          <Fact label="Users per wallet">{terms.participantsPerWalletMax ?? "any number"}</Fact>
          <Fact label="Minimum deposit">
            {terms.minimumDepositUsd === undefined ? "any amount" : `${terms.minimumDepositUsd} USD`}
          </Fact>
          <Fact label="Campaign id">
            <Copyable value={id} label="campaign id" short />
          </Fact>
          <Fact label="Created">
            <Instant value={createDate} />
          </Fact>
          <Fact label="Last changed">
            <Instant value={updateDate} />
          </Fact>
        </Facts>
      </Section>
      <Burndown campaignId={id} />
    </Stack>
  );
}
