// The embedded server's files, and who may read them. Root keeps everything it can: PostgreSQL, which
// refuses to run as root, owns only its cluster, its logs and its socket, and passes through the rest.

import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import {
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Account, isRoot } from "./account.ts";
import { EmbeddedPostgresError, hasCode } from "./error.ts";

/** macOS allows 104 bytes for a socket's path and Linux 108, both with the final zero byte. */
const SOCKET_PATH_LENGTH_MAX_BYTES = 103;
const SCRATCH_PREFIX = "new-";
export const SOCKET_PORT = 5432;
export const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;

export interface Folders {
  /** Which program's they are. It is part of names outside the data folder. */
  name: string;
  /** The real path of the data folder. */
  dataDir: string;
  /** All of PostgreSQL's files. The folders below are in it. */
  home: string;
  cluster: string;
  log: string;
  /** Who may connect and how. Outside the cluster, so that the account PostgreSQL runs as cannot edit it. */
  accessRules: string;
  passwordFile: string;
}

/** Creates the data folder if it is missing. Nothing else is touched: another copy may be using it. */
export async function createDataFolder(dataDir: string, name: string): Promise<Folders> {
  await mkdir(dirname(dataDir), { recursive: true });
  await mkdir(dataDir, { mode: 0o700 }).catch((error) => {
    if (!hasCode(error, "EEXIST")) throw error;
  });
  return foldersOf(await realpath(dataDir), name);
}

export function foldersOf(dataDir: string, name: string): Folders {
  const home = join(dataDir, "postgres");
  return {
    name,
    dataDir,
    home,
    cluster: join(home, "data"),
    log: join(home, "log"),
    accessRules: join(home, "pg_hba.conf"),
    passwordFile: join(dataDir, "postgres-password"),
  };
}

/** Gives every folder the owner and mode it needs, and removes what an interrupted start left. */
export async function prepareFolders(folders: Folders, account: Account): Promise<void> {
  await assertClusterOwner(folders.cluster, account);
  await assertReachable(folders.dataDir, account);
  await openDataFolder(folders.dataDir);
  await ensureFolder(folders.home, isRoot() ? 0o711 : 0o700);
  await ensureFolder(folders.log, 0o700, account);
  await writeAccessRules(folders.accessRules);
  for (const name of await readdir(folders.home)) {
    if (name.startsWith(SCRATCH_PREFIX)) await removeTree(join(folders.home, name));
  }
}

async function assertClusterOwner(cluster: string, account: Account): Promise<void> {
  const owner = (await statOrNull(cluster))?.uid ?? account.uid;
  if (owner === account.uid) return;
  throw new EmbeddedPostgresError(
    "owner",
    `${cluster} belongs to user id ${owner}, but PostgreSQL would run as user id ${account.uid}.`,
  );
}

/** Whether root gave the cluster to `former` and now runs PostgreSQL as another account. */
export async function mustChangeOwner({ cluster }: Folders, former: Account, account: Account): Promise<boolean> {
  return isRoot() && former.uid !== account.uid && (await statOrNull(cluster))?.uid === former.uid;
}

/**
 * Gives cluster and logs to another account while no server runs on them. Links are never followed: the former owner
 * could have made them. A folder changes after its content, so an interrupted change starts again at the next start.
 */
export async function changeOwner({ cluster, log }: Folders, { uid, gid }: Account): Promise<void> {
  for (const folder of [log, cluster]) {
    if (await exists(folder)) await promisify(execFile)("chown", ["-hR", `${uid}:${gid}`, folder]);
  }
}

/** Only root runs PostgreSQL as another user. Otherwise PostgreSQL can enter what we can enter. */
async function assertReachable(path: string, account: Account): Promise<void> {
  if (!isRoot()) return;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!mayEnter(await stat(folder), account)) {
      throw new EmbeddedPostgresError(
        "data-folder",
        `${path} cannot be used, because user id ${account.uid}, which PostgreSQL runs as, may not enter ${folder}: choose a folder elsewhere.`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}

function mayEnter(folder: Stats, account: Account): boolean {
  if (folder.uid === account.uid) return (folder.mode & 0o100) !== 0;
  return (folder.mode & (folder.gid === account.gid ? 0o010 : 0o001)) !== 0;
}

async function openDataFolder(dataDir: string): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  // The server's account may pass through a folder of root. The secrets inside have their own modes.
  if (isRoot()) await chmod(dataDir, (mode & 0o7777) | 0o711);
  // A folder of another owner, such as a mounted volume, keeps its mode.
  else if (uid === process.getuid?.()) await chmod(dataDir, 0o700);
}

