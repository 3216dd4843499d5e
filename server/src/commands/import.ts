import { createHash, type Hash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Static } from "typebox";
import { type Actor, createAudit } from "../audit/audit.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { isUnavailable } from "../db/failures.ts";
import type { Database } from "../db/pool.ts";
import { ingest, readEvent } from "../deposits/ingest.ts";
import type { EventOutcome } from "../deposits/merge.ts";
import type { Deposit } from "../deposits/record.ts";
import { DepositEvent } from "../deposits/schemas.ts";
import { AppError, fail } from "../http/errors.ts";
import { parseJsonBody } from "../http/json-body.ts";
import { compileValidator } from "../http/validation.ts";
import { createKeyring } from "../keyring.ts";
import { DEPOSITS_PER_BATCH_MAX } from "../limits.ts";
import { program } from "../program.ts";
import { readMasterSecret } from "../secrets.ts";
import { commandActor } from "./actor.ts";
import { startProgress } from "./progress.ts";
import { type FileRecord, parseCsvRecord, readRecords } from "./records.ts";
import { chooseEnvironment, readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

const USAGE = `Write: ${program} deposits import FILE.ndjson|FILE.csv [--environment production|sandbox].`;

type ImportCounts = Record<EventOutcome | "refused", number>;

/** How far an import got. It is stored beside the file, so that the same command resumes there. */
interface Checkpoint {
  readonly environment: string;
  readonly bytes: number;
  readonly line: number;
  /** Of the part that is done. A file that has changed there cannot be resumed. */
  readonly sha256: string;
  readonly counts: ImportCounts;
}

interface Refusal {
  readonly line: number;
  readonly reason: string;
}

/**
 * Imports deposits from a file through the same rules as the API, a thousand at a time. Refused lines are reported, the
 * others are stored. The checkpoint is written after each commit. A run that is killed between the two repeats one batch,
 * which changes nothing.
 */
export async function depositsCommand(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, []);
  const [verb, file, ...others] = positionals;
  if (verb !== "import" || file === undefined || others.length > 0) throw new UsageError(USAGE);
  const kind = /\.csv$/i.test(file) ? "csv" : /\.(ndjson|jsonl)$/i.test(file) ? "ndjson" : null;
  if (kind === null) throw new UsageError(USAGE);
  const size = sizeOf(file);
  const environment = chooseEnvironment(config, values.environment);
  const keyring = createKeyring(readMasterSecret(config), environment.name);
  const columns = kind === "csv" ? await readColumns(file) : null;
  const start = await readCheckpoint(file, environment.name);
  const files = openImportFiles(file, environment.name, start?.checkpoint ?? null);
  const payersKey = keyring.first("payers");
  const audit = createAudit(keyring);
  const actor = commandActor();

  await withDatabase(config, environment, async (db) => {
    const progress = startProgress("Importing deposits", size);
    const hash = start?.hash ?? createHash("sha256");
    const noCounts = { created: 0, updated: 0, unchanged: 0, stale: 0, refused: 0 };
    const counts: ImportCounts = start?.checkpoint.counts ?? noCounts;
    let { bytes, line } = start?.checkpoint ?? { bytes: 0, line: 1 };
    if (start !== null) process.stderr.write(`Resuming at line ${line}, where the last import stopped.\n`);

    for await (const batch of batchesOf(readRecords(file, kind, { bytes, line }))) {
      const { accepted, refusals } = readBatch(payersKey, columns, batch);
      const results = await storeBatch(db, actor, accepted, refusals).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        throw new UsageError(
          `The database could not be reached at line ${line}. Run the same command again to resume there.`,
        );
      });
      for (const { outcome } of results) counts[outcome]++;
      counts.refused += refusals.length;
      for (const { raw } of batch) {
        hash.update(raw);
        bytes += raw.length;
        line += raw.filter((byte) => byte === 0x0a).length;
      }
      files.write({ environment: environment.name, bytes, line, sha256: hash.copy().digest("hex"), counts }, refusals);
      progress.show(bytes, describe(counts));
    }

    const sha256 = hash.digest("hex");
    await db.transaction((transaction) =>
      audit.record(transaction, {
        actor,
        action: "deposits.import",
        subject: sha256,
        merchantId: null,
        detail: { bytes, ...counts },
        date: systemClock(),
      }),
    );
    progress.finish(describe(counts));
    files.finish();
    if (counts.refused > 0) {
      process.stdout.write(`${counts.refused} lines were refused; ${files.refusedPath} lists the reasons.\n`);
      process.exitCode = 1;
    }
  });
}

