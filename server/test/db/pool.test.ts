import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommitUnknownError, isTooSlow, isUnavailable } from "../../src/db/failures.ts";
import { type Database, openDatabase, type Queryable } from "../../src/db/pool.ts";
import { toAppError } from "../../src/http/answer-error.ts";
import { AppError } from "../../src/http/errors.ts";
import { POOL_WAIT_TIMEOUT_MS } from "../../src/limits.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { until } from "../harness/program.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, 5);
  await db.query("create table accounts (id integer primary key, balance numeric(78, 0) not null)");
  await db.query("insert into accounts values (1, 0), (2, 0)");
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const balance = async (id: number) =>
  (await db.query<{ balance: string }>("select balance from accounts where id = $1", [id]))[0]?.balance;

const backend = "select pg_backend_pid() as pid";

describe("a transaction", () => {
  test("is all or nothing", async () => {
    const failed = db.transaction(async (transaction) => {
      await transaction.query("update accounts set balance = balance + 5 where id = 1");
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    expect(await balance(1)).toBe("0");
  });

  test("runs again from the start after a deadlock (40P01)", async () => {
    const meeting = rendezvous(2);
    let attempts = 0;
    const transfer = (first: number, second: number) =>
      db.transaction(async (transaction) => {
        attempts++;
        await transaction.query("update accounts set balance = balance + 1 where id = $1", [first]);
        await meeting();
        await transaction.query("update accounts set balance = balance + 1 where id = $1", [second]);
      });
    await Promise.all([transfer(1, 2), transfer(2, 1)]);
    // Two first tries and at least one more: on a slow machine the second try can meet the first again.
    expect(attempts).toBeGreaterThanOrEqual(3);
    expect([await balance(1), await balance(2)]).toEqual(["2", "2"]);
  });

  test("runs again from the start after a serialization failure (40001)", async () => {
    const meeting = rendezvous(2);
    let attempts = 0;
    const double = () =>
      db.transaction(
        async (transaction) => {
          attempts++;
          await transaction.query("select balance from accounts where id = 1");
          await meeting();
          await transaction.query("update accounts set balance = balance * 2 where id = 1");
        },
        { isolation: "repeatable read" },
      );
    await Promise.all([double(), double()]);
    expect(attempts).toBe(3);
    expect(await balance(1)).toBe("8");
  });

  test("runs again when its backend is killed before COMMIT", async () => {
    let attempts = 0;
    await db.transaction(async (transaction) => {
      attempts++;
      const [row] = await transaction.query<{ pid: number }>(backend);
      await transaction.query("update accounts set balance = balance + 1 where id = 2");
      if (attempts === 1) await database.db.query("select pg_terminate_backend($1)", [row?.pid ?? 0]);
      await transaction.query("select 1");
    });
    expect(attempts).toBe(2);
    expect(await balance(2)).toBe("3");
  });

  test("a connection lost at COMMIT is reported as unknown and not run again", async () => {
    let attempts = 0;
    // A deferred constraint makes COMMIT itself do work, long enough for its backend to be killed under it.
    await db.query(
      "create function pause() returns trigger language plpgsql as $$ begin perform pg_sleep(5); return null; end $$",
    );
    await db.query("create table slow_commits (id integer)");
    await db.query(
      "create constraint trigger slow after insert on slow_commits deferrable initially deferred for each row execute function pause()",
    );
    const lost = db.transaction(async (transaction) => {
      attempts++;
      const [row] = await transaction.query<{ pid: number }>(backend);
      await transaction.query("insert into slow_commits values (1)");
      void terminateDuringCommit(row?.pid ?? 0);
    });
    await expect(lost).rejects.toBeInstanceOf(CommitUnknownError);
    expect(attempts).toBe(1);
  });
});

async function terminateDuringCommit(pid: number): Promise<void> {
  for (;;) {
    const rows = await database.db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and query = 'commit' and wait_event = 'PgSleep'",
      [pid],
    );
    if (rows.length > 0) return;
  }
}

describe("failures are distinguished by type, not by wording", () => {
  test.each(["EPIPE", "ECONNRESET", "Connection terminated", "timeout"])(
    "an error of our own that says %s runs its transaction once and is no failure of the database",
    async (word) => {
      let attempts = 0;
      const refused = db.transaction(async () => {
        attempts++;
        throw new AppError("DEPOSIT_CONFLICT", `deposits[0] (id ${word}): its payer never changes.`);
      });
      const error = await refused.catch((failure: unknown) => failure);
      expect(error).toBeInstanceOf(AppError);
      expect([attempts, isUnavailable(error), isTooSlow(error)]).toEqual([1, false, false]);
    },
  );

  test("a value in PostgreSQL's own message changes nothing", async () => {
    let attempts = 0;
    const wrong = db.transaction(async (transaction) => {
      attempts++;
      await transaction.query("select $1::text::integer", ["EPIPE"]);
    });
    const error = await wrong.catch((failure: unknown) => failure);
    expect([attempts, isUnavailable(error), (error as Error).message]).toEqual([
      1,
      false,
      "The database failed (statement, 22P02).",
    ]);
  });

  test("a server that accepts connections and never answers is reported after one wait", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const pool = openDatabase({ ...database.connection, host: "127.0.0.1", port }, 1);
    const startedMs = performance.now();
    const error = await pool.transaction((transaction) => transaction.query("select 1")).catch((failure) => failure);
    expect([isUnavailable(error), toAppError(error).code]).toEqual([true, "SERVICE_UNAVAILABLE"]);
    expect(performance.now() - startedMs).toBeLessThan(2 * POOL_WAIT_TIMEOUT_MS);
    await pool.end();
    silent.close();
  });

  test("while all connections are in use, those who wait too long hear of overload, not of a lost database", async () => {
    const pool = openDatabase(database.connection, 1);
    const codes = await pool.transaction((transaction) =>
      Promise.all(
        [pool.query("select 1"), pool.transaction((other) => other.query("select 1"))].map(async (waiting) => {
          const error = await waiting.catch((failure: unknown) => failure);
          // The transaction is not left idle for longer than it may be.
          await transaction.query("select 1");
          return toAppError(error).code;
        }),
      ),
    );
    expect(codes).toEqual(["OVERLOADED", "OVERLOADED"]);
    expect(await pool.query("select 1 as one")).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test("a server that stops answering is reported once, and its connection is not used again", async () => {
    const pool = openDatabase(database.connection, 1);
    let stopped = 0;
    let attempts = 0;
    const work = async (transaction: Queryable) => {
      attempts++;
      const [row] = await transaction.query<{ pid: number }>(backend);
      stopped = row?.pid ?? 0;
      process.kill(stopped, "SIGSTOP");
      await transaction.query("select 1");
    };
    try {
      const error = await pool.transaction(work, { statementTimeoutMs: 1_000 }).catch((failure) => failure);
      expect([isUnavailable(error), (error as Error).message]).toEqual([true, "The database failed (unavailable)."]);
      expect(attempts).toBe(1);
      const [next] = await pool.query<{ pid: number }>(backend);
      expect(next?.pid).not.toBe(stopped);
    } finally {
      process.kill(stopped, "SIGCONT");
      await pool.end();
    }
  });
});

describe("the pool", () => {
  test("survives every one of its connections being killed, idle and busy", async () => {
    await Promise.all(Array.from({ length: 5 }, () => db.query("select 1")));
    const busy = db.query("select pg_sleep(30)").catch((error: unknown) => error);
    await database.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'matchbook' and pid <> pg_backend_pid()`,
    );
    expect(isUnavailable(await busy)).toBe(true);
    // The first statement on a connection that died unnoticed may still fail; no more than that.
    await until(() =>
      db.query("select 1").then(
        () => true,
        (error: unknown) => !isUnavailable(error),
      ),
    );
    expect(await db.query<{ one: number }>("select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("gives up waiting for a connection instead of queueing for ever", async () => {
    const small = openDatabase(database.connection, 1);
    const meeting = rendezvous(2);
    const holding = small.transaction(() => meeting());
    const error = await small.query("select 1").catch((failure: unknown) => failure);
    expect(isUnavailable(error)).toBe(true);
    await meeting();
    await holding;
    await small.end();
  });

  test("a statement that takes too long is cancelled", async () => {
    const slow = db.transaction((transaction) => transaction.query("select pg_sleep(30)"), { statementTimeoutMs: 50 });
    expect(isTooSlow(await slow.catch((error: unknown) => error))).toBe(true);
  });

  test("sets every timeout on the server's side too", async () => {
    const rows = await db.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings
       where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') and setting <> '0'`,
    );
    expect(rows).toHaveLength(3);
  });

  test("reads money as text and 64-bit ids as exact numbers", async () => {
    const [row] = await db.query<{ money: string; id: number }>(
      "select (10::numeric ^ 77)::numeric(78, 0) as money, 9007199254740991::bigint as id",
    );
    expect(row).toEqual({ money: `1${"0".repeat(77)}`, id: Number.MAX_SAFE_INTEGER });
    await expect(db.query("select 9007199254740993::bigint as id")).rejects.toThrow(RangeError);
  });
});

/** Holds the first callers until as many have come; later callers pass. */
function rendezvous(count: number): () => Promise<void> {
  let arrived = 0;
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async () => {
    if (++arrived >= count) open();
    await opened;
  };
}
