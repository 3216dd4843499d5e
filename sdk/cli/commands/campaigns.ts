import type { Campaign } from "@matchbook/sdk";
import { formatAmount } from "../amounts.ts";
import { openClient } from "../client.ts";
import {
  type Command,
  checkCampaignId,
  connectionOptions,
  readArguments,
  refuseUseless,
  requirePositionals,
} from "../command.ts";
import { LIST_HELP, listOptions, printList } from "../listing.ts";
import { printFields, printJson } from "../output.ts";
import { program } from "../program.ts";

export const campaigns: Command = {
  name: "campaigns",
  summary: "list your campaigns, or show one",
  help: `${program} campaigns [CAMPAIGN_ID]

Lists your campaigns, newest first, or shows one with its terms and how much of its budget is committed. Only an ACTIVE
campaign takes submissions.

${LIST_HELP}

Example:
  ${program} campaigns
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { ...connectionOptions, ...listOptions });
    const [campaignId] = positionals.length === 0 ? [] : requirePositionals(positionals, ["CAMPAIGN_ID"]);
    if (campaignId !== undefined) refuseUseless(values, ["limit", "all"], "does not go with one campaign");
    const client = openClient(values);
    if (campaignId === undefined) {
      return printList((limit) => client.campaigns.list({ limit }), values, {
        titles: ["ID", "STATUS", "COMMITTED", "BUDGET", "ENDS", "NAME"],
        row: ({ id, status, perTradeProfitMatch: terms, endDate, displayName }) => [
          id,
          status,
          formatAmount(terms.currentAmountTotal),
          formatAmount(terms.maxAmountTotal),
          endDate,
          displayName,
        ],
      });
    }
    const campaign = await client.campaigns.get(checkCampaignId(campaignId));
    if (values.json === true) printJson(campaign);
    else printCampaign(campaign);
  },
};

export function printCampaign({ perTradeProfitMatch: terms, ...campaign }: Campaign): void {
  printFields([
    ["id", campaign.id],
    ["name", campaign.displayName],
    ["status", campaign.status],
    ["window", `${campaign.startDate} to ${campaign.endDate}`],
    ["multiplier", String(terms.matchMultiplier)],
    ["per user", `at most ${formatAmount(terms.maxAmountPerUser)}`],
    ["budget", formatAmount(terms.maxAmountTotal)],
    ["committed", formatAmount(terms.currentAmountTotal)],
    ["paid out in", `${terms.payoutTokenAddress} on chain ${terms.payoutChainId}`],
  ]);
}
