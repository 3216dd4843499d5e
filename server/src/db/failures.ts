import pg from "pg";

/** The connection was lost while COMMIT was on its way: the work may or may not have been done. */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super("The connection was lost at COMMIT.", { cause });
  }
}

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const UNIQUE_VIOLATION = "23505";
const QUERY_CANCELED = "57014";
const LOCK_NOT_AVAILABLE = "55P03";
const ADMIN_SHUTDOWN = "57P01";
const CRASH_SHUTDOWN = "57P02";
// Starting up, without room for one more connection, not accepting ours, read-only after a failover, or a session that sat
// idle too long.
const UNAVAILABLE = new Set([
  ADMIN_SHUTDOWN,
  CRASH_SHUTDOWN,
  "57P03",
  "57P04",
  "53300",
  "55000",
  "3D000",
  "28000",
  "28P01",
  "25006",
  "25P03",
]);

/**
 * The work rolled back and may succeed when run again: a conflict with a neighbour, or a connection that was
 * lost before COMMIT was sent. A refused connection is not retried: the caller is told at once.
 */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  if (code !== undefined)
    return [SERIALIZATION_FAILURE, DEADLOCK_DETECTED, ADMIN_SHUTDOWN, CRASH_SHUTDOWN].includes(code);
  return error instanceof Error && DROPPED.test(error.message);
}

/** The connection cannot be used any more: it ended, never came about, or stopped answering. */
export function isConnectionLost(error: unknown): boolean {
  const code = sqlState(error);
  if (code !== undefined) return UNAVAILABLE.has(code) || code.startsWith("08");
  if (!(error instanceof Error)) return false;
  return (
    DROPPED.test(error.message) ||
    NO_ANSWER.test(error.message) ||
    (error as NodeJS.ErrnoException).syscall !== undefined
  );
}

/** The database cannot be used right now, for no fault of the request. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof CommitUnknownError || isConnectionLost(error);
}

/** The database is there but busy: a statement, a lock or a conflict took longer than a request may. */
export function isTooSlow(error: unknown): boolean {
  const code = sqlState(error) ?? "";
  return [QUERY_CANCELED, LOCK_NOT_AVAILABLE, SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(code);
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint;
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

// The wordings of `pg`, which gives these errors no code.
const DROPPED =
  /^(Connection terminated( unexpectedly)?|Client was closed|Client has encountered a connection error)|ECONNRESET|EPIPE/;
const NO_ANSWER = /timeout|after calling end on the pool/;
