import { join } from "node:path";
import { type ChosenAccount, chooseAccount } from "../account.ts";
import type { EnvironmentSettings } from "../app.ts";
import type { Config, EnvironmentConfig } from "../config.ts";
import { VERSION } from "../documents.ts";
import { createLog, logTo } from "../log.ts";
import { type Addresses, checkPorts } from "../processes/ports.ts";
import { startWorkers } from "../processes/supervisor.ts";
import { OPERATOR_TOKEN_FILE, readOrCreateSecrets } from "../secrets.ts";
import { openDatabases } from "./databases.ts";
import { countProcesses, prepareEnvironments } from "./prepare.ts";
import { createSteps, elapsed, StartStopped, type Steps } from "./steps.ts";

/** Serves until a signal stops it. */
export async function start(config: Config): Promise<void> {
  // First of all: a signal during the start also stops the program in order.
  const steps = createSteps();
  // The service goes on when the reader of its output is gone.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  try {
    await serve(config, steps);
  } catch (error) {
    // Ctrl-C reaches PostgreSQL and the workers, too. What fails then is not a fault.
    if (!(error instanceof StartStopped || steps.isStopping)) throw error;
    process.stdout.write("Stopped before it was ready.\n");
  }
}

async function serve(config: Config, steps: Steps): Promise<void> {
  const log = createLog(config.logLevel, logTo(config.logFormat));
  const account = chooseAccount(config.user);
  await checkPorts(config);
  const secrets = readOrCreateSecrets(config);
  if (hasEmbedded(config)) steps.begin("Starting PostgreSQL …");
  const databases = await openDatabases(config, log);
  try {
    steps.begin(config.migrate ? "Applying migrations …" : "Checking the schema …");
    const { settings, withoutBootstrap, warnings } = await prepareEnvironments(config, secrets, databases, steps);
    steps.begin(`Starting ${countOf(config)} …`);
    const supervisor = await startWorkers(config, settings, account, log);
    try {
      steps.check();
      process.stdout.write(summary(config, settings, supervisor.addresses, account, withoutBootstrap, warnings));
      await steps.stopRequest;
      process.stdout.write("Stopping: finishing the requests in progress.\n");
    } finally {
      await supervisor.stop();
    }
  } finally {
    await databases.stop();
  }
}

// "3 processes: 2 production, 1 sandbox"
function countOf(config: Config): string {
  const count = countProcesses(config);
  const parts = config.environments.map(({ name, workers }) => `${workers} ${name}`);
  return `${count} ${count === 1 ? "process" : "processes"}: ${parts.join(", ")}`;
}

function hasEmbedded({ environments }: Config): boolean {
  return environments.some(({ databaseUrl }) => databaseUrl === null);
}

function summary(
  config: Config,
  settings: readonly EnvironmentSettings[],
  addresses: readonly Addresses[],
  account: ChosenAccount,
  withoutBootstrap: readonly EnvironmentConfig[],
  databaseWarnings: readonly string[],
): string {
  const warnings = [...(account.warning === null ? [] : [account.warning]), ...databaseWarnings];
  const rows = addresses.flatMap(({ environment, publicUrl, operatorUrl }) => [
    [environment, publicUrl, "API; reference at /docs"],
    ["", operatorUrl, "operators: console at /console, reference at /docs"],
  ]);
  return [
    "",
    `Matchbook ${VERSION} is ready in ${elapsed()} (${countOf(config)}).`,
    "",
    ...rows.map(([name = "", url = "", use]) => `  ${name.padEnd(12)}${url.padEnd(26)}${use}`),
    "",
    `  data folder     ${config.dataDir}${hasEmbedded(config) ? " (embedded PostgreSQL)" : ""}`,
    `  connections     ${settings.map(describePool).join(", ")}; DATABASE_POOL_SIZE changes it`,
    `  operator token  ${describeOperatorToken(config, withoutBootstrap)}`,
    ...(account.name === "" ? [] : [`  user            ${account.name}`]),
    "  docs            README.md, docs/operating.md",
    ...warnings.flatMap((warning) => ["", `  Warning: ${warning}`]),
    "",
    "",
  ].join("\n");
}

// "production 2 × 10"
function describePool({ environment: { name, workers }, poolSize }: EnvironmentSettings): string {
  return `${name} ${workers} × ${poolSize}`;
}

function describeOperatorToken(
  { environments, operatorToken, dataDir }: Config,
  without: readonly EnvironmentConfig[],
) {
  if (without.length === environments.length) return "switched off; sign in with a token of your own";
  const place = operatorToken === null ? join(dataDir, OPERATOR_TOKEN_FILE) : "as set in MATCHBOOK_OPERATOR_TOKEN";
  const off = without.map(({ name }) => name).join(", ");
  return off === "" ? place : `${place} (switched off in ${off})`;
}
