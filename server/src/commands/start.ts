import { join } from "node:path";
import { type ChosenAccount, chooseAccount } from "../account.ts";
import type { Config, EnvironmentConfig } from "../config.ts";
import { VERSION } from "../documents.ts";
import { createLog } from "../log.ts";
import type { Addresses } from "../processes/doors.ts";
import { startWorkers } from "../processes/supervisor.ts";
import { OPERATOR_TOKEN_FILE, readSecrets } from "../secrets.ts";
import { openDatabases } from "./databases.ts";
import { countProcesses, prepareEnvironments } from "./prepare.ts";

/** Serves until told to stop. */
export async function start(config: Config): Promise<void> {
  // Listened to from the start: a signal while starting stops the program in order, too.
  const stopRequest = toldToStop();
  // Whoever stopped reading what is printed does not stop the service.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const log = createLog(config.logLevel);
  const account = chooseAccount(config.user);
  const secrets = readSecrets(config);
  const databases = await openDatabases(config, log);
  try {
    const { settings, withoutBootstrap } = await prepareEnvironments(config, secrets, databases);
    const supervisor = await startWorkers(config, settings, account, log);
    process.stdout.write(summary(config, supervisor.addresses, account, withoutBootstrap));
    await stopRequest;
    process.stdout.write("Stopping: finishing what is under way.\n");
    await supervisor.stop();
  } finally {
    await databases.stop();
  }
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    process.on("SIGTERM", () => resolve());
    process.on("SIGINT", () => resolve());
  });
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
