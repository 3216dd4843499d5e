import { Button, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { api } from "../api/client.ts";
import { chainName } from "../ui/chains.ts";
import { Failure } from "../ui/failure.tsx";
import { PayoutRunsTable } from "../ui/payout-runs-table.tsx";
import { saveFile } from "../ui/save-file.ts";
import { Section } from "../ui/section.tsx";
import type { Campaign } from "./campaign-values.ts";

export function OwedTab({ campaign }: { campaign: Campaign }) {
  const { currency } = campaign.perTradeProfitMatch.maxAmountTotal;
  const chain = chainName(campaign.perTradeProfitMatch.payoutChainId);
  return (
    <Stack gap="lg">
      <Section
        title="Payout runs"
        description="A run reserves what is owed, gives you the file that pays it and records the results. Create one with “New payout run” above."
      >
        <PayoutRunsTable
          filters={{ campaignId: campaign.id }}
          empty="No payout runs of this campaign yet."
          isOfOneCampaign
        />
      </Section>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Section title="Owed">
          <Text size="sm">
            A report with one line for each participant who is still owed {currency} and has a receiver on {chain}.
            Pending, submitted and confirmed payouts are already subtracted. The report reserves nothing, so never pay
            from it: create a payout run and export that.
          </Text>
          <Download campaignId={campaign.id} query={{}} label="Download owed.csv" name={`owed-${campaign.id}.csv`} />
        </Section>
        <Section title="Without a wallet on the payout chain">
          <Text size="sm">
            Participants who are owed {currency} but have no receiver on {chain}: their id, the merchant's user id and
            the amount. Ask the merchant where to pay them, then set the receiver.
          </Text>
          <Download
            campaignId={campaign.id}
            query={{ receiver: "missing" }}
            label="Download those without a wallet"
            name={`owed-without-receiver-${campaign.id}.csv`}
          />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}

interface DownloadProps {
  readonly campaignId: string;
  readonly query: { receiver?: "missing" };
  readonly label: string;
  readonly name: string;
}

/** Fetches the file before saving it, so that an error is shown instead of saved as the file. */
function Download({ campaignId, query, label, name }: DownloadProps) {
  const { error, isFetching, refetch } = api.useQuery(
    "get",
    "/operator/v1/campaigns/{campaignId}/owed.csv",
    { params: { path: { campaignId }, query }, parseAs: "text" },
    { enabled: false, gcTime: 0 },
  );

  async function download(): Promise<void> {
    const { data, isSuccess } = await refetch();
    if (isSuccess) saveFile(data, name, "text/csv");
  }

  return (
    <>
      <div>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={isFetching} onClick={download}>
          {label}
        </Button>
      </div>
      {error !== null && !isFetching && <Failure error={error} action="download the file" />}
    </>
  );
}
