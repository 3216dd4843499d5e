import { openClient } from "../client.ts";
import { type Command, connectionOptions, readArguments, readChainId, UsageError } from "../command.ts";
import { printJson, printTable } from "../output.ts";
import { isSameAddress } from "../wallets.ts";

export const wallets: Command = {
  name: "wallets",
  summary: "check which wallets qualify for a campaign",
  help: `matchbook wallets check CAMPAIGN_ID ADDRESS… [--chain ID] [--json]

A wallet qualifies when a completed deposit arrived in it during the campaign's window. A wallet with deposits on two chains
qualifies on each. Any number of addresses may be given. The exit code is 1 when one of them does not qualify.

  --chain ID   look at one chain only
  --json       print the wallets that qualify as JSON

Example:
  matchbook wallets check 5f0c9a1e-… 0x52908400098527886E0F7030069857D2E4169EE7 --chain 8453
`,
  async run([verb, ...args]) {
    if (verb !== "check") throw new UsageError("Write: matchbook wallets check CAMPAIGN_ID ADDRESS….");
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      chain: { type: "string" },
      json: { type: "boolean" },
    });
    const [campaignId, ...addresses] = positionals;
    if (campaignId === undefined || addresses.length === 0) {
      throw new UsageError("A campaign id and at least one address are needed.");
    }
    const chainId = values.chain === undefined ? undefined : readChainId(values.chain);
    const found = await openClient(values).campaigns.qualifiedWallets.check(campaignId, addresses, { chainId });
    const isFound = (address: string) => found.some((wallet) => isSameAddress(wallet.address, address));
    const absent = [...new Set(addresses)].filter((address) => !isFound(address));
    if (absent.length > 0) process.exitCode = 1;
    if (values.json === true) return printJson(found);
    printTable(
      ["QUALIFIES", "ADDRESS", "CHAIN", "SINCE", "PARTICIPANT"],
      [
        ...found.map((wallet) => [
          "yes",
          wallet.address,
          wallet.chainName,
          wallet.qualifiedDate,
          wallet.participant?.id ?? "none yet",
        ]),
        ...absent.map((address) => ["no", address]),
      ],
    );
  },
};
