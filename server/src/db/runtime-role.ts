// The role that serves requests in the embedded database: it reads and writes rows and can change nothing else. In the
// append-only tables it can only add and read rows, so that a request can never change what was recorded.
//
// docs/operating.md shows the same grants for your own database. A test runs them from there.

import pg from "pg";
import type { ConnectionSettings } from "./pool.ts";

export const RUNTIME_ROLE = "matchbook_runtime";

export const APPEND_ONLY_TABLES = [
  "audit_log",
  "campaign_terms",
  "deposit_batches",
  "deposit_events",
  "payout_events",
  "payout_proofs",
  "submission_journal",
] as const;

/** Gives the role its rights in one migrated database, also to tables that later migrations create. */
export async function grantRuntimeRights(connection: ConnectionSettings): Promise<void> {
  await run(connection, async (client) => {
    const { rows } = await client.query<{ name: string }>("select current_database() as name");
    const database = client.escapeIdentifier(rows[0]?.name ?? "");
    await client.query(`begin;
      revoke all on database ${database} from public;
      grant connect on database ${database} to ${RUNTIME_ROLE};
      revoke all on schema public from public;
      grant usage on schema public to ${RUNTIME_ROLE};
      grant select, insert, update, delete on all tables in schema public to ${RUNTIME_ROLE};
      grant usage on all sequences in schema public to ${RUNTIME_ROLE};
      alter default privileges in schema public grant select, insert, update, delete on tables to ${RUNTIME_ROLE};
      alter default privileges in schema public grant usage on sequences to ${RUNTIME_ROLE};
      revoke update, delete on ${APPEND_ONLY_TABLES.join(", ")} from ${RUNTIME_ROLE};
      revoke insert, update, delete on schema_migrations from ${RUNTIME_ROLE};
      commit;`);
  });
}

async function run(connection: ConnectionSettings, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: "matchbook-roles" });
  client.on("error", () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
