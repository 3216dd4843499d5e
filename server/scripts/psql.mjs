// npm run psql [production|sandbox]: opens psql on the embedded database of a running service, with the owner's rights.

import { spawnSync } from "node:child_process";
import { readConfig } from "../dist/config.js";
import { findRunningEmbedded } from "../dist/db/embedded.js";

const [name = "production", ...args] = process.argv.slice(2);
const { dataDir } = readConfig(process.env, process.getuid?.() === 0);
const running = await findRunningEmbedded(dataDir);
if (running === null) stop(`No embedded database runs in ${dataDir}. Start it with npm start or npm run dev.`);

const { host, port, user, password, database } = running.connection(`matchbook_${name}`);
const target = ["--host", host, "--port", String(port), "--username", user, "--dbname", database];
const { error, status } = spawnSync("psql", [...target, ...args], {
  stdio: "inherit",
  env: { ...process.env, PGPASSWORD: password },
});
if (error) stop("psql is not installed. On Debian: apt-get install postgresql-client.");
process.exit(status ?? 1);

function stop(message) {
  console.error(message);
  process.exit(1);
}
