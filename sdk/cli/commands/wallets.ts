import type { QualifiedWallet } from "@matchbook/sdk";
import { openClient } from "../client.ts";
import {
  type Command,
  checkCampaignId,
  connectionOptions,
  readArguments,
  readChainId,
  UsageError,
} from "../command.ts";
import { printJson, printTable } from "../output.ts";
import { program } from "../program.ts";
import { isSameAddress, parseWallet, requireWallet, resolveChain } from "../wallets.ts";

export const wallets: Command = {
  name: "wallets",
  summary: "check which wallets qualify for a campaign",
  help: `${program} wallets check CAMPAIGN_ID [CHAIN:]ADDRESS… [--chain ID] [--json]

A wallet qualifies when a completed deposit arrived in it during the campaign's window. A wallet with deposits on two chains
qualifies on each. Any number of addresses may be given. The exit code is 1 when one of them does not qualify.

  --chain ID   look at one chain only; CHAIN:ADDRESS does that for one wallet
  --json       print the wallets that qualify as JSON

Example:
  ${program} wallets check 5f0c9a1e-… 8453:0x52908400098527886E0F7030069857D2E4169EE7
`,
  async run([verb, ...args]) {
    if (verb !== "check") throw new UsageError(`Write: ${program} wallets check CAMPAIGN_ID ADDRESS….`);
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      chain: { type: "string" },
      json: { type: "boolean" },
    });
    const [campaignId = "", ...texts] = positionals;
    if (campaignId === "" || texts.length === 0) {
      throw new UsageError("A campaign id and at least one address are needed.");
    }
    const chainId = values.chain === undefined ? undefined : readChainId(values.chain);
    const asked = [...new Set(texts)].map((text) => {
      const wallet = requireWallet(text, parseWallet);
      return { text, address: wallet.address, chainId: resolveChain(wallet, chainId) };
    });
    const client = openClient(values);
    const found = new Map<string, QualifiedWallet>();
    const absent: string[] = [];
    // The service does not give the id of every chain back, so each chain is asked for alone.
    for (const [chain, wallets] of groupByChain(asked)) {
      const addresses = wallets.map(({ address }) => address);
      const answers = await client.campaigns.qualifiedWallets.check(checkCampaignId(campaignId), addresses, {
        chainId: chain,
      });
      for (const answer of answers) found.set(`${answer.chainName} ${answer.address}`, answer);
      const isFound = (address: string) => answers.some((answer) => isSameAddress(answer.address, address));
      absent.push(...wallets.filter(({ address }) => !isFound(address)).map(({ text }) => text));
    }
    if (absent.length > 0) process.exitCode = 1;
    if (values.json === true) return printJson([...found.values()]);
    printTable(
      ["QUALIFIES", "ADDRESS", "CHAIN", "SINCE", "PARTICIPANT"],
      [
        ...[...found.values()].map((wallet) => [
          "yes",
          wallet.address,
          wallet.chainName,
          wallet.qualifiedDate,
          wallet.participant?.id ?? "none yet",
        ]),
        ...absent.map((text) => ["no", text]),
      ],
    );
  },
};

function groupByChain<Asked extends { chainId: number | undefined }>(asked: readonly Asked[]) {
  const groups = new Map<number | undefined, Asked[]>();
  for (const each of asked) groups.set(each.chainId, [...(groups.get(each.chainId) ?? []), each]);
  return groups;
}
