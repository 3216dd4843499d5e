// One copy of the program per data folder. The kernel holds the lock and frees it however the process ends,
// SIGKILL included, so there is never a stale lock, and two copies that start together cannot both win.

import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { hasCode } from "./error.ts";
import type { Folders } from "./files.ts";

export interface DataFolderLock {
  release(): Promise<void>;
}

/** Takes the lock of a data folder, or returns null while another living process holds it. */
export function lockDataFolder({ dataDir, name }: Folders): Promise<DataFolderLock | null> {
  return process.platform === "linux" ? bindAbstractSocket(dataDir, name) : openExclusively(dataDir);
}

/** An abstract socket has a name but no file. The name is taken exactly while its process lives. */
function bindAbstractSocket(dataDir: string, program: string): Promise<DataFolderLock | null> {
  const name = `\0${program}-${createHash("sha256").update(dataDir).digest("hex")}`;
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve, reject) => {
    server.once("error", (error) => (hasCode(error, "EADDRINUSE") ? resolve(null) : reject(error)));
    // Exclusive, because a cluster worker would otherwise ask its primary to listen and share the name.
    server.listen({ path: name, exclusive: true }, () => {
      resolve({ release: () => new Promise((released) => server.close(() => released())) });
    });
  });
}

// Node names no constant for it, but macOS and the BSDs open and lock a file in one step with this flag.
const O_EXLOCK = 0x20;

async function openExclusively(dataDir: string): Promise<DataFolderLock | null> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | O_EXLOCK;
  try {
    const file = await open(join(dataDir, "lock"), flags, 0o600);
    return { release: () => file.close() };
  } catch (error) {
    if (hasCode(error, "EAGAIN", "EWOULDBLOCK")) return null;
    throw error;
  }
}