async function* batchesOf(records: AsyncIterable<FileRecord>): AsyncGenerator<FileRecord[]> {
  let batch: FileRecord[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length === DEPOSITS_PER_BATCH_MAX) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

interface AcceptedLine {
  readonly line: number;
  readonly deposit: Deposit;
}

function readBatch(payersKey: Buffer, columns: readonly string[] | null, batch: readonly FileRecord[]) {
  const accepted: AcceptedLine[] = [];
  const refusals: Refusal[] = [];
  for (const record of batch) {
    const { line, bytes } = record;
    // The first line of a CSV file names its columns. Empty lines are skipped.
    if ((columns !== null && line === 1) || bytes?.length === 0) continue;
    try {
      if (bytes === null) fail("VALIDATION_ERROR", "The line is longer than 64 KB; perhaps a quote is never closed.");
      const event = columns === null ? parseJsonBody(bytes) : parseCsvEvent(columns, bytes);
      accepted.push({ line, deposit: readEvent(payersKey, checkEvent(event)) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusals.push({ line, reason: error.message.replace(/^The body/, "The line") });
    }
  }
  return { accepted, refusals };
}

const validate = compileValidator({ schema: DepositEvent, method: "POST", url: "", httpPart: "body" });

function checkEvent(event: unknown): Static<typeof DepositEvent> {
  const checked = validate(event) as { value?: unknown; error?: Error };
  if (checked.error !== undefined) throw checked.error;
  return checked.value as Static<typeof DepositEvent>;
}

/** Stores the lines that are not refused, and adds the others to the refusals. */
async function storeBatch(db: Database, actor: Actor, lines: readonly AcceptedLine[], refusals: Refusal[]) {
  const deposits = lines.map(({ deposit }) => deposit);
  const results = await ingest(db, deposits, { actor, date: systemClock(), partial: true });
  return results.flatMap((result, index) => {
    if (result.outcome !== "refused") return [result];
    refusals.push({ line: lines[index]?.line ?? 0, reason: result.error.message });
    return [];
  });
}

// A CSV column has the path of the field in JSON: `amount.value`.
const COLUMNS = [
  "id",
  "merchantId",
  "payerId",
  "state",
  "amount.value",
  "amount.currency",
  "chainId",
  "token.symbol",
  "token.address",
  "embeddedWalletAddress",
  "createDate",
  "updateDate",
] as const;

const BYTE_ORDER_MARK = /^\uFEFF/;

async function readColumns(file: string): Promise<string[]> {
  for await (const { bytes } of readRecords(file, "csv", { bytes: 0, line: 1 })) {
    const columns = parseCsvRecord((bytes ?? Buffer.alloc(0)).toString("utf8").replace(BYTE_ORDER_MARK, "")) ?? [];
    const missing = COLUMNS.filter((name) => !columns.includes(name));
    const isExact = missing.length === 0 && columns.length === COLUMNS.length;
    if (!isExact) throw new UsageError(`The first line of a CSV file must name the columns ${COLUMNS.join(",")}.`);
    return columns;
  }
  throw new UsageError(`${file} is empty.`);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseCsvEvent(columns: readonly string[], bytes: Buffer): unknown {
  let fields: string[] | null;
  try {
    fields = parseCsvRecord(utf8.decode(bytes));
  } catch {
    fail("VALIDATION_ERROR", "The line is not valid UTF-8.");
  }
  if (fields === null) fail("VALIDATION_ERROR", "The line's quotes do not match.");
  if (fields.length !== columns.length) {
    fail("VALIDATION_ERROR", `The line has ${fields.length} fields instead of ${columns.length}.`);
  }
  const value = (name: (typeof COLUMNS)[number]) => fields[columns.indexOf(name)] ?? "";
  const event = {
    id: value("id"),
    merchantId: value("merchantId"),
    payerId: value("payerId"),
    state: value("state"),
    amount: { value: value("amount.value"), currency: value("amount.currency") },
    chainId: /^[1-9][0-9]{0,15}$/.test(value("chainId")) ? Number(value("chainId")) : value("chainId"),
    token: { symbol: value("token.symbol"), address: value("token.address") },
    embeddedWalletAddress: value("embeddedWalletAddress"),
    createDate: value("createDate"),
    updateDate: value("updateDate"),
  };
  // Applies the checks of text in JSON to text in CSV.
  return parseJsonBody(Buffer.from(JSON.stringify(event)));
}

async function readCheckpoint(
  file: string,
  environment: string,
): Promise<{ checkpoint: Checkpoint; hash: Hash } | null> {
  const path = `${file}.progress`;
  if (!existsSync(path)) return null;
  const restart = `Delete ${path} to start again. Deposits that are already stored stay and are not counted twice.`;
  let checkpoint: Checkpoint;
  try {
    checkpoint = JSON.parse(readFileSync(path, "utf8")) as Checkpoint;
  } catch {
    throw new UsageError(`${path} cannot be read. ${restart}`);
  }
  if (checkpoint.environment !== environment) {
    throw new UsageError(`${path} belongs to an import into ${checkpoint.environment}. ${restart}`);
  }
  const hash = createHash("sha256");
  if (checkpoint.bytes > 0) {
    for await (const chunk of createReadStream(file, { end: checkpoint.bytes - 1 })) hash.update(chunk as Buffer);
  }
  if (hash.copy().digest("hex") !== checkpoint.sha256) {
    throw new UsageError(`The part of ${file} that was imported has changed since. ${restart}`);
  }
  return { checkpoint, hash };
}

/** The checkpoint and the list of refused lines. The list has their numbers and reasons, but nothing of their content. */
function openImportFiles(file: string, environment: string, resumed: Checkpoint | null) {
  const progressPath = `${file}.progress`;
  const refusedPath = `${file}.${environment}.refused.ndjson`;
  const replace = (path: string, text: string) => {
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  // A run that was killed may have listed lines of the batch that is repeated now.
  const listed = resumed !== null && existsSync(refusedPath) ? readFileSync(refusedPath, "utf8").split("\n") : [];
  const kept = listed.filter((text) => text !== "" && (JSON.parse(text) as Refusal).line < (resumed?.line ?? 1));
  replace(refusedPath, kept.map((text) => `${text}\n`).join(""));
  return {
    refusedPath,
    write(checkpoint: Checkpoint, refusals: readonly Refusal[]): void {
      const inOrder = [...refusals].sort((a, b) => a.line - b.line);
      const text = inOrder.map((refusal) => `${JSON.stringify(refusal)}\n`).join("");
      writeFileSync(refusedPath, text, { flag: "a", mode: 0o600 });
      replace(progressPath, `${JSON.stringify(checkpoint)}\n`);
    },
    finish(): void {
      rmSync(progressPath, { force: true });
      if (statSync(refusedPath).size === 0) rmSync(refusedPath);
    },
  };
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) throw new UsageError(`There is no file ${file}.`);
  return found.size;
}

function describe(counts: ImportCounts): string {
  const { created, updated, unchanged, stale, refused } = counts;
  return `${created} created, ${updated} updated, ${unchanged} unchanged, ${stale} stale, ${refused} refused`;
}
