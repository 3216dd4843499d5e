import type { Participant } from "@matchbook/sdk";
import { formatAmount } from "../amounts.ts";
import { openClient } from "../client.ts";
import {
  type Command,
  checkCampaignId,
  connectionOptions,
  readArguments,
  readChoice,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { LIST_HELP, listOptions, printList } from "../listing.ts";
import { printFields, printJson } from "../output.ts";
import { program } from "../program.ts";

const STATUSES = ["QUALIFIED", "MATCHED", "PAID", "FAILED"] as const;

export const participants: Command = {
  name: "participants",
  summary: "list a campaign's participants, or show one",
  help: `${program} participants CAMPAIGN_ID [--user MERCHANT_USER_ID | --status STATUS]

Lists the users you submitted, with what each is owed, or shows one of them with wallets and payouts.

  --user ID     show the participant with this merchantUserId
  --status S    only QUALIFIED (nothing owed), MATCHED, PAID or FAILED ones
${LIST_HELP}

Example:
  ${program} participants 5f0c9a1e-… --status MATCHED
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      ...listOptions,
      user: { type: "string" },
      status: { type: "string" },
    });
    const campaignId = checkCampaignId(...requirePositionals(positionals, ["CAMPAIGN_ID"]));
    if (values.user !== undefined && values.status !== undefined) {
      throw new UsageError("--user and --status do not go together.");
    }
    const status = values.status === undefined ? undefined : readChoice(values.status, "--status", STATUSES);
    const client = openClient(values);
    if (values.user !== undefined) {
      const participant = await client.participants.get(campaignId, { merchantUserId: values.user });
      return values.json === true ? printJson(participant) : printParticipant(participant);
    }
    return printList((limit) => client.participants.list(campaignId, { limit, status }), values, {
      titles: ["USER", "STATUS", "PROFIT", "MATCH", "PER USER", "WALLETS", "ID"],
      row: (participant) => [
        participant.merchantUserId,
        participant.status,
        formatAmount(participant.tradeProfit),
        formatAmount(participant.amountMatched),
        formatAmount(participant.maxMatchPerUser),
        String(participant.walletCount),
        participant.id,
      ],
    });
  },
};

export function printParticipant(participant: Participant): void {
  printFields([
    ["participant", participant.id],
    ["user", participant.merchantUserId],
    ["status", participant.status],
    ["profit", formatAmount(participant.tradeProfit)],
    ["match", formatAmount(participant.amountMatched)],
    ["per user", `at most ${formatAmount(participant.maxMatchPerUser)}`],
    ...participant.associatedWallets.map(({ address, chainName, qualifiedDate }): [string, string] => [
      "wallet",
      `${address} on ${chainName}, ${qualifiedDate === null ? "not qualified" : `qualified ${qualifiedDate}`}`,
    ]),
    ...participant.payouts.map(({ status, cancelled, amount, transactionHash }): [string, string] => [
      "payout",
      `${formatAmount(amount)} ${cancelled ? "cancelled" : status}${transactionHash === null ? "" : ` in ${transactionHash}`}`,
    ]),
  ]);
}
