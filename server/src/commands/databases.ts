import pg from "pg";
import type { Logger } from "pino";
import { chooseAccount } from "../account.ts";
import type { Config, EnvironmentConfig, EnvironmentName } from "../config.ts";
import { type EmbeddedPostgres, findRunningEmbeddedPostgres, startEmbeddedPostgres } from "../db/embedded.ts";
import type { ConnectionSettings } from "../db/pool.ts";
import { POOL_SIZE_MAX } from "../limits.ts";

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

/** The databases the configuration names; those it does not name are in an embedded server, which is started. */
export async function openDatabases(config: Config, log: Logger): Promise<OwnDatabases> {
  const databases = embeddedDatabases(config);
  const server =
    databases.length === 0
      ? null
      : await startEmbeddedPostgres({
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
        : server.runtimeConnection(databaseName(name)),
  };
}

/** The same for a command that may run beside the service: a server that is already running is used and left running. */
export async function joinDatabases(config: Config, log: Logger): Promise<Databases> {
  const running = embeddedDatabases(config).length === 0 ? null : await findRunningEmbeddedPostgres(config.dataDir);
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

/**
 * How many connections each process may open to its database, so that all processes of all environments together stay
 * below half of what the server allows; the other half is for a second host, a migration or a person.
 */
export async function poolSizeFor(connection: ConnectionSettings, processes: number): Promise<number> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ free: number }>(
      `select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as free`,
    );
    const share = Math.floor((rows[0]?.free ?? 0) / 2 / processes);
    return Math.max(1, Math.min(POOL_SIZE_MAX, share));
  } finally {
    await client.end();
  }
}
