// Batches over several campaigns and merchants, on several connections and with two engines on one database, as two server
// processes would have.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSubmissions, type Submitted } from "../../src/campaigns/submissions/submit.ts";
import { recordTerms } from "../../src/campaigns/terms-queries.ts";
import { CommitUnknownError, isTooSlow, isUnavailable } from "../../src/db/failures.ts";
import { type Database, openDatabase, type Queryable, type Value } from "../../src/db/pool.ts";
import { ingest } from "../../src/deposits/ingest.ts";
import { verifyInvariants } from "../../src/oversight/invariants.ts";
import { BASE, newAddress, submission } from "../harness/campaigns.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { DELIVERY } from "../harness/deposits.ts";
import { insertCampaign, insertMerchant } from "../harness/merchant-rows.ts";
import { TEST_CHAIN } from "../harness/service.ts";
import { ModelCampaign } from "../model/model.ts";

const START = new Date("2026-01-01T00:00:00Z");
const END = new Date("2026-01-31T00:00:00Z");
const clock = () => new Date();

let database: TestDatabase;
let pools: Database[];
beforeAll(async () => {
  database = await createTestDatabase();
  pools = [0, 1].map(() => openDatabase(database.runtimeConnection, 6));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});

interface Scene {
  readonly merchantId: string;
  readonly campaignId: string;
  readonly wallet: string;
}

const completedDeposit = (merchantId: string, wallet: string) => ({
  merchantId,
  id: randomUUID(),
  userId: randomUUID(),
  status: "completed" as const,
  amountMicros: 1n,
  chainId: BASE,
  tokenSymbol: "USDC",
  tokenAddress: wallet,
  walletAddress: wallet,
  createDate: START,
  updateDate: START,
});

/** Campaigns of several merchants, each merchant with a wallet that qualifies for all of its campaigns. */
async function createScenes(merchants: number, campaigns: number, budget = 10n ** 12n): Promise<Scene[]> {
  const scenes: Scene[] = [];
  for (let merchant = 0; merchant < merchants; merchant++) {
    const merchantId = await insertMerchant(database.db);
    const wallet = newAddress();
    await ingest(database.db, [completedDeposit(merchantId, wallet)], DELIVERY);
    for (let campaign = 0; campaign < campaigns; campaign++) {
      const campaignId = await insertCampaign(database.db, merchantId, START, END);
      await database.db.query(
        "update campaigns set max_amount_total = $2, max_amount_per_user = 1000 where merchant_id = $3 and id = $1",
        [campaignId, budget, merchantId],
      );
      await recordTerms(database.db, merchantId, campaignId, START);
      scenes.push({ merchantId, campaignId, wallet });
    }
  }
  return scenes;
}

type Engine = ReturnType<typeof createSubmissions>;
const createEngine = (db: Database, options: object = {}) =>
  createSubmissions({ db, clock, connections: 6, chain: TEST_CHAIN, ...options });
const submitTo = (engine: Engine, scene: Scene, user: string, amount: number, wallet = scene.wallet) =>
  engine.submit(scene.merchantId, scene.campaignId, submission(user, [wallet], amount) as never, null);

interface JournalRow {
  readonly user: string;
  readonly created: boolean;
  readonly profit: string;
  readonly matchAfter: string;
  readonly committedAfter: string;
}

const journalOf = ({ merchantId, campaignId }: Scene) =>
  database.db.query<JournalRow>(
    `select p.merchant_user_id as user, j.created, j.trade_profit as profit, j.match_after as "matchAfter",
            j.committed_after as "committedAfter"
     from submission_journal j
     join participants p on p.merchant_id = j.merchant_id and p.id = j.participant_id
     where j.merchant_id = $1 and j.campaign_id = $2
     order by j.position`,
    [merchantId, campaignId],
  );

/** The sequential model, given the journal's rows one after the other, comes to the same amounts, and so do the books. */
async function expectModel(scene: Scene, budget: bigint): Promise<JournalRow[]> {
  const deposits = new Map([[0, { address: "w", chainId: 1, day: 1, micros: 1, completed: true }]]);
  const terms = { firstDay: 1, lastDay: 2, multiplierMillionths: 2_000_000n, decimals: 6, cap: 1_000n, total: budget };
  const model = new ModelCampaign(deposits, { ...terms, participantsPerWallet: null, minimumMicros: null });
  const rows = await journalOf(scene);
  for (const row of rows) {
    const { created, participant } = model.accept(row.user, [{ address: "w", chainId: 1 }], BigInt(row.profit));
    expect([row.created, row.matchAfter, row.committedAfter]).toEqual([
      created,
      String(participant.matched),
      String(model.committed),
    ]);
  }
  const [campaign] = await database.db.query<{ committed: string; length: number }>(
    "select committed, journal_length as length from campaigns where merchant_id = $1 and id = $2",
    [scene.merchantId, scene.campaignId],
  );
  expect(campaign).toEqual({ committed: String(model.committed), length: rows.length });
  expect(model.committed <= budget).toBe(true);
  return rows;
}

