import type { EnvironmentSettings } from "../app.ts";
import { createAudit } from "../audit/audit.ts";
import { systemClock } from "../clock.ts";
import { type Config, ConfigError, type EnvironmentConfig } from "../config.ts";
import { DatabaseFailure } from "../db/failures.ts";
import { findSchemaProblem, migrate, SchemaError } from "../db/migrate.ts";
import { type ConnectionSettings, openDatabase } from "../db/pool.ts";
import { poolSizeFor } from "../db/pool-size.ts";
import { grantRuntimeRights } from "../db/runtime-role.ts";
import { findServerProblem, listServerWarnings, readServerFacts } from "../db/server-check.ts";
import { createKeyring } from "../keyring.ts";
import type { Secrets } from "../secrets.ts";
import type { OwnDatabases } from "./databases.ts";
import { StartStopped, type Steps } from "./steps.ts";

export interface Prepared {
  readonly settings: readonly EnvironmentSettings[];
  /** The environments whose bootstrap token is closed. */
  readonly withoutBootstrap: readonly EnvironmentConfig[];
  /** What a person should know of the databases. */
  readonly warnings: readonly string[];
}

/** Brings every database up to date, so that processes can serve it. */
export async function prepareEnvironments(
  config: Config,
  secrets: Secrets,
  databases: OwnDatabases,
  steps: Steps,
): Promise<Prepared> {
  const settings: EnvironmentSettings[] = [];
  const withoutBootstrap: EnvironmentConfig[] = [];
  const warnings: string[] = [];
  const processes = countProcesses(config);
  for (const environment of config.environments) {
    const connection = databases.connection(environment);
    const name = `${environment.name} database`;
    const facts = await reach(name, () => readServerFacts(connection));
    const problem = findServerProblem(facts, config.migrate);
    if (problem !== null) throw new ConfigError(`The ${name} ${problem}.`);
    warnings.push(...listServerWarnings(facts).map((warning) => `The ${name} ${warning}.`));
    await reach(name, () => prepareSchema(connection, config.migrate, name, steps));
    if (environment.databaseUrl === null) await grantRuntimeRights(connection);
    const poolSize = config.databasePoolSize ?? poolSizeFor(facts.connections, processes);
    if (poolSize * processes > facts.connections) {
      warnings.push(
        `The ${name} allows ${facts.connections} connections, fewer than DATABASE_POOL_SIZE × ${processes} processes.`,
      );
    }
    if (await prepareOperators(connection, secrets, environment)) withoutBootstrap.push(environment);
    settings.push({ config, environment, secrets, connection: databases.runtimeConnection(environment), poolSize });
  }
  return { settings, withoutBootstrap, warnings };
}

/** Says in one line which database cannot be used, and why. */
async function reach<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SchemaError || error instanceof StartStopped) throw error;
    const cause = error instanceof DatabaseFailure ? error.cause : error;
    const { message, code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(`The ${name} cannot be used: ${message || code}.`);
  }
}

export function countProcesses({ environments }: Config): number {
  return environments.reduce((sum, { workers }) => sum + workers, 0);
}

async function prepareSchema(
  connection: ConnectionSettings,
  mayChange: boolean,
  name: string,
  steps: Steps,
): Promise<void> {
  if (mayChange) {
    await migrate(connection, waitingFor(`Waiting: another program migrates the ${name} …`, steps));
    return;
  }
  const db = openDatabase(connection, 1);
  const problem = await findSchemaProblem(db).finally(() => db.end());
  if (problem !== null) throw new SchemaError(`${problem.replace(/\.$/, "")}, or set MATCHBOOK_MIGRATE=on.`);
}

/** Says once what the start waits for, and gives up when a signal comes. */
function waitingFor(text: string, steps: Steps): () => void {
  let isSaid = false;
  return () => {
    if (isSaid) steps.check();
    else steps.begin(text);
    isSaid = true;
  };
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
