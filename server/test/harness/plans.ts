import pg from "pg";
import type { Queryable, Value } from "../../src/db/pool.ts";
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

/**
 * How many pages the statements of the work touch, planned as the pool's connections plan: without their values. A bound value
 * would be known to the planner of `explain`, so each statement is prepared first and executed with its values.
 */
export async function pagesOf(database: TestDatabase, work: (db: Queryable) => Promise<unknown>): Promise<number> {
  let pages = 0;
  await database.db.transaction(async (transaction) => {
    await work({
      async query<Row>(text: string, values: readonly Value[] = []) {
        const literals = values.map(literalOf).join(", ");
        await transaction.query(`prepare counted as ${text}`);
        const [row] = await transaction.query<{ "QUERY PLAN": { Plan: Record<string, number> }[] }>(
          `explain (analyze, buffers, format json) execute counted ${literals && `(${literals})`}`,
        );
        await transaction.query("deallocate counted");
        const plan = row?.["QUERY PLAN"][0]?.Plan ?? {};
        pages += (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
        return transaction.query<Row>(text, values);
      },
    });
  });
  return pages;
}

function literalOf(value: Value): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(String(item))).join(",")}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}
