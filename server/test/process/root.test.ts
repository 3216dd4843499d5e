import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chooseAccount } from "../../src/account.ts";
import { createTestDatabase, databaseUrl } from "../harness/database.ts";
import { startMailServer } from "../harness/mail-server.ts";
import { applicationBody } from "../harness/merchant.ts";
import {
  isAlive,
  makeDataDir,
  type Program,
  postmasterPid,
  removeDataDir,
  runProgram,
  startForTest as start,
  startProgram,
  until,
  workersOf,
} from "../harness/program.ts";
import { call } from "../harness/service.ts";

// Whole programs are started here, several at a time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const isRoot = process.getuid?.() === 0;
// `nobody`, unless this system has a user matchbook.
const chosen = chooseAccount(null);
// Every Linux has it, and nothing runs as it.
const OTHER_USER = { name: "games", id: accountOf("games") };

function accountOf(name: string): number {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((text) => text.startsWith(`${name}:`));
  return Number(line?.split(":")[2] ?? Number.NaN);
}

/** Real, effective, saved and file system ids, and the supplementary groups. */
function identityOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const numbers = (name: string) =>
    new RegExp(`^${name}:\\t(.*)$`, "m").exec(status)?.[1]?.trim().split(/\s+/).filter(Boolean).map(Number) ?? [];
  const capabilities = /^CapEff:\t(.*)$/m.exec(status)?.[1];
  return { uids: numbers("Uid"), gids: numbers("Gid"), groups: numbers("Groups"), capabilities };
}

const servingPids = (program: Program) => [...workersOf(program, "production"), ...workersOf(program, "sandbox")];

describe.runIf(isRoot)("started as root", () => {
  test("everything that serves, and PostgreSQL, runs as another user without groups, and the summary warns of the user `nobody`", async () => {
    const program = await start({ WORKERS: "2" });
    const pids = servingPids(program);
    expect(pids).toHaveLength(3);
    for (const pid of [...pids, postmasterPid(program.dataDir)]) {
      expect(identityOf(pid)).toEqual({
        uids: Array(4).fill(chosen.uid),
        gids: Array(4).fill(chosen.gid),
        groups: [],
        capabilities: "0000000000000000",
      });
    }
    expect(chosen.uid).not.toBe(0);
    const warning = "Warning: The server processes and PostgreSQL run as `nobody`.";
    expect(program.output().includes(warning)).toBe(chosen.name === "nobody");
    expect((await call(`${program.urls.productionOperator}/readyz`)).status).toBe(200);
  });

  test("so does a process that replaces another", async () => {
    const program = await start({ WORKERS: "1", ENVIRONMENTS: "production" });
    const [victim = 0] = workersOf(program, "production");
    process.kill(victim, "SIGKILL");
    await until(() => workersOf(program, "production").some((pid) => pid !== victim && isAlive(pid)));
    await until(async () => (await call(`${program.urls.productionOperator}/readyz`)).status === 200);
    expect(workersOf(program, "production").flatMap((pid) => identityOf(pid).uids)).toEqual(Array(4).fill(chosen.uid));
  });

  test("MATCHBOOK_USER names the user, which can read no secret and has none in its environment", async () => {
    const program = await start({
      WORKERS: "1",
      MATCHBOOK_USER: OTHER_USER.name,
      MATCHBOOK_OPERATOR_TOKEN: "t".repeat(40),
      DOMAIN_REGISTRY_URL: "http://127.0.0.1:9/",
      DOMAIN_REGISTRY_TOKEN: "registry-token-in-the-environment",
    });
    for (const pid of [...servingPids(program), postmasterPid(program.dataDir)]) {
      expect(identityOf(pid).uids).toEqual(Array(4).fill(OTHER_USER.id));
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
      expect(environment).not.toMatch(/MATCHBOOK|REGISTRY|t{40}/);
    }
    expect(program.output()).not.toContain("Warning");
    for (const name of ["secret", "postgres-password"]) {
      const { uid, mode } = statSync(join(program.dataDir, name));
      expect({ uid, mode: mode & 0o777 }, name).toEqual({ uid: 0, mode: 0o600 });
    }
    expect(statSync(join(program.dataDir, "postgres/pg_hba.conf")).uid).toBe(0);
  });

  test.each([
    ["no-such-user", "MATCHBOOK_USER names a user that is not in /etc/passwd."],
    ["root", "MATCHBOOK_USER must not be root."],
    ["two words", "MATCHBOOK_USER must be the name of a user of this system."],
  ])("MATCHBOOK_USER=%s is refused in one line", async (user, message) => {
    const dataDir = makeDataDir();
    onTestFinished(() => removeDataDir(dataDir));
    const refused = runProgram(["start"], { MATCHBOOK_DATA_DIR: dataDir, MATCHBOOK_USER: user });
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toBe(`matchbook-server: ${message}\n`);
    expect(existsSync(join(dataDir, "postgres"))).toBe(false);
  });

  test("a certificate file that the user may not read is named in one line", async () => {
    const database = await createTestDatabase({ empty: true });
    onTestFinished(() => database.drop());
    const dataDir = makeDataDir();
    onTestFinished(() => removeDataDir(dataDir));
    const certificate = join(dataDir, "ca.pem");
    writeFileSync(certificate, "", { mode: 0o600 });
    const refused = runProgram(["start"], {
      MATCHBOOK_DATA_DIR: dataDir,
      MATCHBOOK_SECRET: "x".repeat(40),
      ENVIRONMENTS: "production",
      DATABASE_URL: `${databaseUrl(database.connection)}&sslmode=disable&sslrootcert=${certificate}`,
    });
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toMatch(/^matchbook-server: A server process could not start: EACCES.*ca\.pem.*\n$/m);
  });

  test("a database that belongs to the user `nobody` is given to the user, also when its server was left running", async () => {
    const dataDir = makeDataDir();
    const shared = { MATCHBOOK_DATA_DIR: dataDir, WORKERS: "1", ENVIRONMENTS: "production" };
    const first = await startProgram({ ...shared, MATCHBOOK_USER: "nobody" });
    const applied = await call(`${first.urls.production}/v1/merchants/applications`, { body: applicationBody() });
    const orphan = postmasterPid(dataDir);
    first.child.kill("SIGKILL");
    await first.exited;
    expect(isAlive(orphan)).toBe(true);

    const second = await start({ ...shared, MATCHBOOK_USER: OTHER_USER.name });
    expect(isAlive(orphan)).toBe(false);
    expect(identityOf(postmasterPid(dataDir)).uids).toEqual(Array(4).fill(OTHER_USER.id));
    const left = execFileSync("find", [join(dataDir, "postgres/data"), "-user", "nobody"], { encoding: "utf8" });
    expect(left).toBe("");
    const listed = await call(`${second.urls.productionOperator}/operator/v1/applications`, {
      headers: { authorization: `Bearer ${second.operatorToken()}` },
    });
    expect(listed.body.items[0].applicationId).toBe(applied.body.applicationId);
  });

  test("from a checkout that only root may enter, every file is still served after root is given up", async () => {
    const checkout = mkdtempSync(join(tmpdir(), "matchbook-checkout-"));
    onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
    chmodSync(checkout, 0o700);
    copyCheckout(checkout);
    const mail = await startMailServer();
    onTestFinished(() => mail.close());
    const program = await start({ WORKERS: "1", MATCHBOOK_CHECKOUT: checkout, ...mail.variables });
    const { production, productionOperator, sandboxOperator } = program.urls;
    for (const [url, text] of [
      [`${production}/docs`, "reference.js"],
      [`${production}/docs/reference.js`, "scalar"],
      [`${production}/docs/authentication`, "X-Merchant-Authorization"],
      [`${production}/openapi.json`, "Matchbook API"],
      [`${productionOperator}/openapi.json`, "Matchbook operator API"],
      [`${productionOperator}/console`, "<html"],
      [`${sandboxOperator}/readyz`, "true"],
    ] as const) {
      const answer = await call(url);
      expect(answer.status, url).toBe(200);
      expect(JSON.stringify(answer.body), url).toContain(text);
    }
    const page = (await call(`${productionOperator}/console`)).body;
    const asset = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await call(`${productionOperator}${asset}`)).status).toBe(200);
    const metrics = await call(`${productionOperator}/metrics`, {
      headers: { authorization: `Bearer ${program.operatorToken()}` },
    });
    expect(metrics.status).toBe(200);
    const applied = await call(`${production}/v1/merchants/applications`, { body: applicationBody() });
    expect(applied.status).toBe(202);
    await until(() => mail.mails.length === 1);
    const [victim = 0] = workersOf(program, "production");
    process.kill(victim, "SIGKILL");
    await until(() => workersOf(program, "production").some((pid) => pid !== victim));
    await until(async () => (await call(`${productionOperator}/readyz`).catch(() => null))?.status === 200);
  });
});

