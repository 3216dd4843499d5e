import pg from "pg";
import { POOL_SIZE_MAX } from "../limits.ts";
import type { ConnectionSettings } from "./pool.ts";

/**
 * How many connections each process may open to its database, so that all processes of all environments together stay
 * below half of what the server allows. The other half is for a second host, a migration or a person.
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
