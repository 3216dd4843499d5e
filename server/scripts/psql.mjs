// npm run psql [production|sandbox] [-- OPTIONS]: opens psql on the embedded database of a running service, with the owner's
// rights. Options go to psql.

import { spawnSync } from "node:child_process";
import { readConfig } from "../dist/config.js";
import { findRunningEmbedded } from "../dist/db/embedded.js";

const given = process.argv.slice(2);
const name = given[0] === undefined || given[0].startsWith("-") ? "production" : given.shift();
if (!["production", "sandbox"].includes(name)) stop(`There is no environment ${name}: write production or sandbox.`);
const { dataDir } = readConfig(process.env, process.getuid?.() === 0);
const running = await findRunningEmbedded(dataDir);
if (running === null) stop(`No embedded database runs in ${dataDir}. Start it with npm start or npm run dev.`);

const { host, port, user, password, database } = running.connection(`matchbook_${name}`);
const target = ["--host", host, "--port", String(port), "--username", user, "--dbname", database];
const { error, status } = spawnSync("psql", [...target, ...given], {
  stdio: "inherit",
  env: { ...process.env, PGPASSWORD: password },
});
if (error) stop("psql is not installed. On Debian: apt-get install postgresql-client.");
process.exit(status ?? 1);

function stop(message) {
  console.error(message);
  process.exit(1);
}
