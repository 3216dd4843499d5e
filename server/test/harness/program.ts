import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BIN = fileURLToPath(new URL("../../bin/matchbook-server.js", import.meta.url));
const APP = new URL("../../dist/app.js", import.meta.url).href;

/** The real program in its own processes, as a user starts it. */
export interface Program {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Everything printed so far, both streams. */
  readonly output: () => string;
  readonly operatorToken: () => string;
  /** The addresses of the summary, once it is printed. */
  readonly urls: { production: string; productionOperator: string; sandbox: string; sandboxOperator: string };
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
}

/** Ports are chosen by the system, so that any number of programs run side by side. */
const ANY_PORT = { PORT: "0", SANDBOX_PORT: "0", OPERATOR_PORT: "0", SANDBOX_OPERATOR_PORT: "0", LOG_LEVEL: "warn" };

export function makeDataDir(): string {
  return mkdtempSync(join(tmpdir(), "matchbook-program-"));
}

export function removeDataDir(dataDir: string): void {
  chmodSync(dataDir, 0o700);
  rmSync(dataDir, { recursive: true, force: true });
}

/** MATCHBOOK_CHECKOUT runs another copy of the program than this one. */
export function runProgram(
  args: string[],
  { MATCHBOOK_CHECKOUT, ...variables }: Record<string, string>,
  account: { readonly uid?: number; readonly gid?: number } = {},
) {
  const bin = MATCHBOOK_CHECKOUT === undefined ? BIN : join(MATCHBOOK_CHECKOUT, "server/bin/matchbook-server.js");
  return run(process.execPath, [bin, ...args], variables, ROOT, account);
}

export function runNpm(args: string[], variables: Record<string, string>, checkout = ROOT) {
  return run("npm", args, variables, checkout);
}

function run(command: string, args: string[], variables: Record<string, string>, cwd = ROOT, account: object = {}) {
  const child = spawn(command, args, {
    ...account,
    cwd,
    env: { PATH: process.env.PATH, ...ANY_PORT, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return { child, output: () => output, exited };
}

export async function startProgram(variables: Record<string, string> = {}): Promise<Program> {
  const dataDir = variables.MATCHBOOK_DATA_DIR ?? makeDataDir();
  const run = runProgram(["start"], { MATCHBOOK_DATA_DIR: dataDir, ...variables });
  await Promise.race([
    until(() => run.output().includes(" is ready "), 60_000),
    run.exited.then((code) => {
      throw new Error(`The program exited with ${code}:\n${run.output()}`);
    }),
  ]);
  const found = [...run.output().matchAll(/http:\/\/[0-9.]+:[0-9]+/g)].map(([url]) => url);
  const [production = "", productionOperator = "", sandbox = "", sandboxOperator = ""] = found;
  return {
    ...run,
    dataDir,
    operatorToken: () => readFileSync(join(dataDir, "operator-token"), "utf8").trim(),
    urls: { production, productionOperator, sandbox, sandboxOperator },
  };
}

/** Waits for a condition; no test waits for time. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error("The condition did not come about in time.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// How long a quiet machine takes to load the server's modules in four processes at the same time, as a start does.
const QUIET_LOAD_MS = 2_000;
const LOAD = ["--input-type=module", "--eval", `await import(${JSON.stringify(APP)})`];

/** A promised time, as it is on a quiet machine. A machine that is slower right now gets longer in proportion. */
export async function promised(limitMs: number): Promise<number> {
  const began = performance.now();
  await Promise.all(Array.from({ length: 4 }, loadModules));
  return limitMs * Math.max(1, (performance.now() - began) / QUIET_LOAD_MS);
}

async function loadModules(): Promise<void> {
  const loading = spawn(process.execPath, LOAD, { stdio: "ignore" });
  const code = await new Promise((resolve) => loading.once("exit", resolve));
  if (code !== 0) throw new Error("The server's modules could not be loaded.");
}

/** Gone as soon as the test is over: nothing needs an orderly end but the tests that are about it. */
export async function startForTest(variables: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram({ WORKERS: "2", ...variables });
  killOnFinish(program, program.dataDir);
  return program;
}

/** Ends a program, its PostgreSQL and its data with the test. */
export function killOnFinish({ child, exited }: Pick<Program, "child" | "exited">, dataDir: string): void {
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    try {
      process.kill(postmasterPid(dataDir), "SIGKILL");
    } catch {
      // It had no PostgreSQL of its own, or that has ended.
    }
    await until(() => tryRemove(dataDir));
  });
}

// PostgreSQL's last processes may still be writing for a moment.
function tryRemove(dataDir: string): boolean {
  if (!existsSync(dataDir)) return true;
  try {
    removeDataDir(dataDir);
    return true;
  } catch {
    return false;
  }
}

export function postmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
}

/** A process that ended but was not yet collected by its parent counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** The server processes of one environment. */
export function workersOf(program: Program, environment: "production" | "sandbox"): number[] {
  const pid = program.child.pid ?? 0;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number)
    .filter((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes(`worker.js\0${environment}\0`));
}
