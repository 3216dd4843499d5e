import type { SandboxCampaignRequest } from "@matchbook/sdk";
import { requireUsdc } from "../amounts.ts";
import { openClient } from "../client.ts";
import {
  type Command,
  connectionOptions,
  onlyGiven,
  readArguments,
  readChoice,
  refuseUseless,
  requireOption,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { print, printFields, printJson } from "../output.ts";
import { program } from "../program.ts";
import { readTime, TIME_HELP } from "../times.ts";
import { parseWalletOnChain, requireWallet } from "../wallets.ts";
import { printCampaign } from "./campaigns.ts";

const CAMPAIGN_STATUSES = ["DRAFT", "ACTIVE", "PAUSED", "ENDED"] as const;
const DEPOSIT_STATES = [
  "CREATED",
  "REQUIRES_AUTHORIZATION",
  "AUTHORIZED",
  "PENDING",
  "COMPLETED",
  "FAILED",
  "EXPIRED",
] as const;

export const sandbox: Command = {
  name: "sandbox",
  summary: "make test campaigns and deposits; the sandbox only",
  help: `${program} sandbox campaign [--name TEXT] [--multiplier N] [--per-user USDC] [--budget USDC] [--start TIME] [--end TIME] [--status S]
${program} sandbox deposit --wallet CHAIN:ADDRESS [--amount USD] [--state S] [--date TIME]

Does what an operator and the hosted deposit flow do in production, so that you can try everything alone.

campaign makes one that is ACTIVE, doubles profits and qualifies deposits from 30 days ago to 30 days ahead, by default.
deposit makes a completed one of 100 USD, now, by default.

  --status S   ${CAMPAIGN_STATUSES.join(", ")}
  --state S    ${DEPOSIT_STATES.join(", ")}
  --quiet      print the id alone, for use in a script
  --json       print the answer as JSON

${TIME_HELP}

Example:
  ${program} sandbox campaign --multiplier 2 --budget 100000
  ${program} sandbox deposit --wallet 84532:0x52908400098527886E0F7030069857D2E4169EE7 --amount 250
`,
  async run([verb, ...args]) {
    if (verb === "campaign") return createCampaign(args);
    if (verb === "deposit") return createDeposit(args);
    throw new UsageError(`Write: ${program} sandbox campaign|deposit.`);
  },
};

const outputOptions = { quiet: { type: "boolean" }, json: { type: "boolean" } } as const;

async function createCampaign(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    ...connectionOptions,
    ...outputOptions,
    name: { type: "string" },
    multiplier: { type: "string" },
    "per-user": { type: "string" },
    budget: { type: "string" },
    start: { type: "string" },
    end: { type: "string" },
    status: { type: "string" },
  });
  requirePositionals(positionals, []);
  if (values.json === true) refuseUseless(values, ["quiet"], "does not go with --json");
  const multiplier = values.multiplier === undefined ? undefined : readMultiplier(values.multiplier);
  const request: SandboxCampaignRequest = onlyGiven({
    displayName: values.name,
    startDate: values.start === undefined ? undefined : readTime(values.start, "--start"),
    endDate: values.end === undefined ? undefined : readTime(values.end, "--end"),
    status: values.status === undefined ? undefined : readChoice(values.status, "--status", CAMPAIGN_STATUSES),
    perTradeProfitMatch: onlyGiven({
      matchMultiplier: multiplier,
      maxAmountPerUser: values["per-user"] === undefined ? undefined : requireUsdc(values["per-user"], "--per-user"),
      maxAmountTotal: values.budget === undefined ? undefined : requireUsdc(values.budget, "--budget"),
    }),
  });
  const campaign = await openClient(values).sandbox.createCampaign(request);
  if (values.json === true) return printJson(campaign);
  if (values.quiet === true) return print(campaign.id);
  printCampaign(campaign);
}

async function createDeposit(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    ...connectionOptions,
    ...outputOptions,
    wallet: { type: "string" },
    amount: { type: "string" },
    state: { type: "string" },
    date: { type: "string" },
  });
  requirePositionals(positionals, []);
  if (values.json === true) refuseUseless(values, ["quiet"], "does not go with --json");
  const wallet = requireWallet(requireOption(values.wallet, "wallet"), parseWalletOnChain, "--wallet");
  const deposit = await openClient(values).sandbox.createDeposit({
    embeddedWalletAddress: wallet.address,
    chainId: wallet.chain.id,
    ...onlyGiven({
      amount: values.amount === undefined ? undefined : readUsd(values.amount),
      state: values.state === undefined ? undefined : readChoice(values.state, "--state", DEPOSIT_STATES),
      createDate: values.date === undefined ? undefined : readTime(values.date, "--date"),
    }),
  });
  if (values.json === true) return printJson(deposit);
  if (values.quiet === true) return print(deposit.id);
  printFields([
    ["id", deposit.id],
    ["status", deposit.status],
    ["amount", `${deposit.amount.value} ${deposit.amount.currency}`],
    ["wallet", `${deposit.embeddedWalletAddress} on ${deposit.chain.name}`],
    ["user", deposit.userId],
    ["created", deposit.createDate],
  ]);
}

function readMultiplier(text: string): number {
  if (/^[0-9]{1,7}(\.[0-9]{1,6})?$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(
    `--multiplier must be a number above 0, such as 2 or 0.5, with at most 6 decimals; not ${text}.`,
  );
}

function readUsd(value: string) {
  if (/^[0-9]{1,15}(\.[0-9]{1,6})?$/.test(value)) return { value, currency: "USD" as const };
  throw new UsageError(`--amount must be USD in decimals, such as 250.50, with at most 6 decimals; not ${value}.`);
}
