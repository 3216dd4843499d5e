import pg from "pg";
import { CLOCK_DIFFERENCE_MAX_MS, CONNECT_TIMEOUT_MS, POSTGRES_VERSION_MIN } from "../limits.ts";
import type { ConnectionSettings } from "./pool.ts";

/** What a start must know of a database server. */
export interface ServerFacts {
  /** 150004 is 15.4. */
  readonly version: number;
  readonly encoding: string;
  readonly isStandby: boolean;
  /** Whether the role may create tables where ours are. */
  readonly mayCreate: boolean;
  readonly fsync: boolean;
  /** The server's clock minus ours. */
  readonly clockDifferenceMs: number;
  /** Connections that are not reserved for superusers. */
  readonly connections: number;
}

export async function readServerFacts(connection: ConnectionSettings): Promise<ServerFacts> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => {});
  await client.connect();
  try {
    const beganMs = Date.now();
    const { rows } = await client.query<Omit<ServerFacts, "clockDifferenceMs"> & { now: Date }>(`
      select current_setting('server_version_num')::integer as version,
             current_setting('server_encoding') as encoding,
             pg_is_in_recovery() as "isStandby",
             coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
             current_setting('fsync')::boolean as fsync,
             clock_timestamp() as now,
             current_setting('max_connections')::integer
               - current_setting('superuser_reserved_connections')::integer as connections`);
    const [row] = rows;
    if (row === undefined) throw new Error("The server answered without a row.");
    const { now, ...facts } = row;
    return { ...facts, clockDifferenceMs: now.getTime() - (beganMs + Date.now()) / 2 };
  } finally {
    await client.end();
  }
}

/** Why this server cannot be used: one line that says what to do. Null when it can. */
export function findServerProblem(facts: ServerFacts, mayMigrate: boolean): string | null {
  if (facts.version < POSTGRES_VERSION_MIN * 10_000) {
    return `is PostgreSQL ${shortVersion(facts.version)}; use version ${POSTGRES_VERSION_MIN} or newer`;
  }
  if (facts.encoding !== "UTF8") return `has the encoding ${facts.encoding}; create it with encoding 'UTF8'`;
  if (facts.isStandby) return "is a standby, which cannot be written to; name the primary";
  if (mayMigrate && !facts.mayCreate) {
    return "does not let this role create tables; grant it create on the schema, or set MATCHBOOK_MIGRATE=off";
  }
  return null;
}

/** What a person should know, though the server can be used. */
export function listServerWarnings({ fsync, clockDifferenceMs }: ServerFacts): string[] {
  const seconds = Math.round(Math.abs(clockDifferenceMs) / 1_000);
  return [
    ...(fsync ? [] : ["has fsync off: a crash of its machine can lose what was acknowledged"]),
    ...(Math.abs(clockDifferenceMs) <= CLOCK_DIFFERENCE_MAX_MS
      ? []
      : [`has a clock that is ${seconds} s ${clockDifferenceMs > 0 ? "ahead of" : "behind"} this host's: check both`]),
  ];
}

function shortVersion(version: number): string {
  return `${Math.floor(version / 10_000)}.${version % 10_000}`;
}
