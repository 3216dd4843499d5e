// Runs the rows of bench/rows side by side in one process and prints each as a ratio with its goal.
//
//   npm run bench                 every row, small scale
//   npm run bench -- P1 P4        some rows
//   npm run bench -- --full       the large scale of the rows that have one

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@matchbook/embedded-postgres";
import pg from "pg";
import { migrate } from "../server/dist/db/migrate.js";

const wanted = process.argv.slice(2).filter((word) => /^P[0-9]+$/.test(word));
const full = process.argv.includes("--full");

const dataDir = mkdtempSync(join(tmpdir(), "matchbook-bench-"));
const server = await startEmbeddedPostgres({ dataDir, maxConnections: 200 });

let databases = 0;
const context = {
  full,
  /** Connection settings of a fresh, migrated database. */
  async database() {
    const name = `bench_${++databases}`;
    const client = new pg.Client(server.connection("postgres"));
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    await migrate(server.connection(name));
    return server.connection(name);
  },
  note: (text) => process.stderr.write(`  ${text}\n`),
};

try {
  for (const file of readdirSync(new URL("./rows/", import.meta.url)).sort()) {
    const { default: row } = await import(`./rows/${file}`);
    if (wanted.length > 0 && !wanted.includes(row.id)) continue;
    process.stderr.write(`${row.id} ${row.title}\n`);
    for (const { what, ratio, pass, detail } of await row.run(context)) {
      const verdict = pass ? "ok  " : "MISS";
      process.stdout.write(
        `${row.id}  ${verdict}  ${ratio.toFixed(2).padStart(7)}  goal ${row.goal}  ${what}  (${detail})\n`,
      );
    }
  }
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
