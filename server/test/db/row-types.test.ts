import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/db/pool.ts";
import { ISO_DATES } from "../../src/db/row-types.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, 1);
});
afterAll(async () => {
  await db.end();
  await database.drop();
});

const SELECT =
  "select given as date from unnest($1::timestamptz[]) with ordinality as list (given, position) order by position";

async function bothWays(dates: readonly string[]) {
  const read = await db.query<{ date: Date }>(SELECT, [dates]);
  const shown = await db.query<{ date: string }>(SELECT, [dates], ISO_DATES);
  return [shown.map(({ date }) => date), read.map(({ date }) => date.toISOString())];
}

describe("a date that is only shown", () => {
  test("is the text that a Date of it prints", async () => {
    const years = {
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.date(years), { minLength: 1, maxLength: 100 }), async (dates) => {
        const texts = dates.map((date) => date.toISOString());
        expect(await bothWays(texts)).toEqual([texts, texts]);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    "2026-01-15T12:00:00Z",
    "2026-01-15T12:00:00.1Z",
    "2026-01-15T12:00:00.123999Z",
    "2026-01-15T12:00:00.000001Z",
    "2026-01-15T23:59:59.999+05:30",
    "0044-03-15T00:00:00Z BC",
    "12026-01-15T12:00:00.5Z",
  ])("%s is the same both ways", async (date) => {
    const [shown, read] = await bothWays([date]);
    expect(shown).toEqual(read);
  });
});
