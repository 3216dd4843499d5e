// Finds out which program listens on a port, for the message that a port is taken. It is null where the system does not
// say: a process of another user, or in another container.

import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

export interface PortOwner {
  readonly pid: number;
  /** The name of the program's file, in printable ASCII. Its arguments could contain secrets. */
  readonly program: string;
}

const LISTENING = "0A";

export function findPortOwner(port: number): PortOwner | null {
  try {
    const sockets = new Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => listenersIn(table, port)));
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      if (!openFilesOf(pid).some((file) => sockets.has(file))) continue;
      return { pid: Number(pid), program: basename(readlinkSync(`/proc/${pid}/exe`)).replace(/[^ -~]/g, "?") };
    }
  } catch {
    // This system has no /proc, or the process has just ended.
  }
  return null;
}

/** Lines such as `0: 0100007F:1F90 00000000:0000 0A … … … uid … inode`: local address, remote address, state. */
function listenersIn(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return readFileSync(table, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => state === LISTENING && local.endsWith(`:${wanted}`))
    .map((fields) => `socket:[${fields[9]}]`);
}

function openFilesOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => readLink(`/proc/${pid}/fd/${descriptor}`));
  } catch {
    return [];
  }
}

function readLink(path: string): string[] {
  try {
    return [readlinkSync(path)];
  } catch {
    return [];
  }
}
