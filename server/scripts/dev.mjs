// npm run dev: both environments in one process. A file saved below server/src restarts it, one below console/src builds the
// console first, and a new migration is applied first. PostgreSQL keeps running, and the data stays. There is no supervisor.

import { fork, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { openDatabases } from "../dist/commands/databases.js";
import { prepareEnvironments } from "../dist/commands/prepare.js";
import { createSteps, elapsed, StartStopped } from "../dist/commands/steps.js";
import { ConfigError, readConfig } from "../dist/config.js";
import { SchemaError } from "../dist/db/migrate.js";
import { createLog, logTo } from "../dist/log.js";
import { checkPorts } from "../dist/processes/ports.js";
import { readOrCreateSecrets } from "../dist/secrets.js";

const server = fileURLToPath(new URL("..", import.meta.url));
const consoleFolder = join(server, "../console");
const SERVE = fileURLToPath(new URL("dev-serve.mjs", import.meta.url));

// An editor may write one file several times, or many files together.
const SETTLE_MS = 30;

const steps = createSteps();
let config;
let databases = null;
const settings = await prepare().catch(stopStart);

let child = serve();
let restart;
const changed = new Set();
const watchers = [
  onSave(join(server, "src"), /(?<!\.test)\.ts$/, () => restartChild()),
  onSave(join(server, "migrations"), /^\d.*\.sql$/, async (names) => {
    // Another process, because this one has read the migrations already.
    await run(join(server, "bin/matchbook-server.js"), ["migrate"], server);
    restartChild(names);
  }),
  onSave(join(consoleFolder, "src"), /(?<!\.test)\.(tsx?|css)$/, async (names) => {
    await buildConsole();
    restartChild(names);
  }),
];

/** Calls `work` with the names of the saved files that match, one call after the other. */
function onSave(folder, pattern, work) {
  const names = new Set();
  let settling;
  let working = Promise.resolve();
  return watch(folder, { recursive: true }, (_event, name) => {
    if (name === null || !pattern.test(name)) return;
    names.add(name);
    if (folder === join(server, "src")) changed.add(name);
    clearTimeout(settling);
    settling = setTimeout(() => {
      const saved = [...names].join(", ");
      names.clear();
      working = working.then(() => work(saved)).catch((error) => console.log(error.message));
    }, SETTLE_MS);
  });
}

function buildConsole() {
  const vite = createRequire(join(consoleFolder, "package.json")).resolve("vite/package.json");
  return run(join(dirname(vite), "bin/vite.js"), ["build", "--logLevel", "warn"], consoleFolder);
}

function run(program, args, cwd) {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [program, ...args], { cwd, stdio: ["ignore", "ignore", "inherit"] });
    running.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} failed.`))));
  });
}

function serve() {
  // `npm run dev -- --inspect` opens the debugger in the process that serves.
  const started = fork(SERVE, [], { execArgv: process.argv.slice(2), serialization: "advanced" });
  started.once("message", () => {
    started.send(settings);
    started.once("message", () => {
      if (restart === undefined) {
        console.log(`Ready in ${elapsed()}. Save a file below server/src or console/src to restart it.`);
        console.log(`The operator token is in ${join(config.dataDir, "operator-token")}.`);
      }
    });
  });
  started.on("exit", (code) => {
    if (started === child && code !== 0) console.log("The server stopped. Save a file to start it again.");
  });
  return started;
}

function restartChild(others = "") {
  const startedMs = performance.now();
  restart = true;
  try {
    // The next build must not take these files for its own.
    rmSync(join(server, "dist/.tsbuildinfo"), { force: true });
    for (const name of changed) strip(name);
  } catch (error) {
    console.log(`${error.message}`);
    return;
  }
  const names = [...changed].join(", ") || others;
  changed.clear();
  const old = child;
  child = null;
  old.kill("SIGKILL");
  old.once("exit", start);
  if (old.exitCode !== null || old.signalCode !== null) start();

  function start() {
    if (child !== null) return;
    child = serve();
    child.on("message", (message) => {
      if (message === "serving") {
        console.log(`${names}: restarted in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
      }
    });
  }
}

/** Removes the types of one file, without checking them: `npm run types` does that. */
function strip(name) {
  const source = readFileSync(join(server, "src", name), "utf8");
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  const { outputText, diagnostics } = ts.transpileModule(source, {
    compilerOptions,
    fileName: join(server, "src", name),
    reportDiagnostics: true,
  });
  const [problem] = diagnostics ?? [];
  if (problem !== undefined) throw new Error(`${name}: ${ts.flattenDiagnosticMessageText(problem.messageText, "\n")}`);
  const target = join(server, "dist", name.replace(/\.ts$/, ".js"));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, outputText);
}

async function prepare() {
  config = readConfig(process.env, process.getuid?.() === 0);
  await checkPorts(config);
  const secrets = readOrCreateSecrets(config);
  steps.begin("Starting PostgreSQL …");
  databases = await openDatabases(config, createLog("warn", logTo(config.logFormat)));
  steps.begin("Applying migrations …");
  const { settings } = await prepareEnvironments(config, secrets, databases);
  steps.begin("Starting one process for both environments …");
  return settings;
}

async function stopStart(error) {
  await databases?.stop();
  if (error instanceof StartStopped) process.exit(0);
  console.error(error instanceof ConfigError || error instanceof SchemaError ? error.message : error.stack);
  process.exit(1);
}

steps.stopRequest.then(async () => {
  for (const watcher of watchers) watcher.close();
  child?.kill("SIGKILL");
  await databases.stop();
  process.exit(0);
});