/** What `npm ci --omit=dev` and a build leave, as links where the disk allows it. */
function copyCheckout(target: string): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const workspaces = ["packages/addresses", "packages/embedded-postgres"];
  const built = workspaces.map((workspace) => `${workspace}/dist`);
  for (const folder of [...built, "server/bin", "server/dist", "server/migrations", "console/dist", "docs"]) {
    cpSync(join(ROOT, folder), join(target, folder), { recursive: true });
  }
  for (const workspace of workspaces) {
    cpSync(join(ROOT, workspace, "package.json"), join(target, workspace, "package.json"));
    mkdirSync(join(target, "node_modules/@matchbook"), { recursive: true });
    symlinkSync(join(target, workspace), join(target, "node_modules/@matchbook", basename(workspace)));
  }
  for (const file of ["package.json", "server/package.json"]) cpSync(join(ROOT, file), join(target, file));
  for (const [path, entry] of Object.entries<{ dev?: boolean; link?: boolean }>(packages)) {
    const nested = path.lastIndexOf("node_modules/") > 0;
    if (!path.startsWith("node_modules/") || nested || entry.dev === true || entry.link === true) continue;
    if (!existsSync(join(ROOT, path))) continue;
    mkdirSync(join(target, path, ".."), { recursive: true });
    execFileSync("cp", ["-al", join(ROOT, path), join(target, path)]);
  }
}

test.runIf(!isRoot)("started by anybody else, every process is theirs", async () => {
  const program = await start({ WORKERS: "1" });
  for (const pid of servingPids(program)) expect(identityOf(pid).uids).toEqual(Array(4).fill(process.getuid?.()));
  expect(program.output()).not.toContain("Warning");
});
