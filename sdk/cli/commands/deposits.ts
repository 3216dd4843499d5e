import { once } from "node:events";
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
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
import { LIST_HELP, listOptions, printList, readMaximum, take } from "../listing.ts";
import { startProgress } from "../progress.ts";

const STATUSES = ["pending", "completed", "failed"] as const;
const EXPORT_PAGE_LIMIT = 100;

export const deposits: Command = {
  name: "deposits",
  summary: "list or export the deposits made to you",
  help: `matchbook deposits [--user ID] [--status S] [--chain ID] [--after TIME] [--before TIME] [--csv FILE]

Lists deposits, newest first.

  --user ID     only this user's; matchbook users lists the ids
  --status S    only pending, completed or failed ones
  --chain ID    only those on one chain
  --after T     created at this time or later, such as 2026-01-01 or 2026-01-01T12:00:00Z
  --before T    created at this time or earlier
  --csv FILE    write every one, or --limit, into a new CSV file
${LIST_HELP}

Example:
  matchbook deposits --status completed --after 2026-01-01 --csv january.csv
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
      userId: values.user,
      status: values.status === undefined ? undefined : readChoice(values.status, "--status", STATUSES),
      chainId: values.chain === undefined ? undefined : readChainId(values.chain),
      createdAfter: values.after,
      createdBefore: values.before,
    };
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

/** The file appears under its name only when it is complete. */
async function exportCsv(client: Matchbook, filter: DepositQuery, path: string, maximum: number): Promise<void> {
  if (existsSync(path)) throw new Failure(`${path} exists already and is not overwritten.`);
  const partial = `${path}.part`;
  const file = createWriteStream(partial, { mode: 0o600 });
  const progress = startProgress("Exporting deposits", null);
  let count = 0;
  try {
    file.write(formatCsv(COLUMNS.map(([title]) => title)));
    const list = client.deposits.list({ ...filter, limit: EXPORT_PAGE_LIMIT });
    for await (const deposit of take(list, maximum)) {
      if (!file.write(formatCsv(COLUMNS.map(([, value]) => value(deposit))))) await once(file, "drain");
      progress.show(++count, "");
    }
    file.end();
    await once(file, "close");
  } catch (error) {
    file.destroy();
    rmSync(partial, { force: true });
    throw error;
  }
  renameSync(partial, path);
  progress.finish(`${count} in ${path}.`);
}
