// The PostgreSQL that Matchbook runs itself when no DATABASE_URL is given. The package knows how; this file has our
// names and says which of our variables helps.

import {
  type Account,
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  findNobody,
  findRunningEmbeddedPostgres,
  type Log,
  type Problem,
  startEmbeddedPostgres,
} from "@matchbook/embedded-postgres";
import { ConfigError } from "../config.ts";
import { RUNTIME_ROLE } from "./runtime-role.ts";

const NAME = "matchbook";

const ADVICE: Record<Problem, { variable?: string; todo?: string }> = {
  "in-use": { todo: "Matchbook is already running there; stop it first, or set MATCHBOOK_DATA_DIR to another folder" },
  "data-folder": { variable: "MATCHBOOK_DATA_DIR" },
  owner: {
    variable: "MATCHBOOK_DATA_DIR",
    todo: "start Matchbook as the user that created it, set MATCHBOOK_USER, or choose another folder",
  },
  programs: { todo: "set DATABASE_URL to use your own PostgreSQL" },
  start: {},
};

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly databases: readonly string[];
  readonly maxConnections: number;
  readonly log: Log;
  readonly account: Account;
}

export function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  // Earlier versions ran PostgreSQL as `nobody` when they were started as root.
  return withAdvice(() =>
    startEmbeddedPostgres({ ...options, name: NAME, roles: [RUNTIME_ROLE], formerAccount: findNobody() }),
  );
}

export function findRunningEmbedded(dataDir: string): ReturnType<typeof findRunningEmbeddedPostgres> {
  return withAdvice(() => findRunningEmbeddedPostgres(dataDir, NAME));
}

async function withAdvice<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof EmbeddedPostgresError)) throw cause;
    const { variable, todo } = ADVICE[cause.problem];
    const message = variable === undefined ? cause.message : `${variable}: ${cause.message}`;
    throw new ConfigError(todo === undefined ? message : `${message.replace(/\.$/, "")}: ${todo}.`, { cause });
  }
}
