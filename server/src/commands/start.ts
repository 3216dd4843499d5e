import { join } from "node:path";
import { type ChosenAccount, chooseAccount } from "../account.ts";
import type { EnvironmentSettings } from "../app.ts";
import { createAudit } from "../audit/audit.ts";
import { systemClock } from "../clock.ts";
import { type Config, ConfigError, type EnvironmentConfig } from "../config.ts";
import { findSchemaProblem, migrate, SchemaError } from "../db/migrate.ts";
import { type ConnectionSettings, openDatabase } from "../db/pool.ts";
import { poolSizeFor } from "../db/pool-size.ts";
import { grantRuntimeRights } from "../db/runtime-role.ts";
import { VERSION } from "../documents.ts";
import { createKeyring } from "../keyring.ts";
import { createLog } from "../log.ts";
import type { Addresses } from "../processes/ports.ts";
import { startWorkers } from "../processes/supervisor.ts";
import { OPERATOR_TOKEN_FILE, readSecrets, type Secrets } from "../secrets.ts";
import { openDatabases } from "./databases.ts";

/** Serves until a signal stops it. */
export async function start(config: Config): Promise<void> {
  // Listened to from the start: a signal while starting stops the program in order, too.
  const stopRequest = waitForStopSignal();
  // The service goes on when the reader of its output is gone.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const log = createLog(config.logLevel);
  const account = chooseAccount(config.user);
  const secrets = readSecrets(config);
  const databases = await openDatabases(config, log);
  try {
    const settings: EnvironmentSettings[] = [];
    const withoutBootstrap: EnvironmentConfig[] = [];
    for (const environment of config.environments) {
      const connection = databases.connection(environment);
      await prepareSchema(connection, config.migrate, `${environment.name} database`);
      if (environment.databaseUrl === null) await grantRuntimeRights(connection);
      const poolSize = await poolSizeFor(connection, countProcesses(config));
      if (await prepareOperators(connection, secrets, environment)) withoutBootstrap.push(environment);
      settings.push({ config, environment, secrets, connection: databases.runtimeConnection(environment), poolSize });
    }
    const supervisor = await startWorkers(config, settings, account, log);
    process.stdout.write(summary(config, supervisor.addresses, account, withoutBootstrap));
    await stopRequest;
    process.stdout.write("Stopping: finishing the requests in progress.\n");
    await supervisor.stop();
  } finally {
    await databases.stop();
  }
}

async function prepareSchema(connection: ConnectionSettings, mayChange: boolean, name: string): Promise<void> {
  try {
    if (mayChange) {
      await migrate(connection);
      return;
    }
    const db = openDatabase(connection, 1);
    const problem = await findSchemaProblem(db).finally(() => db.end());
    if (problem !== null) throw new SchemaError(`${problem.replace(/\.$/, "")}, or set MATCHBOOK_MIGRATE=on.`);
  } catch (error) {
    if (error instanceof SchemaError) throw error;
    throw new ConfigError(
      `The ${name} cannot be used: ${(error as Error).message || (error as { code?: string }).code}.`,
    );
  }
}

/** Puts the audit log under the newest version of the secret. Answers whether the bootstrap token is switched off. */
async function prepareOperators(
  connection: ConnectionSettings,
  { secret }: Secrets,
  environment: EnvironmentConfig,
): Promise<boolean> {
  const audit = createAudit(createKeyring(secret, environment.name));
  const db = openDatabase(connection, 1);
  try {
    await db.transaction((transaction) => audit.seal(transaction, systemClock()));
    return await audit.isBootstrapClosed(db);
  } finally {
    await db.end();
  }
}

function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.on("SIGTERM", () => resolve());
    process.on("SIGINT", () => resolve());
  });
}

function countProcesses({ environments }: Config): number {
  return environments.reduce((sum, { workers }) => sum + workers, 0);
}

// "3 processes: 2 production, 1 sandbox"
function countOf(config: Config): string {
  const count = countProcesses(config);
  const parts = config.environments.map(({ name, workers }) => `${workers} ${name}`);
  return `${count} ${count === 1 ? "process" : "processes"}: ${parts.join(", ")}`;
}

function summary(
  config: Config,
  addresses: readonly Addresses[],
  account: ChosenAccount,
  withoutBootstrap: readonly EnvironmentConfig[],
): string {
  const rows = addresses.flatMap(({ environment, publicUrl, operatorUrl }) => [
    [environment, publicUrl, "API; reference at /docs"],
    ["", operatorUrl, "operators: console at /console, reference at /docs"],
  ]);
  const embedded = config.environments.some(({ databaseUrl }) => databaseUrl === null);
  return [
    "",
    `Matchbook ${VERSION} is ready (${countOf(config)}).`,
    "",
    ...rows.map(([name = "", url = "", use]) => `  ${name.padEnd(12)}${url.padEnd(26)}${use}`),
    "",
    `  data folder     ${config.dataDir}${embedded ? " (embedded PostgreSQL)" : ""}`,
    `  operator token  ${describeOperatorToken(config, withoutBootstrap)}`,
    ...(account.name === "" ? [] : [`  user            ${account.name}`]),
    "  docs            README.md, docs/operating.md",
    ...(account.warning === null ? [] : ["", `  Warning: ${account.warning}`]),
    "",
    "",
  ].join("\n");
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
