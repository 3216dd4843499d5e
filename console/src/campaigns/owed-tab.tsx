import { Button, SimpleGrid, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { chainName } from "../ui/chains.ts";
import { Section } from "../ui/section.tsx";
import type { Campaign } from "./campaign-values.ts";

export function OwedTab({ campaign }: { campaign: Campaign }) {
  const { currency } = campaign.perTradeProfitMatch.maxAmountTotal;
  const chain = chainName(campaign.perTradeProfitMatch.payoutChainId);
  const file = `/operator/v1/campaigns/${campaign.id}/owed.csv`;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Section title="To be paid">
        <Text size="sm">
          One line for each participant who is still owed {currency} and has a qualified wallet on {chain}, in the
          layout of Safe's CSV airdrop. It is paid to the wallet that qualified first. Payouts that are pending,
          submitted or confirmed are already subtracted, so record a payout before you send it: the next file leaves it
          out.
        </Text>
        <DownloadLink href={file} label="Download owed.csv" />
      </Section>
      <Section title="Without a wallet on the payout chain">
        <Text size="sm">
          Participants who are owed {currency} and have no qualified wallet on {chain}: their id, the merchant's user id
          and the amount. Ask the merchant where to pay them, then record the payout on the participant's page.
        </Text>
        <DownloadLink href={`${file}?receiver=missing`} label="Download those without a wallet" />
      </Section>
    </SimpleGrid>
  );
}

function DownloadLink({ href, label }: { href: string; label: string }) {
  return (
    <div>
      <Button component="a" href={href} download variant="default" leftSection={<IconDownload size={16} />}>
        {label}
      </Button>
    </div>
  );
}