const expectSoundBooks = async () => {
  const { checks } = await verifyInvariants({ db: database.db, clock, chain: TEST_CHAIN }, null);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
};

/** Counts transactions, and may lose the answer to a COMMIT. */
function watch(db: Database, afterCommit: (count: number) => void = () => {}) {
  let transactions = 0;
  const watched: Database = {
    ...db,
    query: db.query.bind(db),
    async transaction(work, options) {
      const count = ++transactions;
      const result = await db.transaction(work, options);
      afterCommit(count);
      return result;
    },
  };
  return { db: watched, count: () => transactions };
}

/** Runs every statement through `run`. */
function intercept(
  db: Database,
  run: (transaction: Queryable, text: string, values: readonly Value[] | undefined) => Promise<unknown[]>,
): Database {
  return {
    ...db,
    query: db.query.bind(db),
    transaction: (work, options) =>
      db.transaction(
        (transaction) =>
          work({
            query: <Row>(text: string, values?: readonly Value[]) => run(transaction, text, values) as Promise<Row[]>,
          }),
        options,
      ),
  };
}

/** Notes every statement that fails, also if its work succeeds at a second try. */
function noteFailures(db: Database) {
  const failures: unknown[] = [];
  const noted = intercept(db, async (transaction, text, values) => {
    try {
      return await transaction.query(text, values);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  });
  return { db: noted, failures };
}

/** Holds the campaign's row, as another process would, while `work` runs. */
function whileLocked<Value>({ merchantId, campaignId }: Scene, work: () => Promise<Value>): Promise<Value> {
  return database.db.transaction(async (transaction) => {
    await transaction.query("select from campaigns where merchant_id = $1 and id = $2 for no key update", [
      merchantId,
      campaignId,
    ]);
    return work();
  });
}

describe("a mixed batch", () => {
  test("settles campaigns of several merchants in one transaction, each as if it came alone", async () => {
    const scenes = await createScenes(3, 2, 1_500n);
    const { db, count } = watch(pools[0] as Database);
    const engine = createEngine(db);
    const results = await Promise.allSettled(
      scenes.flatMap((scene) => [
        submitTo(engine, scene, "a", 400),
        submitTo(engine, scene, "b", 400),
        submitTo(engine, scene, "c", 400, newAddress()),
        submitTo(engine, scene, "a", 100),
      ]),
    );
    expect(count()).toBe(1);
    const shown = results.map((result) =>
      result.status === "fulfilled" ? [result.value.created, result.value.participant.matched] : result.reason.code,
    );
    const each = [[true, 800n], [true, 700n], "NO_QUALIFYING_WALLET", [false, 800n]];
    expect(shown).toEqual(scenes.flatMap(() => each));
    for (const scene of scenes) expect(await expectModel(scene, 1_500n)).toHaveLength(3);
  });

  test("an unknown campaign, or one of another merchant, is 404 and changes nothing for the others", async () => {
    const [one, two] = (await createScenes(2, 1)) as [Scene, Scene];
    const engine = createEngine(pools[0] as Database);
    const foreign = { ...one, campaignId: two.campaignId };
    const results = await Promise.allSettled([
      submitTo(engine, one, "a", 100),
      submitTo(engine, foreign, "b", 100),
      submitTo(engine, { ...one, campaignId: randomUUID() }, "c", 100),
      submitTo(engine, two, "d", 100),
    ]);
    expect(results.map((result) => (result.status === "fulfilled" ? null : result.reason.code))).toEqual([
      null,
      "CAMPAIGN_NOT_FOUND",
      "CAMPAIGN_NOT_FOUND",
      null,
    ]);
    expect((await expectModel(two, 10n ** 12n)).map(({ user }) => user)).toEqual(["d"]);
  });

  test("with SUBMISSION_BATCH_SCOPE=merchant holds one merchant's campaigns", async () => {
    const scenes = await createScenes(3, 2);
    const { db, count } = watch(pools[0] as Database);
    const engine = createEngine(db, { batchScope: "merchant" });
    await Promise.all(scenes.map((scene) => submitTo(engine, scene, "a", 100)));
    expect(count()).toBe(3);
    for (const scene of scenes) expect(await expectModel(scene, 10n ** 12n)).toHaveLength(1);
  });

  test("refuses those whose signature ended meanwhile, and no others", async () => {
    const scenes = await createScenes(3, 1);
    const { db, count } = watch(pools[0] as Database);
    const engine = createEngine(db);
    await database.db.query("update merchants set status = 'SUSPENDED' where id = $1", [
      (scenes[0] as Scene).merchantId,
    ]);
    const results = await Promise.allSettled(
      scenes.map(({ merchantId, campaignId, wallet }, index) =>
        engine.submit(merchantId, campaignId, submission("a", [wallet]) as never, {
          merchantId,
          publicKey: index === 1 ? "another key" : "none",
          isBound: false,
        }),
      ),
    );
    expect(count()).toBe(1);
    expect(results.map((result) => (result.status === "fulfilled" ? null : result.reason.code))).toEqual([
      "MERCHANT_NOT_ACTIVE",
      "MERCHANT_SIGNATURE_INVALID",
      null,
    ]);
  });

  test("that is written for long checks all signatures again before it commits", async () => {
    const scenes = await createScenes(3, 1);
    const [suspended] = scenes as [Scene];
    let writes = 0;
    const db = intercept(pools[0] as Database, async (transaction, text, values) => {
      const rows = await transaction.query(text, values);
      if (text.includes("insert into participants") && ++writes === 1) {
        await database.db.query("update merchants set status = 'SUSPENDED' where id = $1", [suspended.merchantId]);
        // Longer than the margin within which a batch need not check again.
        await transaction.query("select pg_sleep(0.15)");
      }
      return rows;
    });
    const engine = createEngine(db);
    const results = await Promise.allSettled(
      scenes.map(({ merchantId, campaignId, wallet }) =>
        engine.submit(merchantId, campaignId, submission("a", [wallet]) as never, {
          merchantId,
          publicKey: "none",
          isBound: false,
        }),
      ),
    );
    expect(results.map((result) => (result.status === "fulfilled" ? null : result.reason.code))).toEqual([
      "MERCHANT_NOT_ACTIVE",
      null,
      null,
    ]);
    expect(await journalOf(suspended)).toEqual([]);
  });

  test("that fails for an unexpected reason fails only the member at fault, in all campaigns", async () => {
    const scenes = await createScenes(2, 2);
    const db = intercept(pools[0] as Database, (transaction, text, values) =>
      text.includes("insert into participants") && values?.some((value) => String(value).includes("poison"))
        ? Promise.reject(new Error("This user breaks everything."))
        : transaction.query(text, values),
    );
    const engine = createEngine(db);
    const users = ["a", "b", "poison", "c"];
    const results = await Promise.allSettled(
      scenes.flatMap((scene, index) =>
        users.map((user) => submitTo(engine, scene, index === 1 || user !== "poison" ? user : "d", 100)),
      ),
    );
    expect(results.map(({ status }, index) => (status === "rejected" ? index : -1)).filter((at) => at >= 0)).toEqual([
      6,
    ]);
    for (const [index, scene] of scenes.entries()) {
      expect(await expectModel(scene, 10n ** 12n)).toHaveLength(index === 1 ? 3 : 4);
    }
  });
});

test("a batch reads no more campaigns than it has, with plans that are older than the other campaigns", async () => {
  const young = await createTestDatabase();
  // One connection, so that its prepared statements are those of the time when there were few campaigns.
  const db = openDatabase(young.connection, 1);
  try {
    const engine = createEngine(db);
    const merchantIds = [await insertMerchant(db), await insertMerchant(db)] as const;
    const submitAll = async (...merchants: string[]) => {
      const campaigns = await Promise.all(
        merchants.map(async (merchantId) => ({ merchantId, id: await insertCampaign(db, merchantId, START, END) })),
      );
      const wallet = newAddress();
      await ingest(
        db,
        merchantIds.map((merchantId) => completedDeposit(merchantId, wallet)),
        DELIVERY,
      );
      const before = await readTuples();
      await Promise.all(
        campaigns.map(({ merchantId, id }) =>
          engine.submit(merchantId, id, submission("a", [wallet], 1) as never, null),
        ),
      );
      return (await readTuples()) - before;
    };
    const readTuples = async () => {
      await db.query("select pg_stat_force_next_flush()");
      const [row] = await db.query<{ tuples: number }>(
        `select (seq_tup_read + idx_tup_fetch)::integer as tuples from pg_stat_user_tables where relname = 'campaigns'`,
      );
      return row?.tuples ?? 0;
    };
    const [one, two] = merchantIds;
    for (const merchants of [[one, one], [one, two], [one]]) await submitAll(...merchants);
    await db.query(
      `insert into campaigns
       select merchant_id, gen_random_uuid(), type, status, display_name, start_date, end_date, match_multiplier, currency,
              decimal_places, max_amount_per_user, max_amount_total, 0, payout_chain_id, payout_token_address, 0, create_date,
              update_date
       from campaigns, generate_series(1, 1000)`,
    );
    for (const merchants of [[one, one], [one, two], [one]]) expect(await submitAll(...merchants)).toBeLessThan(20);
  } finally {
    await db.end();
    await young.drop();
  }
});

describe("a campaign whose row is held elsewhere", () => {
  test("delays no other campaign, neither of its own merchant nor of others, and is settled once the row is free", async () => {
    const scenes = await createScenes(4, 3);
    const [held, ...others] = scenes as [Scene, ...Scene[]];
    const { db, failures } = noteFailures(pools[0] as Database);
    const engine = createEngine(db);
    const waiting: Promise<Submitted>[] = [];
    await whileLocked(held, async () => {
      for (let round = 0; round < 5; round++) {
        waiting.push(submitTo(engine, held, `user-${round}`, 100));
        await Promise.all(others.map((scene) => submitTo(engine, scene, `user-${round}`, 100)));
      }
    });
    expect((await Promise.all(waiting)).map(({ created }) => created)).toEqual([true, true, true, true, true]);
    expect(failures, "the others did not wait until their patience ended").toEqual([]);
    for (const scene of scenes) expect(await expectModel(scene, 10n ** 12n)).toHaveLength(5);
  });

  test("does so also when more are held than may wait at the same time", async () => {
    const scenes = await createScenes(2, 6);
    const engine = createEngine(pools[0] as Database);
    const held = scenes.slice(0, 6);
    const waiting: Promise<Submitted>[] = [];
    const hold = (rest: readonly Scene[]): Promise<void> => {
      const [next, ...others] = rest;
      if (next !== undefined) return whileLockedOn(next, () => hold(others));
      return (async () => {
        waiting.push(...held.map((scene) => submitTo(engine, scene, "a", 100)));
        await Promise.all(scenes.slice(6).map((scene) => submitTo(engine, scene, "a", 100)));
        await Promise.all(scenes.slice(6).map((scene) => submitTo(engine, scene, "b", 100)));
      })();
    };
    const holders: pg.Client[] = [];
    const whileLockedOn = async ({ campaignId }: Scene, work: () => Promise<void>) => {
      const client = new pg.Client(database.connection);
      holders.push(client);
      await client.connect();
      await client.query("begin");
      await client.query("select from campaigns where id = $1 for no key update", [campaignId]);
      await work();
      await client.query("commit");
    };
    await hold(held);
    await Promise.all(waiting);
    await Promise.all(holders.map((client) => client.end()));
    for (const scene of held) expect(await expectModel(scene, 10n ** 12n)).toHaveLength(1);
  });
});

describe("the answer to a mixed batch's COMMIT is lost", () => {
  const lost = () => new CommitUnknownError(new Error("Connection terminated unexpectedly"));

  test("every submission is answered as recorded, and counted once", async () => {
    const scenes = await createScenes(2, 2, 900n);
    const { db, count } = watch(pools[0] as Database, (number) => {
      if (number === 1) throw lost();
    });
    const engine = createEngine(db);
    const results = await Promise.all(
      scenes.flatMap((scene) => ["a", "b", "a"].map((user) => submitTo(engine, scene, user, 300))),
    );
    expect(count()).toBe(2);
    expect(results.map(({ created }) => created)).toEqual(scenes.flatMap(() => [true, true, false]));
    for (const scene of scenes) expect(await expectModel(scene, 900n)).toHaveLength(3);
  });

  test("a campaign that is locked at the second try is settled alone, and counted once", async () => {
    const scenes = await createScenes(2, 2, 900n);
    const [held] = scenes as [Scene];
    let letGo = () => {};
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let holding: Promise<void> | undefined;
    const pool = pools[0] as Database;
    let transactions = 0;
    const db: Database = {
      ...pool,
      query: pool.query.bind(pool),
      async transaction(work, options) {
        const number = ++transactions;
        const result = await pool.transaction(work, options);
        if (number > 1) return result;
        await new Promise<void>((locked) => {
          holding = whileLocked(held, async () => {
            locked();
            await released;
          });
        });
        throw lost();
      },
    };
    const engine = createEngine(db);
    const first = submitTo(engine, held, "a", 300);
    const others = await Promise.all(scenes.slice(1).map((scene) => submitTo(engine, scene, "a", 300)));
    expect(others.map(({ created }) => created)).toEqual([true, true, true]);
    letGo();
    await holding;
    expect(await first).toMatchObject({ created: true, participant: { matched: 600n } });
    for (const scene of scenes) expect(await expectModel(scene, 900n)).toHaveLength(1);
  });
});

describe("two processes, many campaigns and merchants", () => {
  test("spend no budget twice, match as the model does, and lose no answer", async () => {
    const budget = 9_000n;
    const scenes = await createScenes(4, 3, budget);
    const noted = pools.map(noteFailures);
    const engines = noted.map(({ db }) => createEngine(db));
    const sent = scenes.flatMap((scene, index) =>
      Array.from({ length: index === 0 ? 120 : 20 }, (_, number) => ({
        scene,
        user: `user-${number % 12}`,
        amount: (number * 97) % 700,
      })),
    );
    const answers = await Promise.all(
      sent.map(async ({ scene, user, amount }, index) => {
        const submitted = await submitTo(engines[index % 2] as Engine, scene, user, amount);
        return { scene, user, amount, submitted };
      }),
    );
    expect(noted.flatMap(({ failures }) => failures)).toEqual([]);
    for (const scene of scenes) {
      const rows = await expectModel(scene, budget);
      const describeOne = (user: string, created: boolean, profit: unknown, match: unknown) =>
        `${user} ${created} ${profit} ${match}`;
      const own = answers.filter((answer) => answer.scene === scene);
      expect(
        own.map(({ user, amount, submitted: s }) => describeOne(user, s.created, amount, s.participant.matched)).sort(),
      ).toEqual(rows.map((row) => describeOne(row.user, row.created, row.profit, row.matchAfter)).sort());
    }
    await expectSoundBooks();
  });

  test("whose backends are killed in the middle: each answered submission is in the journal once, and the books are exact", async () => {
    const budget = 40_000n;
    const scenes = await createScenes(4, 4, budget);
    const engines = pools.map((pool) => createEngine(pool));
    const killer = new pg.Client({ ...database.connection, application_name: "killer" });
    await killer.connect();
    let kills = 0;
    let done = false;
    const killing = (async () => {
      while (!done && kills < 25) {
        const { rowCount } = await killer.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'matchbook' and usename = $1 and xact_start is not null
           order by random() limit 1`,
          [database.runtimeConnection.user],
        );
        kills += rowCount ?? 0;
      }
    })();
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, async (_, client) => {
        const own: { scene: Scene; user: string; error: unknown }[] = [];
        for (let number = 0; number < 12 || kills < 12; number++) {
          const scene = scenes[(client + number * 5) % scenes.length] as Scene;
          const user = `${client}-${number}`;
          const error = await submitTo(engines[client % 2] as Engine, scene, user, 40).then(
            () => null,
            (reason: unknown) => reason,
          );
          own.push({ scene, user, error });
        }
        return own;
      }),
    );
    done = true;
    await killing;
    await killer.end();
    expect(kills).toBeGreaterThanOrEqual(12);
    for (const scene of scenes) {
      const rows = await expectModel(scene, budget);
      const inJournal = new Map<string, number>();
      for (const { user } of rows) inJournal.set(user, (inJournal.get(user) ?? 0) + 1);
      for (const { user, error } of outcomes.flat().filter((outcome) => outcome.scene === scene)) {
        // What was not answered is unknown to its client: it may be in the journal, but once.
        if (error === null) expect(inJournal.get(user)).toBe(1);
        else {
          expect(isUnavailable(error) || isTooSlow(error), String(error)).toBe(true);
          expect(inJournal.get(user) ?? 0).toBeLessThanOrEqual(1);
        }
      }
    }
    expect(outcomes.flat().some(({ error }) => error === null)).toBe(true);
    await expectSoundBooks();
  });
});
