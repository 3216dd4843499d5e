import { describe, expect, test } from "vitest";
import { render, run, sql, when } from "./compose.ts";
import type { Queryable, Value } from "./pool.ts";

const list = (merchantId: string | null, status: string | null) => sql`select ${sql`c.id, c.status`} from campaigns c
  where c.create_date < ${"infinity"}${when(merchantId !== null, sql` and c.merchant_id = ${merchantId}`)}${when(
    status !== null,
    sql` and c.status = ${status}`,
  )} limit ${26}`;

describe("a composed statement", () => {
  test("numbers its parameters in the order in which they are written, through nested fragments", () => {
    expect(render(list("m", "ACTIVE"))).toEqual({
      text: `select c.id, c.status from campaigns c
  where c.create_date < $1 and c.merchant_id = $2 and c.status = $3 limit $4`,
      values: ["infinity", "m", "ACTIVE", 26],
    });
  });

  test("leaves out a fragment together with its parameter", () => {
    expect(render(list(null, "ACTIVE"))).toEqual({
      text: `select c.id, c.status from campaigns c
  where c.create_date < $1 and c.status = $2 limit $3`,
      values: ["infinity", "ACTIVE", 26],
    });
  });

  test("has the same text for all values, so that it has one plan", () => {
    expect(render(list("a", null)).text).toBe(render(list("b", null)).text);
    expect(
      new Set([list("a", "b"), list("a", null), list(null, "b"), list(null, null)].map((it) => render(it).text)).size,
    ).toBe(4);
  });

  test.each<[Value]>([
    ["'; drop table campaigns; --"],
    ["$1"],
    [null],
    [0n],
    [new Date(0)],
    [["a", "b"]],
    [Buffer.from("x")],
  ])("never makes a value part of the text: %s", (value) => {
    expect(render(sql`select ${value} where ${sql`x = ${value}`}`)).toEqual({
      text: "select $1 where x = $2",
      values: [value, value],
    });
  });

  test("is run with its text and values", async () => {
    const asked: unknown[] = [];
    const db: Queryable = {
      async query<Row>(text: string, values?: readonly Value[]) {
        asked.push(text, values);
        return [{ one: 1 }] as Row[];
      },
    };
    expect(await run<{ one: number }>(db, sql`select ${1} as one`)).toEqual([{ one: 1 }]);
    expect(asked).toEqual(["select $1 as one", [1]]);
  });
});
