import pg from "pg";

/**
 * - `conflict`: another transaction got in the way. Running the work again can succeed.
 * - `slow`: a statement or a lock took longer than allowed.
 * - `lost`: an open connection ended. Before COMMIT, running the work again can succeed.
 * - `busy`: no connection became free in time, though the database serves those that are in use.
 * - `unavailable`: no connection, no answer, or a server that cannot serve right now.
 * - `statement`: PostgreSQL rejected the statement itself.
 */
export type FailureKind = "conflict" | "slow" | "lost" | "busy" | "unavailable" | "statement";

/**
 * What the driver threw, wrapped where it was thrown. Only this type is classified: an error of our own is never taken for a
 * failure of the database because of a word in its message. The driver's message stays in `cause`, because PostgreSQL
 * quotes values in it.
 */
export class DatabaseFailure extends Error {
  readonly kind: FailureKind;
  readonly sqlState: string | undefined;
  readonly constraint: string | undefined;

  constructor(kind: FailureKind, cause: unknown) {
    const { code, constraint } = cause instanceof pg.DatabaseError ? cause : {};
    const facts = [kind, code, constraint].filter((fact) => fact !== undefined);
    super(`The database failed (${facts.join(", ")}).`, { cause });
    this.name = "DatabaseFailure";
    this.kind = kind;
    this.sqlState = code;
    this.constraint = constraint;
  }
}

/** The connection was lost while COMMIT was on its way: the work may or may not have been done. */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super("The connection was lost at COMMIT.", { cause });
    this.name = "CommitUnknownError";
  }
}

const KIND_OF_STATE: Readonly<Record<string, FailureKind>> = {
  "40001": "conflict", // serialization failure
  "40P01": "conflict", // deadlock
  "57014": "slow", // statement timeout
  "55P03": "slow", // lock timeout
  "57P01": "lost", // the server shuts down
  "57P02": "lost", // another backend crashed
  "57P03": "unavailable", // starting up
  "57P04": "unavailable", // database dropped
  "53300": "unavailable", // too many connections
  "55000": "unavailable", // not accepting connections
  "3D000": "unavailable", // no such database
  "28000": "unavailable", // our role is refused
  "28P01": "unavailable", // our password is refused
  "25006": "unavailable", // read-only after a failover
  "25P03": "unavailable", // idle in transaction too long
};

// The driver gives these errors no code. They are compared whole, and only with what the driver itself threw.
const CONNECTION_ENDED = [
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Client was closed and is not queryable",
  "Client has encountered a connection error and is not queryable",
];

/** Why a statement failed. What is neither PostgreSQL's nor the connection's fault is a bug of ours and stays as it is. */
export function statementFailure(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const state = error.code ?? "";
    return new DatabaseFailure(KIND_OF_STATE[state] ?? (state.startsWith("08") ? "lost" : "statement"), error);
  }
  if (!(error instanceof Error)) return error;
  const ended = CONNECTION_ENDED.includes(error.message) || (error as NodeJS.ErrnoException).syscall !== undefined;
  return ended ? new DatabaseFailure("lost", error) : error;
}

/** The connection was ended because the server did not answer. */
export function noAnswer(error: unknown): DatabaseFailure {
  return new DatabaseFailure("unavailable", error);
}

/** Why there is no connection. It is never retried here: the caller gets the error immediately. */
export function connectFailure(error: unknown, areAllInUse: boolean): DatabaseFailure {
  return new DatabaseFailure(areAllInUse ? "busy" : "unavailable", error);
}

const hasKind = (error: unknown, ...kinds: FailureKind[]) =>
  error instanceof DatabaseFailure && kinds.includes(error.kind);

/** The work was rolled back and may succeed when it runs again. */
export const isRetryable = (error: unknown): boolean => hasKind(error, "conflict", "lost");

/** The connection cannot be used any more. */
export const isConnectionLost = (error: unknown): boolean => hasKind(error, "lost", "unavailable");

/** All connections were in use for longer than a request waits for one. */
export const isBusy = (error: unknown): boolean => hasKind(error, "busy");

/** The database cannot be used right now. The request is not at fault. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof CommitUnknownError || isConnectionLost(error) || isBusy(error);

/** The database answers but is busy: a statement, a lock or a conflict took longer than a request may. */
export const isTooSlow = (error: unknown): boolean => hasKind(error, "slow", "conflict");

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseFailure && error.sqlState === "23505" && error.constraint === constraint;
}
