// node scripts/with-lts.mjs PROGRAM ARGUMENTS: runs a program of node_modules/.bin on the recommended version of Node, which
// .nvmrc names, no matter which version runs this script. npm brings the binary, once; it is 150 MB and so not part of npm ci.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [program, ...args] = process.argv.slice(2);
if (program === undefined) throw new Error("Write: node scripts/with-lts.mjs PROGRAM [ARGUMENTS].");

const version = readFileSync(join(root, ".nvmrc"), "utf8").trim();
const node = process.versions.node.startsWith(`${version}.`) ? process.execPath : await install(version);
// npm and what it starts find this version first.
const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
process.exitCode = await run(node, [realpathSync(join(root, "node_modules/.bin", program)), ...args], env);

async function install(wanted) {
  // The packages of one platform have no install script; `node` has one, which npm may block.
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, "node_modules/.cache", `node-${wanted}`);
  const binary = join(folder, "node_modules", name, "bin/node");
  if (existsSync(binary)) return binary;
  console.log(`Installing Node ${wanted} for the tests …`);
  mkdirSync(folder, { recursive: true });
  const options = ["--prefix", folder, "--no-save", "--no-package-lock", "--ignore-scripts"];
  const code = await run("npm", ["install", ...options, `${name}@${wanted}`], process.env);
  if (code !== 0) throw new Error(`npm could not install ${name}@${wanted}.`);
  return binary;
}

/** Signals end the child; it then ends us. */
function run(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: "inherit" });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
