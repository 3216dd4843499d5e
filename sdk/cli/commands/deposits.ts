import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { Deposit, DepositQuery, Matchbook } from "@matchbook/sdk";
import { openClient } from "../client.ts";
import {
  type Command,
  connectionOptions,
  Failure,
  readArguments,
  readChainId,
  readChoice,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { formatCsv } from "../csv.ts";
import { interruptible } from "../interrupt.ts";
import { LIST_HELP, listOptions, printList, readMaximum, take } from "../listing.ts";
import { commandLine, program } from "../program.ts";
import { startProgress } from "../progress.ts";
import { readTime, TIME_HELP } from "../times.ts";

const STATUSES = ["pending", "completed", "failed"] as const;
const EXPORT_PAGE_LIMIT = 100;

export const deposits: Command = {
  name: "deposits",
  summary: "list or export the deposits made to you",
  help: `${program} deposits [--user ID] [--status S] [--chain ID] [--after TIME] [--before TIME] [--csv FILE]

Lists deposits, newest first.

  --user ID     only this user's; ${program} users lists the ids
  --status S    only pending, completed or failed ones
  --chain ID    only those on one chain
  --after TIME  created at this time or later
  --before TIME created at this time or earlier
  --csv FILE    write every one, or --limit, into a new CSV file; - is standard output
${LIST_HELP}

${TIME_HELP}

Example:
  ${program} deposits --status completed --after 2026-01-01 --csv january.csv
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      ...listOptions,
      user: { type: "string" },
      status: { type: "string" },
      chain: { type: "string" },
      after: { type: "string" },
      before: { type: "string" },
      csv: { type: "string" },
    });
    requirePositionals(positionals, []);
    if (values.csv !== undefined && values.json === true) throw new UsageError("--csv and --json do not go together.");
    const filter: DepositQuery = {
      userId: values.user === undefined ? undefined : readUserId(values.user),
      status: values.status === undefined ? undefined : readChoice(values.status, "--status", STATUSES),
      chainId: values.chain === undefined ? undefined : readChainId(values.chain),
      createdAfter: values.after === undefined ? undefined : readTime(values.after, "--after"),
      createdBefore: values.before === undefined ? undefined : readTime(values.before, "--before"),
    };
    const { createdAfter, createdBefore } = filter;
    // Both are written in the same form, so the texts compare as the times do.
    if (createdAfter !== undefined && createdBefore !== undefined && createdAfter > createdBefore) {
      throw new UsageError("--after is later than --before, so nothing lies between them.");
    }
    const client = openClient(values);
    if (values.csv !== undefined) {
      return exportCsv(client, filter, values.csv, readMaximum({ ...values, all: true }));
    }
    return printList((limit) => client.deposits.list({ ...filter, limit }), values, {
      titles: ["CREATED", "STATUS", "USD", "CHAIN", "TOKEN", "WALLET", "USER", "ID"],
      row: (deposit) => [
        deposit.createDate,
        deposit.status,
        deposit.amount.value,
        deposit.chain.name,
        deposit.token.symbol,
        deposit.embeddedWalletAddress,
        deposit.userId,
        deposit.id,
      ],
    });
  },
};

const COLUMNS: readonly (readonly [title: string, value: (deposit: Deposit) => string | number])[] = [
  ["id", ({ id }) => id],
  ["userId", ({ userId }) => userId],
  ["status", ({ status }) => status],
  ["amount.value", ({ amount }) => amount.value],
  ["amount.currency", ({ amount }) => amount.currency],
  ["chain.chainId", ({ chain }) => chain.chainId],
  ["chain.name", ({ chain }) => chain.name],
  ["token.symbol", ({ token }) => token.symbol],
  ["token.address", ({ token }) => token.address],
  ["embeddedWalletAddress", ({ embeddedWalletAddress }) => embeddedWalletAddress],
  ["createDate", ({ createDate }) => createDate],
  ["updateDate", ({ updateDate }) => updateDate],
];

function readUserId(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new UsageError(
    `--user must be a user id as ${program} users lists them, not your own id of the user: ${text}.`,
  );
}

/** The file appears under its name only when it is complete. */
async function exportCsv(client: Matchbook, filter: DepositQuery, path: string, maximum: number): Promise<void> {
  const isFile = path !== "-";
  if (isFile && existsSync(path)) throw new Failure(`${path} exists already and is not overwritten.`);
  const partial = `${path}.part`;
  const progress = startProgress("Exporting deposits", null);
  let count = 0;
  async function* lines(signal: AbortSignal) {
    yield formatCsv(COLUMNS.map(([title]) => title));
    const list = client.deposits.list({ ...filter, limit: EXPORT_PAGE_LIMIT }, { signal });
    for await (const deposit of take(list, maximum)) {
      yield formatCsv(COLUMNS.map(([, value]) => value(deposit)));
      progress.show(++count, "");
    }
  }
  const describe = () =>
    `${isFile ? `${path} was not written.` : "The output is cut short."} To export again: ${commandLine()}`;
  try {
    await interruptible(
      (signal) =>
        isFile
          ? pipeline(lines(signal), createWriteStream(partial, { mode: 0o600 }), { signal })
          : pipeline(lines(signal), process.stdout, { signal, end: false }),
      describe,
    );
  } catch (error) {
    if (isFile) rmSync(partial, { force: true });
    throw error;
  }
  if (isFile) renameSync(partial, path);
  progress.finish(`${count} in ${isFile ? path : "standard output"}.`);
}
