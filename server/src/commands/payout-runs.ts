import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import type { Static, TSchema } from "typebox";
import { formatUnits } from "../amounts.ts";
import { type Actor, createAudit } from "../audit/audit.ts";
import { createRun } from "../campaigns/payouts/runs/create.ts";
import {
  approveRun,
  cancelRun,
  exportRun,
  importResults,
  previewResults,
  readRun,
  type SubmitDependencies,
  submitRun,
} from "../campaigns/payouts/runs/moves.ts";
import { presentRun } from "../campaigns/payouts/runs/present.ts";
import type { ExportFormat, PayoutRun } from "../campaigns/payouts/runs/record.ts";
import {
  CancelRunRequest,
  CreateRunRequest,
  ResultsRequest,
  SubmitRunRequest,
} from "../campaigns/payouts/runs/schemas.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { AppError } from "../http/errors.ts";
import { compileValidator } from "../http/validation.ts";
import { createKeyring } from "../keyring.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../limits.ts";
import { program } from "../program.ts";
import { readMasterSecret } from "../secrets.ts";
import { commandActor } from "./actor.ts";
import { parseCsvRecord, readRecords } from "./records.ts";
import { chooseEnvironment, oneOf, readArguments, readId, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

const USAGE = `Write: ${program} payouts run create|show|approve|export|submit|results|cancel; ${program} help shows their options.`;
const FORMATS = ["csv", "safe-airdrop", "safe-builder", "json"] as const satisfies readonly ExportFormat[];
const OPTIONS = [
  "campaign",
  "merchant",
  "chain",
  "token",
  "participants",
  "note",
  "key",
  "reason",
  "format",
  "hash",
  "csv",
];
const FLAGS = ["json", "dry-run", "confirm-not-sent"];

type Values = { readonly [name: string]: string | undefined };

// What each verb takes beside --json and --environment. A mistyped option must not be ignored.
const TAKES: Readonly<Record<string, readonly string[]>> = {
  create: ["campaign", "merchant", "chain", "token", "participants", "note", "key"],
  show: [],
  approve: ["reason"],
  export: ["format"],
  submit: ["hash", "csv"],
  results: ["csv", "dry-run"],
  cancel: ["reason", "confirm-not-sent"],
};

export async function payoutRuns(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, OPTIONS, FLAGS);
  const [verb = "", id, ...more] = positionals;
  const takes = Object.hasOwn(TAKES, verb) ? TAKES[verb] : undefined;
  if (takes === undefined || more.length > 0 || (verb === "create") !== (id === undefined)) throw new UsageError(USAGE);
  const odd = Object.keys(values).find((name) => !["environment", "json", ...takes].includes(name));
  if (odd !== undefined) throw new UsageError(`payouts run ${verb} does not take --${odd}.`);
  const runId = readId(id, "The id of the run") ?? "";
  const environment = chooseEnvironment(config, values.environment);
  const actor = commandActor();
  const audit = createAudit(createKeyring(readMasterSecret(config), environment.name));
  const provenChains = new Set(environment.chains.map(({ chainId }) => chainId));
  // What a file holds is checked before the database is opened.
  const act = await prepare(verb, runId, values, actor);
  try {
    await withDatabase(config, environment, (db) => act({ db, clock: systemClock, audit, provenChains }));
  } catch (error) {
    if (error instanceof AppError) printDetails(error.details ?? []);
    throw error;
  }
}

type Act = (dependencies: SubmitDependencies) => Promise<void>;

async function prepare(verb: string, runId: string, values: Values, actor: Actor): Promise<Act> {
  const { reason } = values;
  const print = (run: PayoutRun) => printRun(run, values);
  switch (verb) {
    case "create": {
      const key = readKey(values);
      const request = readCreation(values);
      return async (dependencies) => print((await createRun(dependencies, request, key, actor)).run);
    }
    case "show":
      return async ({ db }) => print(await readRun(db, runId));
    case "approve":
      return async (dependencies) => print(await approveRun(dependencies, runId, actor, reason));
    case "export": {
      const format = oneOf(FORMATS, values.format, "--format") ?? "csv";
      return async (dependencies) => {
        process.stdout.write((await exportRun(dependencies, runId, format, actor)).text);
      };
    }
    case "submit": {
      const request = check(SubmitRunRequest, await readSubmitted(values));
      return async (dependencies) => print(await submitRun(dependencies, runId, request, actor));
    }
    case "results": {
      const request = check(ResultsRequest, { results: await readLines(values.csv, RESULT_COLUMNS) });
      if (values["dry-run"] === undefined) {
        return async (dependencies) => print(await importResults(dependencies, runId, request, actor));
      }
      return async ({ db }) => printPreview(await previewResults(db, runId, request), values);
    }
    default: {
      const isNotSent = values["confirm-not-sent"] !== undefined;
      const request = check(CancelRunRequest, { confirmNotSent: isNotSent, ...(reason !== undefined && { reason }) });
      return async (dependencies) => print(await cancelRun(dependencies, runId, request, actor));
    }
  }
}

