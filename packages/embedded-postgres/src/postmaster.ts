// One PostgreSQL server process, the postmaster: how it is started, found, awaited and stopped.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { type ClusterOptions, findReason, runAs, SERVER_ENVIRONMENT } from "./cluster.ts";
import { EmbeddedPostgresError, hasCode } from "./error.ts";
import { SOCKET_NAME, SOCKET_PORT } from "./files.ts";
import { findPostmaster, readPidFile, runsCluster } from "./pid-file.ts";

const SILENCE_MAX_MS = 30_000;
const PROBE_INTERVAL_MS = 20;
const PROBE_TIMEOUT_MS = 5_000;
const LEFTOVERS_TIMEOUT_MS = 15_000;
const LEFTOVERS_RETRY_MS = 100;
const ORPHAN_FAST_SHUTDOWN_MS = 5_000;
const IMMEDIATE_SHUTDOWN_MS = 2_000;
const GONE_CHECK_INTERVAL_MS = 20;
const LOG_TAIL_LENGTH_BYTES = 64 * 1_024;

export interface ServerOptions extends ClusterOptions {
  socketFolder: string;
  maxConnections: number;
  log: Log;
}

/** pino and its like. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Set explicitly, because the driver would otherwise obey a PGSSLMODE meant for another server. */
  ssl: false;
}

export interface Postmaster {
  pid: number;
  signal(name: NodeJS.Signals): void;
  /** Resolves when the process is gone, with how it ended. */
  gone: Promise<string>;
}

export function connectionTo(socketFolder: string, user: string, password: string, database: string): Connection {
  return { host: socketFolder, port: SOCKET_PORT, user, password, database, ssl: false };
}

/**
 * Starts a postmaster on the cluster and waits until it answers. The caller holds the data folder's lock, so
 * a server that still runs there is a leftover of a copy that was killed. It is stopped first.
 */
export async function launchPostmaster(server: ServerOptions, stopping: AbortSignal): Promise<Postmaster> {
  const giveUpAt = Date.now() + LEFTOVERS_TIMEOUT_MS;
  for (;;) {
    const formerPid = await endOrphan(server);
    await assertSocketUnused(server);
    const startedAt = new Date();
    const postmaster = await spawnPostmaster(server, formerPid);
    if (await untilReady(server, postmaster, stopping)) return postmaster;
    const reason = await findStartFailure(server, startedAt, await postmaster.gone);
    if (!isLeftover(reason) || Date.now() > giveUpAt) {
      throw new EmbeddedPostgresError("start", `PostgreSQL did not start in ${server.folders.dataDir}: ${reason}.`);
    }
    await pause(LEFTOVERS_RETRY_MS, undefined, { signal: stopping });
  }
}

/** Backends outlive a killed postmaster for a moment, and a predecessor's postmaster may be just starting. */
function isLeftover(reason: string): boolean {
  return /pre-existing shared memory block|lock file ".*" (already exists|is empty)/.test(reason);
}

/** A fast shutdown, then harder ones. Even a killed postmaster loses nothing: it recovers from its log. */
export async function endPostmaster(postmaster: Postmaster, fastShutdownMs: number): Promise<void> {
  postmaster.signal("SIGINT");
  if (await settlesWithin(postmaster.gone, fastShutdownMs)) return;
  postmaster.signal("SIGQUIT");
  if (await settlesWithin(postmaster.gone, IMMEDIATE_SHUTDOWN_MS)) return;
  postmaster.signal("SIGKILL");
  await postmaster.gone;
}

async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const timeout = pause(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    timer.abort();
  }
}

/** Ends a postmaster whose program was killed. Returns the number in the cluster's pid file, which is now stale. */
export async function endOrphan({ folders, log }: Pick<ServerOptions, "folders" | "log">): Promise<number | null> {
  const { cluster } = folders;
  const orphan = await findPostmaster(cluster);
  if (orphan) {
    log.warn({ pid: orphan.pid }, "Ending the PostgreSQL server that a killed program left behind.");
    await endPostmaster(asPostmaster(orphan.pid, cluster), ORPHAN_FAST_SHUTDOWN_MS);
    return orphan.pid;
  }
  const content = await readPidFile(cluster);
  if (content === null) return null;
  const pid = Number.parseInt(content, 10);
  if (pid > 0) return pid;
  // A power cut can leave the file empty, and then PostgreSQL does not start.
  if (Number.isNaN(pid)) await rm(join(cluster, "postmaster.pid"), { force: true });
  return null;
}

/** A postmaster that is not our child: we have to poll for its end. */
function asPostmaster(pid: number, cluster: string): Postmaster {
  const waitForEnd = async () => {
    while (await runsCluster(pid, cluster)) await pause(GONE_CHECK_INTERVAL_MS);
    return "ended";
  };
  return { pid, signal: (name) => signalIfAlive(pid, name), gone: waitForEnd() };
}

function signalIfAlive(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, "ESRCH")) throw error;
  }
}

/**
 * A server we cannot see as a process but that answers on the socket runs in another container on the same folder.
 * Our lock does not reach there, and two servers on one cluster would destroy it.
 */
