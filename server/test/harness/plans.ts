import pg from "pg";
import type { Queryable } from "../../src/db/pool.ts";
import type { TestDatabase } from "./database.ts";

/** How the one statement of a query reads the tables of this name, planned without knowing its values. */
export async function scansOf(
  database: TestDatabase,
  list: (db: Queryable) => Promise<unknown>,
  tables: RegExp,
): Promise<string[]> {
  const texts: string[] = [];
  await list({
    query: async (text) => {
      texts.push(text);
      return [];
    },
  });
  if (texts.length !== 1) throw new Error("The query is one statement.");
  // Not through our own pool, which would want the values of a statement that is only explained.
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (generic_plan) ${texts[0]}`);
    return rows
      .map((row) => row["QUERY PLAN"].trim())
      .filter((line) => tables.test(/ on (\w+)/.exec(line)?.[1] ?? ""))
      .map((line) => line.replace(/^-> +/, "").replace(/( on \w+).*$/, "$1"));
  } finally {
    await client.end();
  }
}
