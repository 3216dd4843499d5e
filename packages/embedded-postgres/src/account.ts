import { readFileSync } from "node:fs";

/** A user of this system, as the system calls take it. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY_ID = 65_534;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user of this name, or null. */
export function findAccount(name: string, accountsFile = "/etc/passwd"): Account | null {
  const [, , uid = "", gid = ""] = readAccounts(accountsFile).find(([known]) => known === name) ?? [];
  if (!/^-?\d+$/.test(uid) || !/^-?\d+$/.test(gid)) return null;
  // macOS writes `nobody` as -2, while files show the same number without a sign.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

/** The user that every Unix has for programs without rights. */
export function findNobody(accountsFile = "/etc/passwd"): Account {
  return findAccount("nobody", accountsFile) ?? { uid: NOBODY_ID, gid: NOBODY_ID };
}

function readAccounts(file: string): string[][] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.split(":"));
  } catch {
    return [];
  }
}