async function assertSocketUnused({ folders, socketFolder }: ServerOptions): Promise<void> {
  const socket = connect(join(socketFolder, SOCKET_NAME));
  const answered = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  if (!answered) return;
  throw new EmbeddedPostgresError("in-use", `PostgreSQL already runs in ${folders.dataDir}, in another container.`);
}

async function spawnPostmaster(server: ServerOptions, formerPid: number | null): Promise<Postmaster> {
  const { folders, account, binaries, socketFolder } = server;
  // The lock file of a dead server's socket would block the start once its number belongs to a living process.
  await rm(join(socketFolder, SOCKET_NAME), { force: true });
  await rm(join(socketFolder, `${SOCKET_NAME}.lock`), { force: true });
  const output = await open(startLog(server), "w", 0o600);
  try {
    // Its output goes to a file and it leads its own session: neither our death nor a Ctrl-C may reach it first.
    const child = spawn(binaries.postgres, ["-D", folders.cluster, ...settingArguments(server)], {
      cwd: folders.home,
      detached: true,
      env: { ...SERVER_ENVIRONMENT, ...ignoring(formerPid) },
      stdio: ["ignore", output.fd, output.fd],
      ...runAs(account),
    });
    const gone = once(child, "exit").then(([code, signal]) => (signal ? `signal ${signal}` : `exit code ${code}`));
    gone.catch(() => {}); // A failed spawn rejects both; the one below is reported.
    await once(child, "spawn");
    return { pid: child.pid ?? 0, signal: (name) => child.kill(name), gone };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "programs",
      `PostgreSQL's programs do not run on this machine (${String(cause)}).`,
      { cause },
    );
  } finally {
    await output.close();
  }
}

/**
 * PostgreSQL will not start while the number in its stale pid file belongs to a living process, any process. It
 * makes an exception for the number in this variable, meant for pg_ctl's parent, and still does its other checks.
 */
function ignoring(formerPid: number | null): { PG_GRANDPARENT_PID?: string } {
  return formerPid === null ? {} : { PG_GRANDPARENT_PID: String(formerPid) };
}

function settingArguments(server: ServerOptions): string[] {
  const settings = {
    listen_addresses: "",
    hba_file: server.folders.accessRules,
    port: SOCKET_PORT,
    unix_socket_directories: `"${server.socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: server.maxConnections,
    shared_buffers: "128MB",
    password_encryption: "scram-sha-256",
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    timezone: "UTC",
    log_timezone: "UTC",
    logging_collector: "on",
    log_directory: server.folders.log,
    log_filename: "postgresql-%a.log",
    log_rotation_age: "1d",
    log_rotation_size: 0,
    log_truncate_on_rotation: "on",
    // Statements and details carry the application's data, which does not belong in a log.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/**
 * Waits until the server answers: true, or false when it ended first. There is a time limit for no answer. A server that
 * answers that it is starting up is replaying its log after a crash, and stopping it would only make it start again.
 */
async function untilReady(server: ServerOptions, postmaster: Postmaster, stopping: AbortSignal): Promise<boolean> {
  const connection = connectionTo(server.socketFolder, server.user, server.password, "postgres");
  let heardAt = Date.now();
  try {
    for (;;) {
      const state = await probe(connection);
      if (state === "ready") return true;
      if (state === "starting") heardAt = Date.now();
      if (Date.now() - heardAt > SILENCE_MAX_MS) {
        throw new EmbeddedPostgresError("start", "PostgreSQL started but never answered.");
      }
      if (await settlesWithin(postmaster.gone, PROBE_INTERVAL_MS)) return false;
      stopping.throwIfAborted();
    }
  } catch (error) {
    await endPostmaster(postmaster, IMMEDIATE_SHUTDOWN_MS);
    throw error;
  }
}

/** Asks a server once whether it accepts connections. */
export async function probe(connection: Connection): Promise<"ready" | "starting" | "silent"> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  client.on("error", () => {}); // The connection may break at any time here; the query then fails too.
  try {
    await client.connect();
    await client.query("select 1");
    return "ready";
  } catch (error) {
    if (hasCode(error, "28P01")) {
      throw new EmbeddedPostgresError(
        "start",
        "The file postgres-password in the data folder does not hold this database's password.",
      );
    }
    // A server whose connections are all in use is running.
    if (hasCode(error, "53300")) return "ready";
    return hasCode(error, "57P03") ? "starting" : "silent";
  } finally {
    await client.end().catch(() => {});
  }
}

/** Output from before PostgreSQL opens its log. Not in the log folder, where the server's account could swap it. */
function startLog({ folders }: ServerOptions): string {
  return join(folders.home, "start.log");
}

async function findStartFailure(server: ServerOptions, startedAt: Date, ending: string): Promise<string> {
  if (ending.startsWith("signal")) return `it was ended by ${ending}`;
  const early = findReason(await readTail(startLog(server)));
  if (early !== null) return early;
  const since = startedAt.toISOString().replace("T", " ").replace("Z", "");
  for (const name of await readdir(server.folders.log)) {
    const lines = (await readTail(join(server.folders.log, name))).split("\n");
    const reason = findReason(lines.filter((line) => line >= since).join("\n"));
    if (reason !== null) return reason;
  }
  return `it ended with ${ending} and gave no reason`;
}

async function readTail(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Math.min(size, LOG_TAIL_LENGTH_BYTES);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString("utf8");
  } finally {
    await file.close();
  }
}
