// For scripts on the host: the same rules as the operator API, and the same audit rows.
import { randomBytes } from "node:crypto";
import { formatUnits } from "../amounts.ts";
import { readPayouts } from "../campaigns/payouts/list.ts";
import { readOwed } from "../campaigns/payouts/owed-totals.ts";
import { LISTED_PROOF_STATUSES } from "../campaigns/payouts/proofs/record.ts";
import { PAYOUT_STATUSES } from "../campaigns/payouts/record.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createCursors } from "../http/pagination.ts";
import { PAGE_LIMIT_MAX } from "../limits.ts";
import { program } from "../program.ts";
import { payoutRuns } from "./payout-runs.ts";
import { formatTable } from "./table.ts";
import { chooseEnvironment, oneOf, readArguments, readId, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

const USAGE = `Write: ${program} payouts list|owed|run; ${program} help shows their options.`;
const LISTED_DEFAULT = 100;
const LISTED_MAX = 10_000;
const GROUPS = ["campaign", "merchant", "token"] as const;

export async function payouts(config: Config, [verb, ...rest]: string[]): Promise<void> {
  switch (verb) {
    case "list":
      return list(config, rest);
    case "owed":
      return owed(config, rest);
    case "run":
      return payoutRuns(config, rest);
    default:
      throw new UsageError(USAGE);
  }
}

async function list(config: Config, args: string[]): Promise<void> {
  const options = ["status", "merchant", "campaign", "run", "hash", "proof", "limit"];
  const { positionals, values } = readArguments(args, options, ["json"]);
  if (positionals.length > 0) throw new UsageError(USAGE);
  const { hash } = values;
  const status = oneOf(PAYOUT_STATUSES, values.status, "--status");
  const proof = oneOf(LISTED_PROOF_STATUSES, values.proof, "--proof");
  const [merchantId, campaignId, runId] = ["merchant", "campaign", "run"].map((name) =>
    readId(values[name], `--${name}`),
  );
  const query = {
    ...(status !== undefined && { status }),
    ...(merchantId !== undefined && { merchantId }),
    ...(campaignId !== undefined && { campaignId }),
    ...(runId !== undefined && { runId }),
    ...(hash !== undefined && { transactionHash: hash }),
    ...(proof !== undefined && { proof }),
  };
  const environment = chooseEnvironment(config, values.environment);
  const cursors = createCursors([{ key: randomBytes(32) }]);
  const items = await withDatabase(config, environment, (db) =>
    readAll(readLimit(values.limit), (page) => readPayouts({ db, cursors }, { ...query, ...page })),
  );
  if (values.json !== undefined) return printJson({ items });
  const rows = items.map(({ id, status, amount, recipientAddress, runId, transactionHash, createDate }) => [
    id,
    status,
    createDate,
    show(amount),
    recipientAddress,
    runId ?? "-",
    transactionHash ?? "-",
  ]);
  process.stdout.write(formatTable([["id", "status", "created", "amount", "to", "run", "transaction"], ...rows]));
}

async function owed(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, ["by", "merchant", "limit"], ["json"]);
  if (positionals.length > 0) throw new UsageError(USAGE);
  const groupBy = oneOf(GROUPS, values.by, "--by") ?? "campaign";
  const merchantId = readId(values.merchant, "--merchant");
  const query = { groupBy, ...(merchantId !== undefined && { merchantId }) };
  const environment = chooseEnvironment(config, values.environment);
  const cursors = createCursors([{ key: randomBytes(32) }]);
  const now = systemClock();
  const items = await withDatabase(config, environment, (db) =>
    readAll(readLimit(values.limit), (page) => readOwed({ db, cursors }, { ...query, ...page }, now)),
  );
  if (values.json !== undefined) return printJson({ items });
  const ages = items[0]?.ageing.map(({ fromDays, toDays }) =>
    toDays === null ? `${fromDays} days and more` : `${fromDays}-${toDays} days`,
  );
  const rows = items.map((item) => [
    item.merchantId ?? "all",
    item.campaignId ?? String(item.campaigns),
    String(item.chainId),
    item.tokenAddress,
    show(item.owed),
    ...item.ageing.map(({ amount }) => formatUnits(BigInt(amount.amount), amount.decimalPlaces)),
  ]);
  const heading = [
    "merchant",
    groupBy === "campaign" ? "campaign" : "campaigns",
    "chain",
    "token",
    "owed",
    ...(ages ?? []),
  ];
  process.stdout.write(formatTable([heading, ...rows]));
}

interface Page {
  readonly limit: number;
  readonly cursor?: string;
}

async function readAll<Item>(
  limit: number,
  read: (page: Page) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const count = Math.min(PAGE_LIMIT_MAX, limit - items.length);
    const page: { items: Item[]; nextCursor: string | null } = await read(
      cursor === null ? { limit: count } : { limit: count, cursor },
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < limit);
  return items;
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return LISTED_DEFAULT;
  const isAllowed = /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= LISTED_MAX;
  if (!isAllowed) throw new UsageError(`--limit must be a whole number from 1 to ${LISTED_MAX}.`);
  return Number(text);
}

const show = ({ amount, currency, decimalPlaces }: { amount: string; currency: string; decimalPlaces: number }) =>
  `${formatUnits(BigInt(amount), decimalPlaces)} ${currency}`;

function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
