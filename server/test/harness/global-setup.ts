import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@matchbook/embedded-postgres";
import type { TestProject } from "vitest/node";
import { migrate } from "../../src/db/migrate.ts";
import { type ConnectionSettings, openDatabase } from "../../src/db/pool.ts";
import { grantRuntimeRights, RUNTIME_ROLE } from "../../src/db/runtime-role.ts";

export const TEMPLATE_DATABASE = "matchbook_template";

declare module "vitest" {
  interface ProvidedContext {
    /** How to reach the server's maintenance database. */
    postgres: Exclude<ConnectionSettings, { connectionString: string }>;
    /** The role that serves requests. */
    runtime: { user: string; password: string };
  }
}

/** One real PostgreSQL for all test files; each takes a copy of the migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "matchbook-test-"));
  const server = await startEmbeddedPostgres({
    dataDir,
    name: "matchbook",
    databases: [TEMPLATE_DATABASE],
    roles: [RUNTIME_ROLE],
    maxConnections: 300,
  });
  await migrate(server.connection(TEMPLATE_DATABASE));
  await grantRuntimeRights(server.connection(TEMPLATE_DATABASE));
  const { user, password } = server.connection("postgres", RUNTIME_ROLE);
  await doNotWaitForDisk(server.connection("postgres"), user);
  project.provide("postgres", server.connection("postgres"));
  project.provide("runtime", { user, password });
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

/** No test turns this server's power off, so no COMMIT needs to wait until it is on the disk. All else is as in production. */
async function doNotWaitForDisk(connection: ConnectionSettings & { user: string }, runtimeUser: string): Promise<void> {
  const db = openDatabase(connection, 1);
  for (const role of [connection.user, runtimeUser]) {
    await db.query(`alter role "${role}" set synchronous_commit = off`);
  }
  await db.end();
}