function readKey({ key }: Values): string {
  if (key !== undefined && new RegExp(`^[!-~]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`).test(key)) return key;
  throw new UsageError("--key is required: a text of your own for this run. The same key again answers the same run.");
}

function readCreation({ campaign, merchant, chain, token, participants, note }: Values) {
  return check(CreateRunRequest, {
    ...(campaign !== undefined && { campaignId: campaign }),
    ...(merchant !== undefined && { merchantId: merchant }),
    ...(chain !== undefined && { chainId: Number(chain) }),
    ...(token !== undefined && { tokenAddress: token }),
    ...(participants !== undefined && { participantIds: readIds(participants) }),
    ...(note !== undefined && { note }),
  });
}

/** One id a line. */
function readIds(file: string): string[] {
  return readText(file)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

async function readSubmitted({ hash, csv }: Values): Promise<unknown> {
  if ((hash === undefined) === (csv === undefined))
    throw new UsageError("submit takes either --hash HASH or --csv FILE.");
  if (hash !== undefined) return { transactionHashes: [hash] };
  return { payouts: await readLines(csv, SUBMITTED_COLUMNS) };
}

const SUBMITTED_COLUMNS = { payout_id: "payoutId", transaction_hash: "transactionHash" };
const RESULT_COLUMNS = { ...SUBMITTED_COLUMNS, status: "status", reason: "reason" };

/** The lines of a CSV file whose first line names its columns. Columns with other names are left out, and so are empty cells. */
async function readLines(file: string | undefined, fields: Readonly<Record<string, string>>) {
  const names = Object.keys(fields).join(",");
  if (file === undefined) throw new UsageError(`--csv FILE is required, with the columns ${names}.`);
  readText(file);
  const lines: Record<string, string>[] = [];
  let columns: string[] | null = null;
  for await (const { bytes, line } of readRecords(file, "csv", { bytes: 0, line: 1 })) {
    if (bytes === null)
      throw new UsageError(`Line ${line} of ${file}: the record is too long; a quote may be missing.`);
    if (!isUtf8(bytes)) throw new UsageError(`Line ${line} of ${file}: the text is not UTF-8.`);
    const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
    if (text === "") continue;
    const cells = parseCsvRecord(text);
    if (cells === null) throw new UsageError(`Line ${line} of ${file}: the quotes do not match.`);
    if (columns === null) {
      columns = cells;
      if (!cells.includes("payout_id"))
        throw new UsageError(`The first line of ${file} must name its columns: ${names}.`);
      continue;
    }
    const named = columns.map((column, index) => [fields[column], cells[index] ?? ""] as const);
    lines.push(Object.fromEntries(named.filter(([field, cell]) => field !== undefined && cell !== "")));
  }
  return lines;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** By the same schema as the request of the API. */
function check<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  const checked = compileValidator({ schema, method: "POST", url: "", httpPart: "body" })(value) as {
    value?: unknown;
    error?: Error;
  };
  if (checked.error !== undefined) throw checked.error;
  return checked.value as Static<Schema>;
}

function printRun(run: PayoutRun, { json }: Values): void {
  if (json !== undefined) {
    process.stdout.write(`${JSON.stringify(presentRun(run), null, 2)}\n`);
    return;
  }
  const { counts, leftOutCount } = presentRun(run);
  const reserved = `${formatUnits(run.reserved, run.decimalPlaces)} ${run.currency}`;
  process.stdout.write(
    `${run.id}  ${run.status}  ${reserved} in ${counts.payouts} payouts: ${counts.pending} pending, ${counts.submitted} submitted, ` +
      `${counts.confirmed} confirmed, ${counts.failed} failed; ${leftOutCount} left out\n`,
  );
}

function printPreview(preview: Awaited<ReturnType<typeof previewResults>>, { json }: Values): void {
  if (json !== undefined) process.stdout.write(`${JSON.stringify(preview, null, 2)}\n`);
  else {
    process.stdout.write(
      `Nothing was changed: ${preview.confirmed} would be confirmed, ${preview.failed} would fail.\n`,
    );
    printDetails(preview.errors);
  }
  if (preview.errors.length > 0) process.exitCode = 1;
}

/** What is wrong with each line. The first line of a file that is not its heading is number 1. */
function printDetails(details: readonly object[]): void {
  for (const detail of details) {
    const { index, payoutId, message } = detail as { index?: number; payoutId?: string; message?: string };
    process.stderr.write(`line ${(index ?? 0) + 1}: ${payoutId ?? ""} ${message ?? ""}\n`);
  }
}
