// A cluster is PostgreSQL's word for one server's folder of databases. It is made once, in a scratch folder, and
// renamed into place when it is complete and on disk.

import { execFile } from "node:child_process";
import { chmod, chown, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Account, isRoot } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { EmbeddedPostgresError } from "./error.ts";
import { exists, type Folders, syncToDisk, withScratchFolder, writeSecret } from "./files.ts";

/** The environment variables that PostgreSQL gets. Ours contain secrets. */
export const SERVER_ENVIRONMENT = { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" };

export interface ClusterOptions {
  folders: Folders;
  account: Account;
  binaries: Binaries;
  /** The name of the superuser. */
  user: string;
  password: string;
}

/** The options that make a child process run as the server's account; empty for our own. */
export function runAs(account: Account): { uid?: number; gid?: number } {
  // Node takes signed numbers here, and `nobody` is -2 on macOS.
  return isRoot() ? { uid: account.uid | 0, gid: account.gid | 0 } : {};
}

export async function ensureCluster(options: ClusterOptions): Promise<void> {
  const { cluster } = options.folders;
  const versionFile = join(cluster, "PG_VERSION");
  if (!(await exists(versionFile))) await createCluster(options);
  const major = (await readFile(versionFile, "utf8")).trim();
  if (major === options.binaries.major) return;
  throw new EmbeddedPostgresError(
    "programs",
    `${cluster} was made by PostgreSQL ${major} and this release brings ${options.binaries.major}: move the data with the release that made it.`,
  );
}

async function createCluster({ folders, account, binaries, user, password }: ClusterOptions): Promise<void> {
  await withScratchFolder(folders, async (scratch) => {
    const passwordFile = join(scratch, "password");
    const draft = join(scratch, "data");
    await writeSecret(passwordFile, password, account);
    await mkdir(draft);
    await chmod(draft, 0o700);
    if (isRoot()) await chown(draft, account.uid, account.gid);
    await runInitdb(binaries.initdb, account, folders.home, [
      `--pgdata=${draft}`,
      `--pwfile=${passwordFile}`,
      `--username=${user}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--no-instructions",
    ]);
    await rename(draft, folders.cluster);
    await syncToDisk(folders.home);
  });
}

async function runInitdb(initdb: string, account: Account, cwd: string, args: string[]): Promise<void> {
  try {
    await promisify(execFile)(initdb, args, { cwd, env: SERVER_ENVIRONMENT, ...runAs(account) });
  } catch (cause) {
    const reason = findReason(String((cause as { stderr?: unknown }).stderr ?? "")) ?? String(cause);
    throw new EmbeddedPostgresError("programs", `PostgreSQL's initdb failed (${reason}).`, { cause });
  }
}

/** The line of PostgreSQL's output that says what went wrong, without its time stamp and severity. */
export function findReason(output: string): string | null {
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !/\b(LOG|HINT):/.test(line));
  const telling = lines.findLast((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1);
  return telling?.replace(/^.*?\b(FATAL|PANIC|error):/, "").trim() ?? null;
}
