// A real PostgreSQL of our own, for when no DATABASE_URL is given: started from the npm package's programs in the
// data folder, reachable only by a socket and a password, restarted when it dies, stopped with the program.

import { realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Account, chooseAccount, findNobody } from "../account.ts";
import { findBinariesPackage, prepareBinaries } from "./embedded/binaries.ts";
import { ensureCluster } from "./embedded/cluster.ts";
import { EmbeddedPostgresError, hasCode } from "./embedded/error.ts";
import {
  changeOwner,
  createDataFolder,
  createSocketFolder,
  ensurePassword,
  type Folders,
  foldersOf,
  mustChangeOwner,
  prepareFolders,
  randomPassword,
  readPassword,
  removeTemporarySocketFolder,
} from "./embedded/files.ts";
import { type DataFolderLock, lockDataFolder } from "./embedded/lock.ts";
import { findPostmaster } from "./embedded/pid-file.ts";
import {
  type Connection,
  connectionTo,
  endOrphan,
  endPostmaster,
  launchPostmaster,
  type Postmaster,
  probe,
  type ServerOptions,
} from "./embedded/postmaster.ts";
import { createRuntimeRole, RUNTIME_ROLE } from "./runtime-role.ts";

export { EmbeddedPostgresError } from "./embedded/error.ts";

const FAST_SHUTDOWN_MS = 4_000;
const RESTART_BACKOFF_FIRST_MS = 100;
const RESTART_BACKOFF_LAST_MS = 2_000;
const FIND_TIMEOUT_MS = 30_000;
const FIND_INTERVAL_MS = 50;

export interface EmbeddedPostgres {
  /** How to connect to a database of this server as the superuser, who owns everything: for migrations and commands. */
  connection(database: string): Connection;
  /** The same as the role that serves requests. Its password is a new one at every start and is stored nowhere. */
  runtimeConnection(database: string): Connection;
  /** Fast shutdown; resolves when the postmaster is gone. Releases the data folder's lock. Idempotent. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  databases: string[];
  maxConnections: number;
  log: ServerOptions["log"];
  /** Who PostgreSQL runs as when we are root. */
  account?: Account;
}

/**
 * Starts the server in `<dataDir>/postgres`, initialising it on first use, creates missing `databases`, and keeps it
 * running: if the postmaster dies unexpectedly it is started again.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return explainingFileErrors(options.dataDir, async () => {
    const packageFolder = findBinariesPackage();
    const folders = await createDataFolder(options.dataDir);
    const lock = await lockDataFolder(folders.dataDir);
    if (!lock) {
      throw new EmbeddedPostgresError(
        `Matchbook is already running on ${folders.dataDir}: stop it first, or set MATCHBOOK_DATA_DIR to another folder.`,
      );
    }
    try {
      const server = await prepareServer(folders, packageFolder, options);
      return await startServer(server, options.databases, lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  });
}

/**
 * Connection settings of a server that another process of ours already runs in this data folder, or null. The
 * operators' command line works beside a running service this way.
 */
export async function findRunningEmbeddedPostgres(
  dataDir: string,
): Promise<Pick<EmbeddedPostgres, "connection"> | null> {
  return explainingFileErrors(dataDir, async () => {
    const folders = await findFolders(dataDir);
    const password = folders && (await readPassword(folders));
    if (!folders || password === null) return null;
    const giveUpAt = Date.now() + FIND_TIMEOUT_MS;
    while (Date.now() < giveUpAt) {
      const running = await findPostmaster(folders.cluster);
      if (!running) return null;
      const socketFolder = running.socketFolder ?? "";
      const state = socketFolder && (await probe(connectionTo(socketFolder, password, "postgres")));
      if (state === "ready") return { connection: (database) => connectionTo(socketFolder, password, database) };
      await sleep(FIND_INTERVAL_MS);
    }
    return null;
  });
}

