import pg from "pg";
import type { Connection } from "./postmaster.ts";

/** Creates the databases that are missing. */
export async function createDatabases(connection: Connection, names: readonly string[]): Promise<void> {
  await run(connection, async (client) => {
    const { rows } = await client.query<{ name: string }>("select datname as name from pg_database");
    for (const name of names.filter((wanted) => !rows.some((row) => row.name === wanted))) {
      await client.query(`create database ${client.escapeIdentifier(name)}`);
    }
  });
}

/** Creates the role where it is missing, and gives it this password. It may log in and has no rights of its own. */
export async function createRole(connection: Connection, name: string, password: string): Promise<void> {
  await run(connection, async (client) => {
    const { rowCount } = await client.query("select from pg_roles where rolname = $1", [name]);
    const verb = rowCount === 0 ? "create" : "alter";
    await client.query(
      `${verb} role ${client.escapeIdentifier(name)} with login nosuperuser nocreatedb nocreaterole noreplication
       nobypassrls password ${client.escapeLiteral(password)}`,
    );
  });
}

async function run(connection: Connection, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
