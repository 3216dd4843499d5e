import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type ConnectionSettings, type Database, openDatabase } from "../../src/db/pool.ts";
import { TEMPLATE_DATABASE } from "./global-setup.ts";

export interface TestDatabase {
  readonly connection: Exclude<ConnectionSettings, { connectionString: string }>;
  /** The same as the role that serves requests, which can change nothing but rows. */
  readonly runtimeConnection: TestDatabase["connection"];
  readonly db: Database;
  drop(): Promise<void>;
}

/** A database of one's own with the current schema, or an empty one. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await administer(`create database ${name}${options.empty === true ? "" : ` template ${TEMPLATE_DATABASE}`}`);
  const connection = { ...inject("postgres"), database: name };
  const db = openDatabase(connection, 4);
  return {
    connection,
    runtimeConnection: { ...connection, ...inject("runtime") },
    db,
    async drop() {
      await db.end();
      await administer(`drop database ${name} with (force)`);
    },
  };
}

/** The same database as an address, as DATABASE_URL would have it. */
export function databaseUrl({ host, port, user, password, database }: TestDatabase["connection"]): string {
  return `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(inject("postgres"));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
