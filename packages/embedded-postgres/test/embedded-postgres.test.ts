import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { findBinariesPackage, prepareBinaries } from "../src/binaries.ts";
import { foldersOf as foldersIn, prepareFolders } from "../src/files.ts";
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  findNobody,
  findRunningEmbeddedPostgres,
  startEmbeddedPostgres,
} from "../src/index.ts";
import { findPostmaster } from "../src/pid-file.ts";

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === "linux";
const account = isRoot ? findNobody() : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
const foldersOf = (dataDir: string) => foldersIn(dataDir, "postgres");

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "embedded-postgres-test-"));
  onTestFinished(async () => {
    await endLeftover(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return folder;
}

/** A failed test must not leave a server running. */
async function endLeftover(dataDir: string): Promise<void> {
  const { cluster } = foldersOf(dataDir);
  const leftover = await findPostmaster(cluster).catch(() => null);
  if (!leftover) return;
  process.kill(leftover.pid, "SIGQUIT");
  await vi.waitUntil(async () => (await findPostmaster(cluster)) === null, { timeout: 10_000 });
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    dataDir,
    databases: ["notes"],
    maxConnections: 10,
  });
  onTestFinished(() => server.stop());
  return server;
}

type Connection = ReturnType<EmbeddedPostgres["connection"]>;

async function query(connection: Connection, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

async function writeNote(server: EmbeddedPostgres): Promise<void> {
  await query(server.connection("notes"), "create table note (body text)");
  await query(server.connection("notes"), "insert into note values ('kept')");
}

async function expectNote(server: EmbeddedPostgres): Promise<void> {
  expect(await query(server.connection("notes"), "select body from note")).toEqual([{ body: "kept" }]);
}

async function readPidFile(dataDir: string): Promise<string[]> {
  return (await readFile(join(dataDir, "postgres", "data", "postmaster.pid"), "utf8")).split("\n");
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readPidFile(dataDir))[0]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function killOnFinish(child: ChildProcess): void {
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
}

/** Another copy of the program. It prints "ready" or why it could not start, and ends when its input ends. */
async function startCopy(dataDir: string): Promise<{ child: ChildProcess; says: string }> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL("../dist/index.js", import.meta.url))};
    try {
      const dataDir = process.argv[1];
      const server = await startEmbeddedPostgres({ dataDir, databases: ["notes"], maxConnections: 10 });
      console.log("ready");
      process.stdin.on("end", () => server.stop()).resume();
    } catch (error) {
      console.log(error.name + " " + JSON.stringify(error.message));
      process.exit(1);
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, dataDir], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  killOnFinish(child);
  const [says] = await once(createInterface({ input: child.stdout }), "line");
  return { child, says };
}

async function endCopy(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, "exit");
  if (signal) child.kill(signal);
  else child.stdin?.end();
  await exit;
}

/** An unrelated process of the server's account, which PostgreSQL itself cannot distinguish from a server. */
async function spawnStranger(): Promise<ChildProcess & { pid: number }> {
  const stranger = spawn("sleep", ["600"], { stdio: "ignore", ...(isRoot ? account : {}) });
  killOnFinish(stranger);
  await once(stranger, "spawn");
  return stranger as ChildProcess & { pid: number };
}

