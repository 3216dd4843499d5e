import { type Config, ConfigError, type EnvironmentConfig } from "../config.ts";
import { isUnavailable } from "../db/failures.ts";
import { findSchemaProblem, SchemaError } from "../db/migrate.ts";
import { type Database, openDatabase } from "../db/pool.ts";
import { createLog } from "../log.ts";
import { joinDatabases } from "./databases.ts";

/** Runs a command on one environment's database, beside a running service or without one. */
export async function withDatabase<Result>(
  config: Config,
  environment: EnvironmentConfig,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const databases = await joinDatabases({ ...config, environments: [environment] }, createLog("silent"));
  try {
    const db = openDatabase(databases.connection(environment), 2);
    try {
      const problem = await findSchemaProblem(db).catch((error) => {
        if (!isUnavailable(error)) throw error;
        const { message, code } = error.cause as NodeJS.ErrnoException;
        throw new ConfigError(`The ${environment.name} database cannot be used: ${message || code}.`);
      });
      if (problem !== null) throw new SchemaError(problem);
      return await work(db);
    } finally {
      await db.end();
    }
  } finally {
    await databases.stop();
  }
}