// Written at every start, so that a changed file does not last.
async function writeAccessRules(path: string): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, "local all all scram-sha-256\n", { mode: 0o644 });
  await chmod(draft, 0o644);
  await rename(draft, path);
}

/** The umask would weaken the mode given to mkdir, so it is set afterwards. */
async function ensureFolder(path: string, mode: number, owner?: Account): Promise<void> {
  await mkdir(path, { recursive: true, mode });
  await chmod(path, mode);
  if (owner && isRoot()) await chown(path, owner.uid, owner.gid);
}

/** Creates the folder of the server's socket: in the data folder, or in a private temporary one if too deep. */
export async function createSocketFolder(folders: Folders, account: Account): Promise<string> {
  const socketFolder = join(folders.home, "socket");
  if (fitsSocket(socketFolder)) {
    await ensureFolder(socketFolder, 0o700, account);
    return socketFolder;
  }
  const fallback = temporarySocketFolder(folders);
  if (!fitsSocket(fallback)) {
    throw new EmbeddedPostgresError(
      "start",
      `TMPDIR: ${tmpdir()} is too long a path for a socket: choose a shorter one.`,
    );
  }
  await claimTemporaryFolder(dirname(fallback), account);
  await ensureFolder(fallback, 0o700, account);
  return fallback;
}

/** Removes our folder from the system's temporary folder. */
export async function removeTemporarySocketFolder(folders: Folders, socketFolder: string): Promise<void> {
  if (socketFolder === temporarySocketFolder(folders)) await removeTree(dirname(socketFolder));
}

function temporarySocketFolder(folders: Folders): string {
  const hash = createHash("sha256").update(folders.dataDir).digest("hex").slice(0, 16);
  return join(tmpdir(), `${folders.name}-${hash}`, "socket");
}

function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= SOCKET_PATH_LENGTH_MAX_BYTES;
}

/** Anyone can create names in the temporary folder, so one that exists is used only if it is provably ours. */
async function claimTemporaryFolder(path: string, account: Account): Promise<void> {
  await assertReachable(path, account);
  await mkdir(path, { mode: 0o700 }).catch((error) => {
    if (!hasCode(error, "EEXIST")) throw error;
  });
  const found = await lstat(path);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(
      "start",
      `${path} was made by somebody else: remove it, or set TMPDIR to another folder.`,
    );
  }
  await chmod(path, isRoot() ? 0o711 : 0o700);
}

const PASSWORD_LENGTH_BYTES = 32;

export function randomPassword(): string {
  return randomBytes(PASSWORD_LENGTH_BYTES).toString("base64url");
}

/** Reads the password of the cluster's owner, and makes it first where there is neither password nor cluster. */
export async function ensurePassword(folders: Folders): Promise<string> {
  const known = await readPassword(folders);
  if (known !== null) {
    await chmod(folders.passwordFile, 0o600);
    return known;
  }
  if (await exists(folders.cluster)) {
    throw new EmbeddedPostgresError(
      "start",
      `${folders.passwordFile} is missing, and ${folders.cluster} cannot be opened without it: restore it from a backup.`,
    );
  }
  const password = randomPassword();
  const draft = `${folders.passwordFile}.new`;
  await writeSecret(draft, password);
  await rename(draft, folders.passwordFile);
  await syncToDisk(folders.dataDir);
  return password;
}

export async function readPassword(folders: Folders): Promise<string | null> {
  try {
    return (await readFile(folders.passwordFile, "utf8")).trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Writes a file that only its owner can read, and that survives a power cut once this resolves. */
export async function writeSecret(path: string, content: string, owner?: Account): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  try {
    if (owner && isRoot()) await file.chown(owner.uid, owner.gid);
    await file.writeFile(`${content}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a file's content, or the names in a folder, survive a power cut. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}

/**
 * A folder to build something in before it is renamed into place, so that a crash leaves nothing half made. Its
 * name is new each time, because a child of a killed predecessor may still be writing to the previous one.
 */
export async function withScratchFolder(folders: Folders, build: (scratch: string) => Promise<void>): Promise<void> {
  const scratch = join(folders.home, SCRATCH_PREFIX + randomBytes(6).toString("hex"));
  await ensureFolder(scratch, isRoot() ? 0o711 : 0o700);
  try {
    await build(scratch);
  } finally {
    await removeTree(scratch);
  }
}

async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

export async function exists(path: string): Promise<boolean> {
  return (await statOrNull(path)) !== null;
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}
