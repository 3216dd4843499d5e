// npm run dev: both environments in one process, restarted when a file below server/src is saved, and the console with hot
// reload. PostgreSQL keeps running between restarts, and so does the data. There is no supervisor.

import { fork } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { openDatabases } from "../dist/commands/databases.js";
import { prepareEnvironments } from "../dist/commands/prepare.js";
import { readConfig } from "../dist/config.js";
import { createLog } from "../dist/log.js";
import { readSecrets } from "../dist/secrets.js";

const server = fileURLToPath(new URL("..", import.meta.url));
const SERVE = fileURLToPath(new URL("dev-serve.mjs", import.meta.url));

// An editor may write one file several times, or many files at once.
const SETTLE_MS = 30;

const config = readConfig(process.env, process.getuid?.() === 0);
const secrets = readSecrets(config);
const databases = await openDatabases(config, createLog("warn"));
const { settings } = await prepareEnvironments(config, secrets, databases);

let child = serve();
let restart;
const changed = new Set();
const watcher = watch(join(server, "src"), { recursive: true }, (_event, name) => {
  if (name === null || !name.endsWith(".ts") || name.endsWith(".test.ts")) return;
  changed.add(name);
  clearTimeout(restart);
  restart = setTimeout(restartChild, SETTLE_MS);
});

function serve() {
  // `npm run dev -- --inspect` opens the debugger in the process that serves.
  const started = fork(SERVE, [], { execArgv: process.argv.slice(2), serialization: "advanced" });
  started.once("message", () => started.send(settings));
  started.on("exit", (code) => {
    if (started === child && code !== 0) console.log("The server stopped. Save a file to start it again.");
  });
  return started;
}

function restartChild() {
  const startedMs = performance.now();
  try {
    // The next build must not take these files for its own.
    rmSync(join(server, "dist/.tsbuildinfo"), { force: true });
    for (const name of changed) strip(name);
  } catch (error) {
    console.log(`${error.message}`);
    return;
  }
  const names = [...changed].join(", ");
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

async function stop() {
  watcher.close();
  child?.kill("SIGKILL");
  await databases.stop();
  process.exit(0);
}
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
