import type { SandboxCampaignRequest } from "@matchbook/sdk";
import { requireUsdc } from "../amounts.ts";
import { openClient } from "../client.ts";
import {
  type Command,
  connectionOptions,
  onlyGiven,
  readArguments,
  readChoice,
  requireOption,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { print, printFields, printJson } from "../output.ts";
import { parseWallet } from "../wallets.ts";
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
  help: `matchbook sandbox campaign [--name TEXT] [--multiplier N] [--per-user USDC] [--budget USDC] [--start T] [--end T] [--status S]
matchbook sandbox deposit --wallet CHAIN:ADDRESS [--amount USD] [--state S] [--date T]

Does what an operator and the hosted deposit flow do in production, so that you can try everything alone.

campaign makes one that is ACTIVE, doubles profits and qualifies deposits from 30 days ago to 30 days ahead, by default.
deposit makes a completed one of 100 USD, now, by default.

  --quiet   print the id alone, for use in a script
  --json    print the answer as JSON

Example:
  matchbook sandbox campaign --multiplier 2 --budget 100000
  matchbook sandbox deposit --wallet 84532:0x52908400098527886E0F7030069857D2E4169EE7 --amount 250
`,
  async run([verb, ...args]) {
    if (verb === "campaign") return createCampaign(args);
    if (verb === "deposit") return createDeposit(args);
    throw new UsageError("Write: matchbook sandbox campaign|deposit.");
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
  const multiplier = values.multiplier === undefined ? undefined : Number(values.multiplier);
  if (Number.isNaN(multiplier)) throw new UsageError("--multiplier must be a number, such as 2 or 0.5.");
  const request: SandboxCampaignRequest = onlyGiven({
    displayName: values.name,
    startDate: values.start,
    endDate: values.end,
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
  const wallet = parseWallet(requireOption(values.wallet, "wallet"));
  if (wallet === null) throw new UsageError("--wallet must be CHAIN:ADDRESS, such as 84532:0x5290….");
  const deposit = await openClient(values).sandbox.createDeposit({
    embeddedWalletAddress: wallet.address,
    chainId: wallet.chain.id,
    ...onlyGiven({
      amount: values.amount === undefined ? undefined : { value: values.amount, currency: "USD" as const },
      state: values.state === undefined ? undefined : readChoice(values.state, "--state", DEPOSIT_STATES),
      createDate: values.date,
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
