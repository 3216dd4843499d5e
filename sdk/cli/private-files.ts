import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "./command.ts";

// Files that only their owner may read: keys, and profiles, which decide where signed requests go.

const OWNER_ONLY = 0o600;
const OTHERS_MASK = 0o077;

/** The file's text, or null when there is none. A file that others may read is refused rather than mended silently. */
export function readPrivateFile(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isFile()) throw new Failure(`${path} is not a file.`);
  // Windows has no such bits and reports all of them as set.
  if (process.platform !== "win32" && (found.mode & OTHERS_MASK) !== 0) {
    throw new Failure(`${path} can be read by other users of this machine. Run: chmod 600 ${path}`);
  }
  return readFileSync(path, "utf8");
}

/** Makes a new file; one that exists stays as it is, also when two programs try at the same time. */
export function createPrivateFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: OWNER_ONLY, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Failure(`${path} exists already and is not overwritten.`);
  }
}

/** Replaces the whole file in one step, so that a crash leaves the old or the new one. */
export function replacePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, text, { mode: OWNER_ONLY });
  chmodSync(temporary, OWNER_ONLY);
  renameSync(temporary, path);
}
