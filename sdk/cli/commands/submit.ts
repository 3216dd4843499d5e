import type { SubmitRequest } from "@matchbook/sdk";
import { formatAmount, requireUsdc, usdc } from "../amounts.ts";
import { openClient } from "../client.ts";
import {
  type Command,
  checkCampaignId,
  connectionOptions,
  readArguments,
  readInteger,
  refuseUseless,
  requireOption,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { note, printFields, printJson } from "../output.ts";
import { program } from "../program.ts";
import { submitFile } from "../submit-file.ts";
import { parseWalletOnChain, requireWallet, type Wallet } from "../wallets.ts";
import { printParticipant } from "./participants.ts";

const CONCURRENCY_MAX = 64;
const CONCURRENCY_DEFAULT = "32";
const PATIENCE_DEFAULT_SECONDS = "300";
const PATIENCE_MAX_SECONDS = 86_400;

export const submit: Command = {
  name: "submit",
  summary: "submit users' profits to a campaign, one or a CSV of thousands",
  help: `${program} submit CAMPAIGN_ID --user ID --wallet CHAIN:ADDRESS… --profit USDC [--dry-run] [--json]
${program} submit CAMPAIGN_ID --csv FILE [--concurrency N] [--patience SECONDS] [--restart] [--strict] [--json]

Submits a user's measured profit; the service answers with the match. Submitting again is always safe: the latest profit
counts, a match never falls and the budget is never charged twice.

  --user ID           your own id of the user
  --wallet C:A        a wallet the user deposited into, as chain id and address; repeat it for several
  --profit USDC       the profit in decimals, such as 12.34
  --profit-base N     the same in base units: 12340000
  --dry-run           say what it would match and store nothing

  --csv FILE          one row per user, with the columns merchantUserId, profit (in decimals) and wallets (CHAIN:ADDRESS,
                      several separated by semicolons)
  --concurrency N     how many are sent in parallel (32)
  --patience SECONDS  how long to go on while the service cannot be reached or asks to wait (300)
  --restart           forget how far an earlier run came
  --strict            exit with 1 when a user does not qualify

A run that is interrupted goes on when you repeat the command: FILE.progress holds what was answered. Users who do not qualify
and refused rows do not stop it. They are listed at the end and in FILE.refused.csv. Refused rows are mistakes: the exit code
is then 1.

Example:
  ${program} submit 5f0c9a1e-… --user user-42 --wallet 8453:0x52908400098527886E0F7030069857D2E4169EE7 --profit 500
  ${program} submit 5f0c9a1e-… --csv profits.csv
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      user: { type: "string" },
      wallet: { type: "string", multiple: true },
      profit: { type: "string" },
      "profit-base": { type: "string" },
      "dry-run": { type: "boolean" },
      csv: { type: "string" },
      concurrency: { type: "string" },
      patience: { type: "string" },
      restart: { type: "boolean" },
      strict: { type: "boolean" },
      json: { type: "boolean", default: false },
    });
    const campaignId = checkCampaignId(...requirePositionals(positionals, ["CAMPAIGN_ID"]));
    if (values.csv !== undefined) {
      if ([values.user, values.wallet, values.profit, values["profit-base"], values["dry-run"]].some(Boolean)) {
        throw new UsageError("--csv holds users, wallets and profits itself.");
      }
      if (values.csv === "-") throw new UsageError("--csv needs a file: the progress is noted beside it.");
      const patienceMs =
        readInteger(values.patience ?? PATIENCE_DEFAULT_SECONDS, "--patience", 1, PATIENCE_MAX_SECONDS) * 1_000;
      return submitFile({
        client: openClient(values, { retries: 0 }),
        campaignId,
        path: values.csv,
        concurrency: readInteger(values.concurrency ?? CONCURRENCY_DEFAULT, "--concurrency", 1, CONCURRENCY_MAX),
        patienceMs,
        restart: values.restart === true,
        strict: values.strict === true,
        json: values.json,
      });
    }
    refuseUseless(values, ["concurrency", "patience", "restart", "strict"], "needs --csv");

    const submission: SubmitRequest = {
      merchantUserId: requireOption(values.user, "user"),
      wallets: readWallets(values.wallet ?? []),
      amount: readProfit(values.profit, values["profit-base"]),
    };
    const client = openClient(values);
    if (values["dry-run"] === true) {
      const result = await client.participants.dryRun(campaignId, submission);
      if (values.json) return printJson(result);
      return printFields([
        ["match", formatAmount(result.amountMatched)],
        ["of it new", formatAmount(result.delta)],
        ["limited by", result.clampedBy ?? "nothing"],
        ["budget left", formatAmount(result.remainingBudget)],
      ]);
    }
    const { created, participant } = await client.participants.submit(campaignId, submission);
    if (values.json) return printJson(participant);
    printParticipant(participant);
    note(created ? "The participant is new." : "The participant existed; its profit is refreshed.");
  },
};

function readWallets(texts: readonly string[]): Wallet[] {
  if (texts.length === 0) throw new UsageError("The option --wallet is missing.");
  return texts.map((text) => requireWallet(text, parseWalletOnChain, "--wallet"));
}

function readProfit(decimal: string | undefined, base: string | undefined) {
  if ((decimal === undefined) === (base === undefined)) throw new UsageError("Give either --profit or --profit-base.");
  if (decimal !== undefined) return requireUsdc(decimal, "--profit");
  if (!/^(0|[1-9][0-9]{0,77})$/.test(base ?? "")) {
    throw new UsageError(`--profit-base must be a whole number of base units, such as 12340000; not ${base}.`);
  }
  return usdc(BigInt(base ?? "0"));
}
