import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import {
  IDLE_IN_TRANSACTION_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
  POOL_WAIT_TIMEOUT_MS,
  STATEMENT_TIMEOUT_MS,
  TRANSACTION_ATTEMPTS_MAX,
} from "../limits.ts";
import {
  CommitUnknownError,
  connectFailure,
  isConnectionLost,
  isRetryable,
  noAnswer,
  statementFailure,
} from "./failures.ts";
import { ROW_TYPES, type RowTypes } from "./row-types.ts";

export type Value = string | number | bigint | boolean | null | Date | Buffer | readonly Value[];

/** Anything that runs one statement: the pool itself, or a transaction. */
export interface Queryable {
  query<Row>(text: string, values?: readonly Value[], types?: RowTypes): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Runs the work in one transaction. Runs it again from the start after a conflict or a lost connection. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  readonly counts: { total: number; idle: number; waiting: number };
  end(): Promise<void>;
}

export interface TransactionOptions {
  readonly isolation?: "read committed" | "repeatable read";
  readonly statementTimeoutMs?: number;
}

export type ConnectionSettings =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly password: string;
      readonly database: string;
      readonly ssl: false;
    };

const ANSWER_MARGIN_MS = 2_000;

export function openDatabase(connection: ConnectionSettings, poolSize: number): Database {
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    application_name: "matchbook",
    connectionTimeoutMillis: POOL_WAIT_TIMEOUT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // Plans are made without the values. With them, a merchant that the statistics do not know yet counts as one row, every
    // index that begins with the merchant looks equally good, and a look-up by wallet reads all of its deposits (measured: 2 s
    // in place of 5 ms for a page of qualified wallets, among 40,000 deposits of a new merchant).
    // The time zone is that of ISO_DATES.
    options: "-c plan_cache_mode=force_generic_plan -c TimeZone=UTC",
  });
  // A connection that is lost while idle emits an error that no caller awaits. Without these listeners a restart of
  // PostgreSQL would end our process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  // Those that are still being made do not count: while the database is away, they take every place in the pool.
  const connected = new Set<pg.PoolClient>();
  pool.on("connect", (client) => connected.add(client));
  pool.on("remove", (client) => connected.delete(client));
  const areAllInUse = () => connected.size >= poolSize;

  return {
    // Callbacks in place of promises: every read passes here. The connection goes to the next statement before this one's rows
    // are worked on.
    query<Row>(text: string, values: readonly Value[] = [], types: RowTypes = ROW_TYPES): Promise<Row[]> {
      return new Promise((resolve, reject) => {
        pool.connect((error, client, release) => {
          if (client === undefined) {
            reject(connectFailure(error, areAllInUse()));
            return;
          }
          send<Row>(client, prepared(text, values, types), STATEMENT_TIMEOUT_MS, (failure, rows) => {
            release(isConnectionLost(failure));
            if (failure === null) resolve(rows);
            else reject(failure);
          });
        });
      });
    },

    async transaction<Result>(work: (transaction: Queryable) => Promise<Result>, options: TransactionOptions = {}) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(await connect(pool, areAllInUse), work, options);
        } catch (error) {
          if (!isRetryable(error) || attempt === TRANSACTION_ATTEMPTS_MAX) throw error;
          await pause(Math.random() * 5 * 2 ** Math.min(attempt, 6));
        }
      }
    },

    get counts() {
      return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
    },

    end: () => pool.end(),
  };
}

async function runTransaction<Result>(
  client: pg.PoolClient,
  work: (transaction: Queryable) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  let broken: Error | undefined;
  let committing = false;
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  try {
    await run(client, { text: `begin isolation level ${options.isolation ?? "read committed"}` });
    if (options.statementTimeoutMs !== undefined) {
      const values = [String(options.statementTimeoutMs)];
      await run(client, { text: "select set_config('statement_timeout', $1, true)", values });
    }
    const result = await work({
      query: <Row>(text: string, values: readonly Value[] = [], types: RowTypes = ROW_TYPES) =>
        run<Row>(client, prepared(text, values, types), statementTimeoutMs),
    });
    committing = true;
    await run(client, { text: "commit" });
    return result;
  } catch (error) {
    // The connection stays usable only after an error that PostgreSQL itself sent.
    if (isConnectionLost(error)) {
      broken = error as Error;
      // A COMMIT that was not answered may have taken effect.
      if (committing) throw new CommitUnknownError(error);
    } else {
      await run(client, { text: "rollback" }).catch((failure: Error) => {
        broken = failure;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

async function connect(pool: pg.Pool, areAllInUse: () => boolean): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw connectFailure(error, areAllInUse());
  }
}

function run<Row>(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    send<Row>(client, query, statementTimeoutMs, (failure, rows) =>
      failure === null ? resolve(rows) : reject(failure),
    );
  });
}

/**
 * Runs one statement. PostgreSQL's own timeout comes first; the one here ends the connection to a server that does not answer
 * at all. It is not the driver's `query_timeout`: that one keeps the rows of finished statements in memory until the next major
 * collection (measured: 2.4 MB instead of 1 KB of each 16 MB survive a minor collection, which takes 15 ms instead of 2).
 */
function send<Row>(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  statementTimeoutMs: number,
  done: (failure: unknown, rows: Row[]) => void,
): void {
  let isUnanswered = false;
  const waiting = setTimeout(() => {
    isUnanswered = true;
    client.end();
  }, statementTimeoutMs + ANSWER_MARGIN_MS);
  client.query(query, (error: unknown, result) => {
    clearTimeout(waiting);
    if (isUnanswered) done(noAnswer(error), []);
    else if (error) done(statementFailure(error), []);
    else done(null, result.rows as Row[]);
  });
}

// SQL texts are constants, so each is parsed and planned once per connection.
const names = new Map<string, string>();

function prepared(text: string, values: readonly Value[], types: RowTypes): pg.QueryConfig {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash("sha256").update(text).digest("base64url").slice(0, 32);
    names.set(text, name);
  }
  return { name, text, values: values as unknown[], types };
}
