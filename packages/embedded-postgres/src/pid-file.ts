// Which process serves a cluster. PostgreSQL writes its process id into the cluster. The file outlives a killed server, and
// another process may get the id, so the process itself is checked before it is signalled.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasCode } from "./error.ts";

/** What a postmaster wrote about itself in its cluster. The socket folder is missing until it listens. */
export interface RunningPostmaster {
  pid: number;
  socketFolder: string | null;
}

/** The running postmaster of this cluster, no matter which process started it, or null. */
export async function findPostmaster(cluster: string): Promise<RunningPostmaster | null> {
  const [pid = "", , , , socketFolder = ""] = ((await readPidFile(cluster)) ?? "").split("\n");
  if (!(await runsCluster(Number(pid), cluster))) return null;
  return { pid: Number(pid), socketFolder: socketFolder || null };
}

export async function readPidFile(cluster: string): Promise<string | null> {
  try {
    return await readFile(join(cluster, "postmaster.pid"), "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/**
 * Whether a process is the postmaster of this cluster, and not another one that got its id later. This looks at the command
 * line, because root in a container may not see the working folder.
 */
export async function runsCluster(pid: number, cluster: string): Promise<boolean> {
  return pid > 0 && (await findCommandLine(pid)).includes(`/postgres -D ${cluster} -c `);
}

async function findCommandLine(pid: number): Promise<string> {
  try {
    if (process.platform === "linux") {
      return (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ");
    }
    return (await promisify(execFile)("/bin/ps", ["-ww", "-o", "command=", "-p", String(pid)])).stdout;
  } catch {
    return "";
  }
}
