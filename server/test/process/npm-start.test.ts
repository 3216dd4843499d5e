import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { copyCheckout } from "../harness/checkout.ts";
import {
  isAlive,
  killOnFinish,
  makeDataDir,
  postmasterPid,
  removeDataDir,
  runNpm,
  runProgram,
  startForTest as start,
  until,
} from "../harness/program.ts";
import { call } from "../harness/service.ts";

// A build takes half a minute on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const BUILD_MAX_MS = 120_000;
const START_MAX_MS = 60_000;
const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const ERRORS = "server/src/http/errors.ts";

/** A data folder that does not exist yet. */
function newDataDir(): string {
  const parent = makeDataDir();
  chmodSync(parent, 0o755);
  onTestFinished(() => removeDataDir(parent));
  return join(parent, "data");
}

/** npm start, or another run, that cannot outlive the test. */
function started<Run extends ReturnType<typeof runNpm>>(run: Run, dataDir: string): Run {
  killOnFinish(run, dataDir);
  return run;
}

/** Changes a word that the server answers. */
function changeSource(checkout: string, word: string): void {
  const file = join(checkout, ERRORS);
  const text = readFileSync(file, "utf8");
  expect(text).toContain("There is nothing at this address.");
  writeFileSync(file, text.replace("There is nothing at this address.", `There is ${word} at this address.`));
}

/** Processes that work in a folder or below it. */
function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}

async function takePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

describe("npm start", () => {
  test("prints each step, builds only what changed, and never serves an old build", async () => {
    const checkout = copyCheckout();
    const dataDir = newDataDir();
    changeSource(checkout, "zilch");
    // Archives and file copies keep old times. A compiler that compares times takes such a file for compiled.
    utimesSync(join(checkout, ERRORS), LONG_AGO, LONG_AGO);
    const variables = { MATCHBOOK_DATA_DIR: dataDir, WORKERS: "1" };

    const first = started(runNpm(["start"], variables, checkout), dataDir);
    await until(() => first.output().includes(" is ready "), BUILD_MAX_MS);
    const lines = [
      "Building the server",
      "Built the server",
      "Starting PostgreSQL",
      "Applying migrations",
      "Starting 2 processes",
    ];
    const places = lines.map((line) => first.output().search(new RegExp(`^ +\\d+\\.\\d s {2}${line}.*$`, "m")));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
    expect(first.output()).not.toContain("Building the console");
    expect(first.output()).toMatch(/is ready in \d+\.\d s \(2 processes: 1 production, 1 sandbox\)/);
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(first.output()) ?? [];
    expect((await call(`${url}/nothing`)).body.error.message).toMatch(/^There is zilch at this address/);
    first.child.kill("SIGTERM");
    await first.exited;

    const second = started(runNpm(["start"], variables, checkout), dataDir);
    await until(() => second.output().includes(" is ready "), BUILD_MAX_MS);
    expect(second.output()).toContain("The server and the console are already built.");
    expect(second.output()).not.toContain("Building");
    second.child.kill("SIGTERM");
    await second.exited;
    await until(() => processesIn(checkout).length === 0);
  });

  test("SIGTERM during the build ends every process of it, and no data folder is made", async () => {
    const checkout = copyCheckout();
    const dataDir = newDataDir();
    changeSource(checkout, "nada");
    const npm = started(runNpm(["start"], { MATCHBOOK_DATA_DIR: dataDir }, checkout), dataDir);
    await until(() => npm.output().includes("Building the server") && processesIn(checkout).length > 1, BUILD_MAX_MS);
    npm.child.kill("SIGTERM");
    expect(await npm.exited).not.toBe(0);
    await until(() => processesIn(checkout).length === 0);
    expect(existsSync(dataDir)).toBe(false);
    expect(npm.output()).not.toContain("Starting PostgreSQL");
  });

  test("a build that fails says which one, and nothing is started", async () => {
    const checkout = copyCheckout();
    const dataDir = newDataDir();
    writeFileSync(join(checkout, "packages/embedded-postgres/src/roles.ts"), "export const broken: number = 'text';\n");
    const npm = started(runNpm(["start"], { MATCHBOOK_DATA_DIR: dataDir }, checkout), dataDir);
    expect(await npm.exited).toBe(1);
    expect(npm.output()).toContain("error TS");
    expect(npm.output()).toContain("The server could not be built.");
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe("matchbook-server start", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("%s before it is ready stops it in order", async (signal) => {
    const dataDir = newDataDir();
    const program = started(runProgram(["start"], { MATCHBOOK_DATA_DIR: dataDir, WORKERS: "1" }), dataDir);
    await until(() => program.output().includes("Applying migrations"), START_MAX_MS);
    const postmaster = postmasterPid(dataDir);
    program.child.kill(signal);
    expect(await program.exited).toBe(0);
    expect(program.output()).not.toContain(" is ready ");
    expect(isAlive(postmaster)).toBe(false);
  });

  test("names every port that is taken, by its variable and its process, and creates nothing", async () => {
    const dataDir = newDataDir();
    const [port, sandboxOperatorPort] = [await takePort(), await takePort()];
    const ports = { PORT: port, SANDBOX_OPERATOR_PORT: sandboxOperatorPort };
    const program = started(runProgram(["start"], { MATCHBOOK_DATA_DIR: dataDir, ...ports }), dataDir);
    expect(await program.exited).toBe(1);
    const taken = (variable: string, number: string) =>
      `${variable} ${number} is already in use on 127.0.0.1 by node (process ${process.pid}): stop that program, or set ${variable}`;
    expect(program.output()).toBe(
      `matchbook-server: ${taken("PORT", port)}; ${taken("SANDBOX_OPERATOR_PORT", sandboxOperatorPort)}.\n`,
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  test("LOG_FORMAT=pretty: the summary comes last, and a refused request is one short line after it", async () => {
    const program = await start({ WORKERS: "1", LOG_LEVEL: "info", LOG_FORMAT: "pretty" });
    await until(() => program.output().includes("docs/operating.md"));
    const url = program.urls.production;
    const summary = program.output();
    expect(summary).not.toContain("{");
    const secret = "not-for-the-log";
    const headers = { "x-merchant-authorization": secret, authorization: `Bearer ${secret}` };
    expect((await call(`${url}/v1/merchant-deposits?cursor=${secret}`, { headers })).status).toBe(400);
    await until(() => program.output().length > summary.length);
    expect(program.output().slice(summary.length)).toMatch(
      /^\d\d:\d\d:\d\d info {2}public GET \/v1\/merchant-deposits 400 [\d.]+ ms [\w-]+\n$/,
    );
    expect(program.output()).not.toContain(secret);
  });

  test("LOG_FORMAT=json, and any output that is no terminal: request lines are JSON", async () => {
    const program = await start({ WORKERS: "1", LOG_LEVEL: "info" });
    await call(`${program.urls.production}/v1/merchant-deposits`);
    await until(() => program.output().includes('"msg":"request"'));
  });
});
