import { type EmbeddedPostgres, hasEmbeddedPostgres } from "@matchbook/embedded-postgres";
import type { Logger } from "pino";
import { chooseAccount } from "../account.ts";
import { type Config, ConfigError, type EnvironmentConfig, type EnvironmentName } from "../config.ts";
import { findRunningEmbedded, startEmbedded } from "../db/embedded.ts";
import type { ConnectionSettings } from "../db/pool.ts";
import { RUNTIME_ROLE } from "../db/runtime-role.ts";
import { program } from "../program.ts";

const EMBEDDED_CONNECTIONS_MAX = 100;

export interface Databases {
  /** For migrations and commands. */
  connection(environment: EnvironmentConfig): ConnectionSettings;
  stop(): Promise<void>;
}

export interface OwnDatabases extends Databases {
  /** For the server processes. In the embedded server it is a role that can change nothing but rows. */
  runtimeConnection(environment: EnvironmentConfig): ConnectionSettings;
}

/** The databases of the configuration. Those it does not name are in an embedded server, which is started. */
export async function openDatabases(config: Config, log: Logger): Promise<OwnDatabases> {
  const databases = embeddedDatabases(config);
  const server =
    databases.length === 0
      ? null
      : await startEmbedded({
          dataDir: config.dataDir,
          databases,
          maxConnections: EMBEDDED_CONNECTIONS_MAX,
          log,
          account: chooseAccount(config.user),
        });
  return {
    ...databasesOf(server),
    runtimeConnection: ({ name, databaseUrl }) =>
      server === null || databaseUrl !== null
        ? connectionOf(server, name, databaseUrl)
        : server.connection(databaseName(name), RUNTIME_ROLE),
  };
}

/**
 * The same for a command that may run beside the service: a running server is used and left running. Only `migrate` creates
 * a database. Any other command would create an empty one beside the service's.
 */
export async function joinDatabases(config: Config, log: Logger, { mayCreate = false } = {}): Promise<Databases> {
  const isEmbedded = embeddedDatabases(config).length > 0;
  if (isEmbedded && !mayCreate && !(await hasEmbeddedPostgres(config.dataDir))) {
    throw new ConfigError(
      `There is no database in ${config.dataDir}: set MATCHBOOK_DATA_DIR or DATABASE_URL as the service has it. To create one, start the service or run ${program} migrate.`,
    );
  }
  const running = isEmbedded ? await findRunningEmbedded(config.dataDir) : null;
  return running === null ? openDatabases(config, log) : databasesOf({ ...running, stop: async () => {} });
}

type Server = Pick<EmbeddedPostgres, "connection" | "stop">;

function databasesOf(server: Server | null): Databases {
  return {
    connection: ({ name, databaseUrl }) => connectionOf(server, name, databaseUrl),
    stop: async () => server?.stop(),
  };
}

function connectionOf(server: Server | null, name: EnvironmentName, databaseUrl: string | null): ConnectionSettings {
  if (databaseUrl !== null) return { connectionString: databaseUrl };
  if (server === null) throw new Error(`No database is known for ${name}.`);
  return server.connection(databaseName(name));
}

function embeddedDatabases(config: Config): string[] {
  return config.environments.filter(({ databaseUrl }) => databaseUrl === null).map(({ name }) => databaseName(name));
}

function databaseName(name: EnvironmentName): string {
  return `matchbook_${name}`;
}
