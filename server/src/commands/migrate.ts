import type { Config } from "../config.ts";
import { migrate } from "../db/migrate.ts";
import { createLog } from "../log.ts";
import { joinDatabases } from "./databases.ts";

export async function migrateAll(config: Config): Promise<void> {
  const databases = await joinDatabases(config, createLog("silent"));
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
