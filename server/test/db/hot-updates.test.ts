// An update that changes no indexed column writes no index entries (a HOT update). The rows that every submission changes must be
// updated so. A deposit's status is the key of four lists, so its updates cannot be: see docs/decisions/0024.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { insertCampaign, insertMerchant } from "../harness/merchant-rows.ts";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** The indexes of the table that name one of the columns, as a key, in an expression or in a condition. */
async function indexesNaming(table: string, columns: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select i.relname as name
     from pg_index x join pg_class i on i.oid = x.indexrelid
     where x.indrelid = $1::regclass
       and regexp_replace(pg_get_indexdef(i.oid), '^.*? USING ', '') ~ ('\\m(' || array_to_string($2::text[], '|') || ')\\M')
     order by 1`,
    [table, columns],
  );
  return rows.map(({ name }) => name);
}

test("what a submission changes of a campaign, and what a batch of deposits changes of a user or a day, is in no index", async () => {
  expect(await indexesNaming("campaigns", ["committed", "journal_length", "update_date"])).toEqual([]);
  expect(
    await indexesNaming("participants", [
      "trade_profit",
      "amount_matched",
      "max_match",
      "qualified_date",
      "update_date",
    ]),
  ).toEqual([]);
  expect(await indexesNaming("deposit_users", ["\\w+_count", "\\w+_micros", "\\w+_date"])).toEqual([]);
  expect(await indexesNaming("deposit_days", ["\\w+_count", "\\w+_micros"])).toEqual([]);
  expect(await indexesNaming("reward_days", ["amount"])).toEqual([]);
});

test("only the four indexes whose lists need it name a deposit's status, and none its amount or date of change", async () => {
  expect(await indexesNaming("deposits", ["amount_micros", "update_date"])).toEqual([]);
  expect(await indexesNaming("deposits", ["status"])).toEqual([
    "deposits_by_chain",
    "deposits_by_status",
    "deposits_completed_by_wallet",
    "deposits_of_everyone",
  ]);
});

test("1,000 changes of a campaign's budget are HOT updates", async () => {
  const merchantId = await insertMerchant(database.db);
  const id = await insertCampaign(database.db, merchantId, new Date("2026-01-01Z"), new Date("2026-02-01Z"));
  for (let update = 0; update < 1_000; update++) {
    await client.query(
      "update campaigns set committed = committed + 1, journal_length = journal_length + 1, update_date = now() where id = $1",
      [id],
    );
  }
  await client.query("select pg_stat_force_next_flush()");
  const { rows } = await client.query<{ updates: number; hot: number }>(
    `select n_tup_upd::integer as updates, n_tup_hot_upd::integer as hot from pg_stat_user_tables where relname = 'campaigns'`,
  );
  expect(rows[0]?.updates).toBe(1_000);
  expect(rows[0]?.hot).toBeGreaterThan(950);
});
