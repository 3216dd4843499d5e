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
import { CommitUnknownError, connectFailure, isConnectionLost, isRetryable, statementFailure } from "./failures.ts";

export type Value = string | number | bigint | boolean | null | Date | Buffer | readonly Value[];

/** Anything that runs one statement: the pool itself, or a transaction. */
export interface Queryable {
  query<Row>(text: string, values?: readonly Value[]): Promise<Row[]>;
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
    types,
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
    options: "-c plan_cache_mode=force_generic_plan",
    // The server's own timeout comes first. This one is for a server that does not answer at all.
    query_timeout: STATEMENT_TIMEOUT_MS + ANSWER_MARGIN_MS,
  });
  // A connection that is lost while idle emits an error that no caller awaits. Without these listeners a restart of
  // PostgreSQL would end our process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  return {
    async query<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
      const client = await connect(pool);
      let broken: Error | undefined;
      try {
        return await run<Row>(client, prepared(text, values));
      } catch (error) {
        if (isConnectionLost(error)) broken = error as Error;
        throw error;
      } finally {
        client.release(broken);
      }
    },

    async transaction<Result>(work: (transaction: Queryable) => Promise<Result>, options: TransactionOptions = {}) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runTransaction(pool, work, options);
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
  pool: pg.Pool,
  work: (transaction: Queryable) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  const client = await connect(pool);
  let broken: Error | undefined;
  let committing = false;
  try {
    await run(client, { text: `begin isolation level ${options.isolation ?? "read committed"}` });
    if (options.statementTimeoutMs !== undefined) {
      const values = [String(options.statementTimeoutMs)];
      await run(client, { text: "select set_config('statement_timeout', $1, true)", values });
    }
    const result = await work({
      query: <Row>(text: string, values: readonly Value[] = []) =>
        run<Row>(client, prepared(text, values, options.statementTimeoutMs)),
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
      await client.query("rollback").catch((failure: Error) => {
        broken = failure;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw connectFailure(error);
  }
}

async function run<Row>(client: pg.PoolClient, query: pg.QueryConfig): Promise<Row[]> {
  try {
    return (await client.query(query)).rows as Row[];
  } catch (error) {
    throw statementFailure(error);
  }
}

// SQL texts are constants, so each is parsed and planned once per connection.
const names = new Map<string, string>();

function prepared(text: string, values: readonly Value[], statementTimeoutMs?: number): pg.QueryConfig {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash("sha256").update(text).digest("base64url").slice(0, 32);
    names.set(text, name);
  }
  const config = { name, text, values: values as unknown[] };
  // A longer statement timeout needs a longer client timeout.
  return statementTimeoutMs === undefined
    ? config
    : Object.assign(config, { query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS });
}

// Chain ids and counts are 64-bit in SQL and stay below 2^53 by constraint. Money is numeric and stays text.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("A 64-bit integer beyond 2^53 cannot be read as a number.");
  return value;
});
