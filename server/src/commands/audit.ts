import { readFileSync, writeFileSync } from "node:fs";
import { createAudit } from "../audit/audit.ts";
import { createJournalChain } from "../campaigns/journal/chain.ts";
import { systemClock } from "../clock.ts";
import type { Config, EnvironmentConfig } from "../config.ts";
import type { Database } from "../db/pool.ts";
import { createKeyring } from "../keyring.ts";
import { type Checkpoints, compareCheckpoints, exportCheckpoints, readCheckpoints } from "../oversight/checkpoints.ts";
import { verifyJournalChains } from "../oversight/invariants.ts";
import { program } from "../program.ts";
import { readMasterSecret } from "../secrets.ts";
import { chooseEnvironment, readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

const USAGE = `Write: ${program} audit verify [--checkpoints FILE], or ${program} audit export [--output FILE].`;

export async function audit(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, ["checkpoints", "output"]);
  const [verb, ...more] = positionals;
  if (more.length > 0) throw new UsageError(USAGE);
  const environment = chooseEnvironment(config, values.environment);
  const keyring = createKeyring(readMasterSecret(config), environment.name);
  const chains = { audit: createAudit(keyring), chain: createJournalChain(keyring) };
  if (verb === "export" && values.checkpoints === undefined) {
    const lines = await withDatabase(config, environment, (db) =>
      exportCheckpoints({ db, ...chains }, systemClock, environment.name),
    );
    const text = `${lines.join("\n")}\n`;
    if (values.output === undefined) process.stdout.write(text);
    else writeNew(values.output, text);
  } else if (verb === "verify" && values.output === undefined) {
    const checkpoints = values.checkpoints === undefined ? null : readFile(values.checkpoints, environment);
    await withDatabase(config, environment, (db) => verify({ db, ...chains }, environment, checkpoints));
  } else {
    throw new UsageError(USAGE);
  }
}

/** What was kept before is never overwritten. */
function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    throw new UsageError(
      isThere ? `${path} exists already; choose another name.` : `--output: ${(error as Error).message}.`,
    );
  }
}

function readFile(path: string, { name }: EnvironmentConfig): Checkpoints {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--checkpoints cannot be read: ${(error as Error).message}.`);
  }
  const checkpoints = readCheckpoints(text);
  if (checkpoints === null) throw new UsageError(`--checkpoints must be a file of ${program} audit export.`);
  if (checkpoints.environment !== name) {
    throw new UsageError(`The checkpoints are of ${checkpoints.environment}, not of ${name}.`);
  }
  return checkpoints;
}

type Chains = Parameters<typeof compareCheckpoints>[0] & { readonly db: Database };

async function verify(chains: Chains, { name }: EnvironmentConfig, checkpoints: Checkpoints | null): Promise<void> {
  const print = (isGood: boolean, text: string) => {
    process.stdout.write(`${name}: ${isGood ? "" : "BROKEN. "}${text}\n`);
    if (!isGood) process.exitCode = 1;
  };
  const log = await chains.audit.verify(chains.db);
  if (log.ok) print(true, `the chain of ${log.rows} rows is whole. It ends in ${log.head || "nothing"}.`);
  else print(false, `${log.problem}`);
  const journals = await verifyJournalChains(chains.db, chains.chain);
  if (journals.wrong === 0) print(true, `the journals' chains of ${journals.checked} rows are whole.`);
  else print(false, `${journals.wrong} rows of the journals are wrong, for example campaign ${journals.example}.`);
  if (checkpoints === null) return;
  const problems = await compareCheckpoints(chains, checkpoints);
  for (const problem of problems) print(false, problem);
  if (problems.length === 0) {
    print(
      true,
      `everything is as the checkpoints of ${checkpoints.date} say: the log and ${checkpoints.journals.length} journals.`,
    );
  }
}
