import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { DatabaseFailure } from "./failures.ts";
import { LOCK_KEYS } from "./locks.ts";
import type { ConnectionSettings, Queryable } from "./pool.ts";

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The schema and the program do not fit. The message is one line that says what to do. */
export class SchemaError extends Error {}

const FOLDER = fileURLToPath(new URL("../../migrations/", import.meta.url));

/** Applies missing migrations in order, each in its own transaction. Returns their names. */
export async function migrate(connection: ConnectionSettings): Promise<string[]> {
  const client = new pg.Client({ ...connection, application_name: "matchbook-migrate" });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [LOCK_KEYS.migration]);
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_date timestamptz(3) not null)`);
    const migrations = readMigrations();
    const applied = await readApplied({ query: async (text) => (await client.query(text)).rows });
    const missing = compare(migrations, applied);
    for (const migration of missing) await apply(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    // Closing the session frees the lock.
    await client.end();
  }
}

/** Null when the schema is the one this program was built for, otherwise one line that says what is wrong. */
export async function findSchemaProblem(db: Queryable): Promise<string | null> {
  try {
    const missing = compare(readMigrations(), await readApplied(db));
    return missing.length === 0 ? null : `The schema lacks ${missing[0]?.name}; run npx @matchbook/server migrate.`;
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    if (error instanceof DatabaseFailure && error.sqlState === "42P01")
      return "The schema is empty; run npx @matchbook/server migrate.";
    throw error;
  }
}

let migrationsRead: readonly Migration[] | undefined;

export function readMigrations(): readonly Migration[] {
  migrationsRead ??= readdirSync(FOLDER)
    .filter((file) => /^[0-9]{4}_[a-z0-9_]+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const sql = readFileSync(FOLDER + file, "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { version: Number(file.slice(0, 4)), name: file.slice(0, -4), sql, checksum };
    });
  return migrationsRead;
}

type Applied = Omit<Migration, "sql">;

async function readApplied(db: Pick<Queryable, "query">): Promise<Applied[]> {
  return db.query<Applied>("select version, name, checksum from schema_migrations order by version");
}

function compare(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const newest = migrations.at(-1)?.version ?? 0;
  for (const { version, name, checksum } of applied) {
    if (version > newest) {
      throw new SchemaError(`The database has the newer schema ${name}; start a newer version of Matchbook.`);
    }
    if (migrations.find((migration) => migration.version === version)?.checksum !== checksum) {
      throw new SchemaError(`The migration ${name} was applied with another text; migrations are never edited.`);
    }
  }
  const done = new Set(applied.map(({ version }) => version));
  return migrations.filter(({ version }) => !done.has(version));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query(
      "insert into schema_migrations (version, name, checksum, applied_date) values ($1, $2, $3, $4)",
      [migration.version, migration.name, migration.checksum, new Date()],
    );
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw new SchemaError(`The migration ${migration.name} failed: ${(error as Error).message}.`);
  }
}