async function readSettings(server: EmbeddedPostgres): Promise<Record<string, unknown>> {
  const rows = await query(server.connection("notes"), "select name, setting from pg_settings");
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

describe("a first start", () => {
  let dataDir: string;
  let server: EmbeddedPostgres;

  beforeAll(async () => {
    vi.stubEnv("SECRET", "not for PostgreSQL");
    dataDir = await mkdtemp(join(tmpdir(), "embedded-postgres-test-"));
    await mkdir(join(dataDir, "postgres", "new-interrupted", "data"), { recursive: true });
    server = await startEmbeddedPostgres({ dataDir, databases: ["notes"], maxConnections: 10 });
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("answers, safely configured and with the databases asked for", async () => {
    expect(await query(server.connection("notes"), "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await readSettings(server)).toMatchObject({
      fsync: "on",
      full_page_writes: "on",
      synchronous_commit: "on",
      TimeZone: "UTC",
      server_encoding: "UTF8",
      max_connections: "10",
      log_min_error_statement: "panic",
    });
  });

  test("opens no TCP port", async () => {
    const [, , , port, socketFolder, listenAddress] = await readPidFile(dataDir);
    const { host } = server.connection("notes");
    expect({ port, socketFolder, listenAddress }).toEqual({
      port: "5432",
      socketFolder: host,
      listenAddress: "",
    });
  });

  test("accepts only the right password, which is private", async () => {
    const wrong = { ...server.connection("notes"), password: "wrong" };
    await expect(query(wrong, "select 1")).rejects.toMatchObject({ code: "28P01" });
    expect((await stat(join(dataDir, "postgres-password"))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(isRoot ? 0o711 : 0o700);
    expect((await stat(join(dataDir, "postgres", "data"))).mode & 0o777).toBe(0o700);
  });

  test.runIf(isLinux)("gives PostgreSQL none of our environment variables, its own session, and no root", async () => {
    const pid = await postmasterPid(dataDir);
    const environment = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0").filter(Boolean);
    expect(environment.sort()).toEqual(["LC_ALL=C", "PATH=/usr/bin:/bin", "TZ=UTC"]);
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    expect(status).toMatch(new RegExp(`^NSsid:\\t(\\d+\\t)*${pid}$`, "m"));
    expect(status).not.toMatch(/^Uid:\t0/m);
  });

  test("removes what an interrupted start left behind", async () => {
    const names = await readdir(join(dataDir, "postgres"));
    expect(names.filter((name) => name.startsWith("new-"))).toEqual([]);
  });
});

describe("data", () => {
  test("survives stop and start, and stop may be called twice", async () => {
    const dataDir = await temporaryFolder();
    const first = await start(dataDir);
    await writeNote(first);
    const pid = await postmasterPid(dataDir);
    await Promise.all([first.stop(), first.stop()]);
    expect(isAlive(pid)).toBe(false);
    await expectNote(await start(dataDir));
  });

  test("survives SIGKILL of the postmaster, which is started again", async () => {
    const dataDir = await temporaryFolder();
    const server = await start(dataDir);
    await writeNote(server);
    const killed = await postmasterPid(dataDir);
    process.kill(killed, "SIGKILL");
    await vi.waitFor(() => expectNote(server), { timeout: 20_000, interval: 50 });
    expect(await postmasterPid(dataDir)).not.toBe(killed);
  });

  test("survives SIGKILL of the program, whose orphaned postmaster is replaced", async () => {
    const dataDir = await temporaryFolder();
    const { child, says } = await startCopy(dataDir);
    expect(says).toBe("ready");
    const orphan = await postmasterPid(dataDir);
    await endCopy(child, "SIGKILL");
    expect(isAlive(orphan)).toBe(true);
    const server = await start(dataDir);
    expect(await postmasterPid(dataDir)).not.toBe(orphan);
    await writeNote(server);
    await expectNote(server);
  });

  test("survives SIGKILL of program and postmaster while a backend is still busy", async () => {
    const dataDir = await temporaryFolder();
    const { child } = await startCopy(dataDir);
    const running = await findRunningEmbeddedPostgres(dataDir);
    if (!running) throw new Error("The copy is not running.");
    const busy = new pg.Client(running.connection("notes"));
    busy.on("error", () => {});
    await busy.connect();
    const { rows } = await busy.query("select pg_backend_pid() as pid");
    const work = busy
      .query("do $$ begin while clock_timestamp() < statement_timestamp() + interval '2 seconds' loop end loop; end $$")
      .catch(() => {});
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await endCopy(child, "SIGKILL");
    expect(isAlive(rows[0].pid)).toBe(true);
    await start(dataDir);
    await work;
    await busy.end().catch(() => {});
  });
});

describe("a second copy on the same data folder", () => {
  test("is refused with one line", async () => {
    const dataDir = await temporaryFolder();
    await start(dataDir);
    const { says } = await startCopy(dataDir);
    expect(says).toMatch(/^EmbeddedPostgresError "PostgreSQL already runs in [^\\]*"$/);
  });

  test("only one of three copies that start together gets the folder", async () => {
    const dataDir = await temporaryFolder();
    const copies = await Promise.all([startCopy(dataDir), startCopy(dataDir), startCopy(dataDir)]);
    const verdicts = copies.map(({ says }) => (says === "ready" ? says : says.slice(0, 45)));
    const refused = 'EmbeddedPostgresError "PostgreSQL already run';
    expect(verdicts.sort()).toEqual([refused, refused, "ready"]);
    await Promise.all(copies.map(({ child }) => endCopy(child)));
  });

  test("finds the server of the first, for as long as it runs", async () => {
    const dataDir = await temporaryFolder();
    expect(await findRunningEmbeddedPostgres(join(dataDir, "missing"))).toBeNull();
    expect(await findRunningEmbeddedPostgres(dataDir)).toBeNull();
    const { child } = await startCopy(dataDir);
    const running = await findRunningEmbeddedPostgres(dataDir);
    expect(running && (await query(running.connection("notes"), "select 1 as one"))).toEqual([{ one: 1 }]);
    await endCopy(child);
    expect(await findRunningEmbeddedPostgres(dataDir)).toBeNull();
  });
});

describe("a stale postmaster.pid", () => {
  test("that names an unrelated process neither blocks the start nor harms that process", async () => {
    const dataDir = await temporaryFolder();
    const pidFile = join(dataDir, "postgres", "data", "postmaster.pid");
    const first = await start(dataDir);
    const socketLock = join(first.connection("notes").host, ".s.PGSQL.5432.lock");
    const stranger = await spawnStranger();
    const [, ...rest] = await readPidFile(dataDir);
    await first.stop();
    for (const file of [pidFile, socketLock]) await writeFile(file, [stranger.pid, ...rest].join("\n"));
    expect(await findRunningEmbeddedPostgres(dataDir)).toBeNull();
    await start(dataDir);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    expect(isAlive(stranger.pid)).toBe(true);
  });

  test("that a power cut left empty does not block the start", async () => {
    const dataDir = await temporaryFolder();
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, "postgres", "data", "postmaster.pid"), "");
    await start(dataDir);
  });
});

describe("a deep data folder", () => {
  async function deepFolder(): Promise<string> {
    const base = await temporaryFolder();
    const parent = join(base, "a".repeat(60));
    await mkdir(parent);
    for (const folder of [base, parent]) await chmod(folder, 0o711);
    return join(parent, "b".repeat(60));
  }

  test("has its socket in a private temporary folder, gone after the stop", async () => {
    const dataDir = await deepFolder();
    const server = await start(dataDir);
    await writeNote(server);
    const { host } = server.connection("notes");
    expect(host.startsWith(dataDir)).toBe(false);
    expect((await stat(host)).mode & 0o777).toBe(0o700);
    const running = await findRunningEmbeddedPostgres(dataDir);
    expect(running?.connection("notes")).toEqual(server.connection("notes"));
    await server.stop();
    await expect(stat(dirname(host))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("refuses a temporary folder that another user made", async () => {
    const dataDir = await deepFolder();
    const server = await start(dataDir);
    const planted = dirname(server.connection("notes").host);
    await server.stop();
    await symlink(await temporaryFolder(), planted);
    onTestFinished(() => rm(planted, { force: true }));
    await expect(start(dataDir)).rejects.toThrow(`${planted} was made by somebody else`);
  });
});

describe("PostgreSQL's programs", () => {
  /** A package as npm leaves it when it blocks install scripts. */
  async function packageWithoutLinks(): Promise<string> {
    const folder = join(await temporaryFolder(), "package");
    const isLink = (path: string) =>
      readlink(path).then(
        () => true,
        () => false,
      );
    await cp(findBinariesPackage(), folder, {
      recursive: true,
      filter: async (path) => !(await isLink(path)),
    });
    return folder;
  }

  async function preparedFolders(): Promise<ReturnType<typeof foldersOf>> {
    const folders = foldersOf(await temporaryFolder());
    await prepareFolders(folders, account);
    return folders;
  }

  async function expectToRun(program: string): Promise<void> {
    expect((await promisify(execFile)(program, ["--version"])).stdout).toContain("PostgreSQL");
  }

  test("run when npm did not make their links", async () => {
    const { initdb } = await prepareBinaries(await packageWithoutLinks(), await preparedFolders());
    await expectToRun(initdb);
  });

  test("are copied into the data folder when their own folder cannot be written", async () => {
    const packageFolder = await packageWithoutLinks();
    const library = join(packageFolder, "native", "lib");
    await chmod(library, 0o555);
    onTestFinished(() => chmod(library, 0o755));
    const folders = await preparedFolders();
    const { initdb } = await prepareBinaries(packageFolder, folders);
    expect(initdb.startsWith(folders.home)).toBe(true);
    await expectToRun(initdb);
  });

  test("that are missing are named", () => {
    expect(() => findBinariesPackage("linux-mips")).toThrow(
      /linux-mips are not installed \(@embedded-postgres\/linux-mips\)/,
    );
  });
});

describe("a data folder that cannot be used is refused with one line", () => {
  const refusal = (dataDir: string) => start(dataDir).catch((error: unknown) => error);

  test("when it is a file", async () => {
    const dataDir = join(await temporaryFolder(), "file");
    await writeFile(dataDir, "");
    const error = await refusal(dataDir);
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect(String(error)).toMatch(/^EmbeddedPostgresError: .* cannot be used \(.*\)\.$/);
  });

  /** A folder that passes our checks for a cluster. PostgreSQL itself cannot start in it. */
  async function hollowCluster(version: string): Promise<{ dataDir: string; cluster: string }> {
    const dataDir = await temporaryFolder();
    const cluster = join(dataDir, "postgres", "data");
    const { uid, gid } = account;
    await mkdir(cluster, { recursive: true, mode: 0o700 });
    await chown(cluster, uid, gid);
    await writeFile(join(cluster, "PG_VERSION"), `${version}\n`);
    await writeFile(join(dataDir, "postgres-password"), "password\n");
    return { dataDir, cluster };
  }

  test("when its password is lost", async () => {
    const { dataDir } = await hollowCluster("18");
    await rm(join(dataDir, "postgres-password"));
    expect(String(await refusal(dataDir))).toMatch(/postgres-password is missing/);
  });

  test("when another major version of PostgreSQL made it", async () => {
    const { dataDir } = await hollowCluster("9");
    expect(String(await refusal(dataDir))).toMatch(/was made by PostgreSQL 9 and this release brings 18/);
  });

  test("when PostgreSQL cannot read it, and PostgreSQL's reason is in the message", async () => {
    const { dataDir } = await hollowCluster("18");
    expect(String(await refusal(dataDir))).toMatch(
      /^EmbeddedPostgresError: PostgreSQL did not start in .*postgresql\.conf.*: No such file or directory\.$/,
    );
  });

  test.runIf(isRoot)("when the account PostgreSQL runs as may not pass its parent", async () => {
    const parent = await temporaryFolder();
    expect(String(await refusal(join(parent, "data")))).toMatch(
      new RegExp(`cannot be used, .* may not enter ${parent}: choose a folder elsewhere\\.$`),
    );
  });

  test.runIf(isRoot)("when its cluster belongs to another account", async () => {
    const { dataDir, cluster } = await hollowCluster("18");
    await chown(cluster, 4321, 4321);
    expect(String(await refusal(dataDir))).toMatch(/belongs to user id 4321, but PostgreSQL would run as user id/);
  });
});

describe("a role", () => {
  test("logs in with its own password, has no rights, and gets another password at the next start", async () => {
    const dataDir = await temporaryFolder();
    const options = { dataDir, name: "library", databases: ["notes"], roles: ["reader", 'odd "name'] };
    const first = await startEmbeddedPostgres(options);
    onTestFinished(() => first.stop());
    expect(await query(first.connection("notes"), "select current_user::text as name")).toEqual([{ name: "library" }]);
    for (const role of options.roles) {
      const [row] = await query(
        first.connection("notes", role),
        "select current_user::text as name, rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user",
      );
      expect(row).toEqual({ name: role, rolsuper: false, rolcreatedb: false, rolcreaterole: false });
    }
    await expect(query(first.connection("notes", "reader"), "create table note ()")).rejects.toMatchObject({
      code: "42501",
    });
    expect(() => first.connection("notes", "stranger")).toThrow("stranger is not among the roles");
    const running = await findRunningEmbeddedPostgres(dataDir, "library");
    expect(running?.connection("notes")).toEqual(first.connection("notes"));
    await first.stop();
    const second = await startEmbeddedPostgres(options);
    onTestFinished(() => second.stop());
    await expect(query(first.connection("notes", "reader"), "select 1")).rejects.toMatchObject({ code: "28P01" });
  });
});
