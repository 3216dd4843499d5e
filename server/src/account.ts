import { type Account, findAccount, findNobody, isRoot } from "@matchbook/embedded-postgres";
import { ConfigError } from "./config.ts";

export type { Account } from "@matchbook/embedded-postgres";

/** The user that PostgreSQL and the server processes run as. */
export interface ChosenAccount extends Account {
  readonly name: string;
  /** One line for the person who starts the program, or null. */
  readonly warning: string | null;
}

const OWN_USER = "matchbook";
const SHARED_USER = "nobody";

/**
 * Our own account, or when we are root the one that everything but the supervisor runs as: the user that MATCHBOOK_USER
 * names, else `matchbook`, else `nobody`.
 */
export function chooseAccount(user: string | null, accountsFile = "/etc/passwd"): ChosenAccount {
  if (!isRoot()) return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, name: "", warning: null };
  if (user !== null) {
    const named = findAccount(user, accountsFile);
    if (named === null) throw new ConfigError(`MATCHBOOK_USER names a user that is not in ${accountsFile}.`);
    if (named.uid === 0) throw new ConfigError("MATCHBOOK_USER must not be root.");
    return { ...named, name: user, warning: null };
  }
  const own = findAccount(OWN_USER, accountsFile);
  if (own !== null && own.uid !== 0) return { ...own, name: OWN_USER, warning: null };
  return {
    ...findNobody(accountsFile),
    name: SHARED_USER,
    warning:
      "The server processes and PostgreSQL run as `nobody`. Other programs may run as that user, too, and could then take over " +
      "the database. Create a system user (useradd --system matchbook), or set MATCHBOOK_USER, and start again.",
  };
}

/** Gives up root for good, supplementary groups first. Does nothing when we are not root. */
export function dropRoot({ uid, gid }: Account): void {
  if (!isRoot()) return;
  // Node takes signed numbers, and `nobody` is -2 on macOS.
  process.setgroups?.([]);
  process.setgid?.(gid | 0);
  process.setuid?.(uid | 0);
  if (process.getuid?.() === 0 || process.geteuid?.() === 0) throw new Error("Root could not be given up.");
}
