import { readFileSync } from "node:fs";
import { ConfigError } from "./config.ts";

/** The user that PostgreSQL and the server processes run as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface ChosenAccount extends Account {
  readonly name: string;
  /** One line for the person who starts the program, or null. */
  readonly warning: string | null;
}

const OWN_USER = "matchbook";
const SHARED_USER = "nobody";
const SHARED_ID = 65_534;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Our own account, or when we are root the one that everything but the supervisor runs as: the user that MATCHBOOK_USER
 * names, else `matchbook`, else `nobody`.
 */
export function chooseAccount(user: string | null, accountsFile = "/etc/passwd"): ChosenAccount {
  if (!isRoot()) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, name: "", warning: null };
  const accounts = readAccounts(accountsFile);
  if (user !== null) {
    const named = findAccount(accounts, user);
    if (named === null) throw new ConfigError(`MATCHBOOK_USER names a user that is not in ${accountsFile}.`);
    if (named.uid === 0) throw new ConfigError("MATCHBOOK_USER must not be root.");
    return { ...named, name: user, warning: null };
  }
  const own = findAccount(accounts, OWN_USER);
  if (own !== null && own.uid !== 0) return { ...own, name: OWN_USER, warning: null };
  return {
    ...findNobody(accountsFile),
    name: SHARED_USER,
    warning:
      "The server processes and PostgreSQL run as `nobody`. Other programs may run as that user, too, and could then take over " +
      "the database. Create a system user (useradd --system matchbook), or set MATCHBOOK_USER, and start again.",
  };
}

/** The account that root gave everything to before there was a choice. */
export function findNobody(accountsFile = "/etc/passwd"): Account {
  return findAccount(readAccounts(accountsFile), SHARED_USER) ?? { uid: SHARED_ID, gid: SHARED_ID };
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

function findAccount(accounts: string[][], wanted: string): Account | null {
  const [, , uid = "", gid = ""] = accounts.find(([name]) => name === wanted) ?? [];
  if (!/^-?\d+$/.test(uid) || !/^-?\d+$/.test(gid)) return null;
  // macOS writes nobody as -2, while files show the same number without a sign.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

/** Gives up root for good, supplementary groups first. Does nothing when we are not root. */
export function dropRoot({ uid, gid }: Account): void {
  if (!isRoot()) return;
  // Node takes signed numbers, and macOS's nobody is -2.
  process.setgroups?.([]);
  process.setgid?.(gid | 0);
  process.setuid?.(uid | 0);
  if (process.getuid?.() === 0 || process.geteuid?.() === 0) throw new Error("Root could not be given up.");
}
