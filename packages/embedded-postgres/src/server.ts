// A real PostgreSQL, started from the npm package's programs in the data folder, reachable only by a socket and a password,
// restarted when it dies, stopped with the program.

import { realpath } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { type Account, findNobody, isRoot } from "./account.ts";
import { findBinariesPackage, prepareBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { EmbeddedPostgresError, hasCode } from "./error.ts";
import {
  changeOwner,
  createDataFolder,
  createSocketFolder,
  ensurePassword,
  exists,
  type Folders,
  foldersOf,
  mustChangeOwner,
  prepareFolders,
  randomPassword,
  readPassword,
  removeTemporarySocketFolder,
} from "./files.ts";
import { type DataFolderLock, lockDataFolder } from "./lock.ts";
import { findPostmaster } from "./pid-file.ts";
import {
  type Connection,
  connectionTo,
  endOrphan,
  endPostmaster,
  type Log,
  launchPostmaster,
  type Postmaster,
  probe,
  type ServerOptions,
} from "./postmaster.ts";
import { createDatabases, createRole } from "./roles.ts";

const FAST_SHUTDOWN_MS = 4_000;
const RESTART_BACKOFF_FIRST_MS = 100;
const RESTART_BACKOFF_LAST_MS = 2_000;
const FIND_TIMEOUT_MS = 30_000;
const FIND_INTERVAL_MS = 50;

export interface EmbeddedPostgres {
  /** How to connect to a database of this server: as the superuser, who owns everything, or as one of `roles`. */
  connection(database: string, role?: string): Connection;
  /** Fast shutdown; resolves when the postmaster is gone. Releases the data folder's lock. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Everything is in here. It is created if it is missing. */
  dataDir: string;
  /** The program's name: lower-case letters, digits, `-` and `_`. The superuser has it, and so has the lock. */
  name?: string;
  /** Databases that are created if they are missing. */
  databases?: readonly string[];
  /** Roles that may log in and have no rights yet. Each gets a new password at every start, which is stored nowhere. */
  roles?: readonly string[];
  maxConnections?: number;
  log?: Log;
  /** Who PostgreSQL runs as when we are root, which it refuses to run as. */
  account?: Account;
  /** Who it ran as before, when that has changed: what belongs to this account is given to `account`. */
  formerAccount?: Account;
}

const DEFAULT_NAME = "postgres";
const MAX_CONNECTIONS_DEFAULT = 100;
const SILENT: Log = { info() {}, warn() {}, error() {} };

/**
 * Starts the server in `<dataDir>/postgres`, initialising it on first use, creates missing `databases`, and keeps it
 * running: if the postmaster dies unexpectedly it is started again.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return explainingFileErrors(options.dataDir, async () => {
    const packageFolder = findBinariesPackage();
    const folders = await createDataFolder(options.dataDir, options.name ?? DEFAULT_NAME);
    const lock = await lockDataFolder(folders);
    if (!lock) throw new EmbeddedPostgresError("in-use", `PostgreSQL already runs in ${folders.dataDir}.`);
    try {
      const server = await prepareServer(folders, packageFolder, options);
      return await startServer(server, options, lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  });
}

/**
 * How to connect, as the superuser, to a server that another process already runs in this data folder, or null. A command
 * works beside a running service this way.
 */
export async function findRunningEmbeddedPostgres(
  dataDir: string,
  name: string = DEFAULT_NAME,
): Promise<{ connection(database: string): Connection } | null> {
  return explainingFileErrors(dataDir, async () => {
    const folders = await findFolders(dataDir, name);
    const password = folders && (await readPassword(folders));
    if (!folders || password === null) return null;
    const giveUpAt = Date.now() + FIND_TIMEOUT_MS;
    while (Date.now() < giveUpAt) {
      const running = await findPostmaster(folders.cluster);
      if (!running) return null;
      const socketFolder = running.socketFolder ?? "";
      const connection = (database: string) => connectionTo(socketFolder, name, password, database);
      const state = socketFolder && (await probe(connection("postgres")));
      if (state === "ready") return { connection };
      await pause(FIND_INTERVAL_MS);
    }
    return null;
  });
}

/** Whether this data folder holds a server's data, running or not. */
export async function hasEmbeddedPostgres(dataDir: string): Promise<boolean> {
  const folders = await findFolders(dataDir, DEFAULT_NAME);
  return folders !== null && (await exists(folders.passwordFile));
}

async function findFolders(dataDir: string, name: string): Promise<Folders | null> {
  try {
    return foldersOf(await realpath(dataDir), name);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Turns what the operating system refuses about a folder into one line for the person who chose it. */
async function explainingFileErrors<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const isFileError = cause instanceof Error && "syscall" in cause && "path" in cause;
    if (!isFileError) throw cause;
    throw new EmbeddedPostgresError("data-folder", `${dataDir} cannot be used (${cause.message}).`, { cause });
  }
}

async function prepareServer(
  folders: Folders,
  packageFolder: string,
  options: EmbeddedPostgresOptions,
): Promise<ServerOptions> {
  const { log = SILENT, maxConnections = MAX_CONNECTIONS_DEFAULT, account = defaultAccount(), formerAccount } = options;
  if (formerAccount && (await mustChangeOwner(folders, formerAccount, account))) {
    await endOrphan({ folders, log });
    await changeOwner(folders, account);
    log.warn(
      { uid: account.uid, formerUid: formerAccount.uid },
      "The database was given to the account that PostgreSQL now runs as.",
    );
  }
  await prepareFolders(folders, account);
  const binaries = await prepareBinaries(packageFolder, folders);
  const password = await ensurePassword(folders);
  const user = folders.name;
  await ensureCluster({ folders, account, binaries, user, password });
  const socketFolder = await createSocketFolder(folders, account);
  return { folders, account, binaries, user, password, socketFolder, maxConnections, log };
}

function defaultAccount(): Account {
  return isRoot() ? findNobody() : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

async function startServer(
  server: ServerOptions,
  { databases = [], roles = [] }: EmbeddedPostgresOptions,
  lock: DataFolderLock,
): Promise<EmbeddedPostgres> {
  const stopping = new AbortController();
  const postmaster = await launchPostmaster(server, stopping.signal);
  const passwords = new Map(roles.map((role) => [role, randomPassword()]));
  const supervisor = new Supervisor(server, lock, stopping, postmaster, passwords);
  try {
    await createDatabases(supervisor.connection("postgres"), databases);
    for (const [role, password] of passwords) await createRole(supervisor.connection("postgres"), role, password);
    return supervisor;
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

class Supervisor implements EmbeddedPostgres {
  readonly #server: ServerOptions;
  readonly #lock: DataFolderLock;
  readonly #stopping: AbortController;
  readonly #supervision: Promise<void>;
  readonly #passwords: ReadonlyMap<string, string>;
  #postmaster: Postmaster;
  #stopped: Promise<void> | null = null;

  constructor(
    server: ServerOptions,
    lock: DataFolderLock,
    stopping: AbortController,
    postmaster: Postmaster,
    passwords: ReadonlyMap<string, string>,
  ) {
    this.#server = server;
    this.#lock = lock;
    this.#stopping = stopping;
    this.#postmaster = postmaster;
    this.#passwords = passwords;
    this.#supervision = this.#supervise();
  }

  connection(database: string, role?: string): Connection {
    const { socketFolder, user, password } = this.#server;
    if (role === undefined) return connectionTo(socketFolder, user, password, database);
    const rolePassword = this.#passwords.get(role);
    if (rolePassword === undefined) throw new TypeError(`${role} is not among the roles given at the start.`);
    return connectionTo(socketFolder, role, rolePassword, database);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#shutDown();
    return this.#stopped;
  }

  async #shutDown(): Promise<void> {
    this.#stopping.abort();
    try {
      await endPostmaster(this.#postmaster, FAST_SHUTDOWN_MS);
      await this.#supervision;
      await removeTemporarySocketFolder(this.#server.folders, this.#server.socketFolder);
    } finally {
      await this.#lock.release();
    }
  }

  async #supervise(): Promise<void> {
    for (;;) {
      const ending = await this.#postmaster.gone;
      if (this.#stopping.signal.aborted) return;
      this.#server.log.error({ pid: this.#postmaster.pid, ending }, "PostgreSQL ended unexpectedly; restarting it.");
      await this.#restart();
      // A stop() during a restart ended the previous postmaster, not this one.
      if (this.#stopping.signal.aborted) return endPostmaster(this.#postmaster, FAST_SHUTDOWN_MS);
    }
  }

  async #restart(): Promise<void> {
    const { signal } = this.#stopping;
    for (let waitMs = RESTART_BACKOFF_FIRST_MS; ; waitMs = Math.min(2 * waitMs, RESTART_BACKOFF_LAST_MS)) {
      try {
        await pause(waitMs, undefined, { signal });
        this.#postmaster = await launchPostmaster(this.#server, signal);
        this.#server.log.info({ pid: this.#postmaster.pid }, "PostgreSQL is running again.");
        return;
      } catch (error) {
        // An interruption by stop() is no failure. The supervision sees the same signal and ends.
        if (signal.aborted) return;
        this.#server.log.warn({ err: error }, "PostgreSQL could not be restarted; trying again.");
      }
    }
  }
}