async function findFolders(dataDir: string): Promise<Folders | null> {
  try {
    return foldersOf(await realpath(dataDir));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** What the operating system refuses about a folder is for the person who chose it, in a line of their own. */
async function explainingFileErrors<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const isFileError = cause instanceof Error && "syscall" in cause && "path" in cause;
    if (!isFileError) throw cause;
    throw new EmbeddedPostgresError(`MATCHBOOK_DATA_DIR: ${dataDir} cannot be used (${cause.message}).`, {
      cause,
    });
  }
}

async function prepareServer(
  folders: Folders,
  packageFolder: string,
  { maxConnections, log, account = chooseAccount(null) }: EmbeddedPostgresOptions,
): Promise<ServerOptions> {
  if (await mustChangeOwner(folders, findNobody(), account)) {
    await endOrphan({ folders, log });
    await changeOwner(folders, account);
    log.warn({ uid: account.uid }, "The database belonged to nobody and was given to the account it now runs as.");
  }
  await prepareFolders(folders, account);
  const binaries = await prepareBinaries(packageFolder, folders);
  const password = await ensurePassword(folders);
  await ensureCluster({ folders, account, binaries, password });
  const socketFolder = await createSocketFolder(folders, account);
  return { folders, account, binaries, password, socketFolder, maxConnections, log };
}

async function startServer(
  server: ServerOptions,
  databases: string[],
  lock: DataFolderLock,
): Promise<EmbeddedPostgres> {
  const stopping = new AbortController();
  const postmaster = await launchPostmaster(server, stopping.signal);
  const runtimePassword = randomPassword();
  const supervisor = new Supervisor(server, lock, stopping, postmaster, runtimePassword);
  try {
    await createDatabases(supervisor.connection("postgres"), databases);
    await createRuntimeRole(supervisor.connection("postgres"), runtimePassword);
    return supervisor;
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

async function createDatabases(connection: Connection, names: string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>("select datname as name from pg_database");
    for (const name of names.filter((wanted) => !rows.some((row) => row.name === wanted))) {
      await client.query(`create database ${client.escapeIdentifier(name)}`);
    }
  } finally {
    await client.end();
  }
}

class Supervisor implements EmbeddedPostgres {
  readonly #server: ServerOptions;
  readonly #lock: DataFolderLock;
  readonly #stopping: AbortController;
  readonly #supervision: Promise<void>;
  readonly #runtimePassword: string;
  #postmaster: Postmaster;
  #stopped: Promise<void> | null = null;

  constructor(
    server: ServerOptions,
    lock: DataFolderLock,
    stopping: AbortController,
    postmaster: Postmaster,
    runtimePassword: string,
  ) {
    this.#server = server;
    this.#lock = lock;
    this.#stopping = stopping;
    this.#postmaster = postmaster;
    this.#runtimePassword = runtimePassword;
    this.#supervision = this.#supervise();
  }

  connection(database: string): Connection {
    return connectionTo(this.#server.socketFolder, this.#server.password, database);
  }

  runtimeConnection(database: string): Connection {
    return connectionTo(this.#server.socketFolder, this.#runtimePassword, database, RUNTIME_ROLE);
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
      // A stop() in the middle of a restart ended the former postmaster; this one is a moment younger.
      if (this.#stopping.signal.aborted) return endPostmaster(this.#postmaster, FAST_SHUTDOWN_MS);
    }
  }

  async #restart(): Promise<void> {
    const { signal } = this.#stopping;
    for (let waitMs = RESTART_BACKOFF_FIRST_MS; ; waitMs = Math.min(2 * waitMs, RESTART_BACKOFF_LAST_MS)) {
      try {
        await sleep(waitMs, undefined, { signal });
        this.#postmaster = await launchPostmaster(this.#server, signal);
        this.#server.log.info({ pid: this.#postmaster.pid }, "PostgreSQL is running again.");
        return;
      } catch (error) {
        // What stop() interrupts is no failure; supervision sees the same signal and ends.
        if (signal.aborted) return;
        this.#server.log.warn({ err: error }, "PostgreSQL could not be restarted; trying again.");
      }
    }
  }
}
