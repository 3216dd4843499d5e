import type { Config } from "../config.ts";
import { migrate } from "../db/migrate.ts";
import { createLog } from "../log.ts";
import { readOrCreateSecrets } from "../secrets.ts";
import { joinDatabases } from "./databases.ts";

export async function migrateAll(config: Config): Promise<void> {
  // A new data folder gets its secrets now, so that the commands after this one have them.
  if (config.environments.some(({ databaseUrl }) => databaseUrl === null)) readOrCreateSecrets(config);
  const databases = await joinDatabases(config, createLog("silent"), { mayCreate: true });
  try {
    for (const environment of config.environments) {
      const applied = await migrate(databases.connection(environment));
      const outcome = applied.length === 0 ? "up to date" : `applied ${applied.join(", ")}`;
      process.stdout.write(`${environment.name}: ${outcome}\n`);
    }
  } finally {
    await databases.stop();
  }
}
