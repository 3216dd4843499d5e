import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { MIGRATION_WAIT_MS } from "../limits.ts";
import { DatabaseFailure } from "./failures.ts";
import { LOCK_KEYS } from "./locks.ts";
import type { ConnectionSettings, Queryable } from "./pool.ts";

interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /**
   * Programs whose newest migration is this version or a later one go on working while the migration is applied and after it, as
   * its line `-- compatible-from: 0019` says. Null: they must be stopped first.
   */
  readonly compatibleFrom: number | null;
}

/** The schema and the program do not fit. The message is one line that says what to do. */
export class SchemaError extends Error {}

const UNDEFINED_TABLE = "42P01";
const UNDEFINED_COLUMN = "42703";
const FOLDER = fileURLToPath(new URL("../../migrations/", import.meta.url));

/**
 * Applies missing migrations in order, each in its own transaction. Returns their names. `onWait` is called again and again while
 * another program migrates; it may throw to give up.
 */
export async function migrate(connection: ConnectionSettings, onWait: () => void = () => {}): Promise<string[]> {
  const client = new pg.Client({ ...connection, application_name: "matchbook-migrate" });
  client.on("error", () => {});
  await client.connect();
  try {
    const applied: string[] = [];
    for (;;) {
      const outcome = await applyNext(client);
      if (outcome === "none") return applied;
      if (outcome === "locked") {
        onWait();
        await pause(MIGRATION_WAIT_MS);
      } else applied.push(outcome.name);
    }
  } finally {
    await client.end();
  }
}

/**
 * The lock lasts as long as the transaction: behind a connection pool a lock of the session would stay with a connection that others
 * use next.
 */
async function applyNext(client: pg.Client): Promise<Migration | "none" | "locked"> {
  await client.query("begin");
  try {
    const { rows } = await client.query("select pg_try_advisory_xact_lock($1) as taken", [LOCK_KEYS.migration]);
    const outcome = rows[0]?.taken === true ? await applyFirstMissing(client) : "locked";
    await client.query("commit");
    return outcome;
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

async function applyFirstMissing(client: pg.Client): Promise<Migration | "none"> {
  await prepareTable(client);
  const applied = await readApplied({ query: async (text) => (await client.query(text)).rows });
  const [migration] = compare(readMigrations(), applied);
  if (migration === undefined) return "none";
  const { version, name, sql, checksum, compatibleFrom } = migration;
  await client.query(sql).catch((error: Error) => {
    throw new SchemaError(`The migration ${name} failed: ${error.message}.`);
  });
  await client.query(
    `insert into schema_migrations (version, name, checksum, compatible_from, applied_date) values ($1, $2, $3, $4, $5)`,
    [version, name, checksum, compatibleFrom, new Date()],
  );
  return migration;
}

/** Databases of earlier programs have the table without its last column. A change of it waits for readers, so ask first. */
async function prepareTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ columns: string[] | null }>(
    `select array_agg(attname::text) as columns
     from pg_attribute
     where attrelid = to_regclass('schema_migrations') and attnum > 0`,
  );
  const columns = rows[0]?.columns ?? null;
  if (columns === null) {
    await client.query(`create table schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_date timestamptz(3) not null,
      compatible_from integer)`);
  } else if (!columns.includes("compatible_from")) {
    await client.query("alter table schema_migrations add column compatible_from integer");
  }
}

/** Null when this program can work with the schema, otherwise one line that says what is wrong. */
export async function findSchemaProblem(db: Queryable): Promise<string | null> {
  try {
    const missing = compare(readMigrations(), await readApplied(db));
    return missing.length === 0 ? null : `The schema lacks ${missing[0]?.name}; run npx @matchbook/server migrate.`;
  } catch (error) {
    if (error instanceof SchemaError) return error.message;
    if (error instanceof DatabaseFailure && error.sqlState === UNDEFINED_TABLE) {
      return "The schema is empty; run npx @matchbook/server migrate.";
    }
    if (error instanceof DatabaseFailure && error.sqlState === UNDEFINED_COLUMN) {
      return "The schema is older than this program; run npx @matchbook/server migrate.";
    }
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
      const compatible = /^-- compatible-from: ([0-9]{4})$/m.exec(sql)?.[1];
      const compatibleFrom = compatible === undefined ? null : Number(compatible);
      return { version: Number(file.slice(0, 4)), name: file.slice(0, -4), sql, checksum, compatibleFrom };
    });
  return migrationsRead;
}

type Applied = Omit<Migration, "sql">;

async function readApplied(db: Pick<Queryable, "query">): Promise<Applied[]> {
  return db.query<Applied>(
    `select version, name, checksum, compatible_from as "compatibleFrom" from schema_migrations order by version`,
  );
}

function compare(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const newest = migrations.at(-1)?.version ?? 0;
  for (const { version, name, checksum, compatibleFrom } of applied) {
    if (version > newest) {
      if (compatibleFrom !== null && compatibleFrom <= newest) continue;
      throw new SchemaError(`The database has the newer schema ${name}; start a newer version of Matchbook.`);
    }
    if (migrations.find((migration) => migration.version === version)?.checksum !== checksum) {
      throw new SchemaError(`The migration ${name} was applied with another text; migrations are never edited.`);
    }
  }
  const done = new Set(applied.map(({ version }) => version));
  return migrations.filter(({ version }) => !done.has(version));
}
