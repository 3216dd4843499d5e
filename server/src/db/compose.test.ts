import { describe, expect, test } from "vitest";
import { allOf, arraysOf, sql, statement } from "./compose.ts";

describe("composed statements", () => {
  test("number the named values in the order they appear, each once", () => {
    const list = sql`select * from deposits where merchant_id = $merchantId and status = $status and $merchantId <> $id::uuid`;
    expect(statement(list, { status: "failed", id: "b", merchantId: "a" })).toEqual([
      "select * from deposits where merchant_id = $1 and status = $2 and $1 <> $3::uuid",
      ["a", "failed", "b"],
    ]);
  });

  test("send only the values that the text uses", () => {
    expect(statement(sql`select $used::text`, { unused: 1, used: null })).toEqual(["select $1::text", [null]]);
  });

  test("put texts into texts", () => {
    const condition = sql`id = $id`;
    const source = sql`(select * from deposits where ${condition}) d`;
    expect(statement(sql`select ${sql`id`} from ${source}`, { id: 7 })).toEqual([
      "select id from (select * from deposits where id = $1) d",
      [7],
    ]);
  });

  test("leave out the conditions that are not wanted, and may have none", () => {
    expect(allOf(sql`a = 1`, null, sql`b = 2 or c = 3`).text).toBe("(a = 1) and (b = 2 or c = 3)");
    expect(allOf(null).text).toBe("true");
  });

  test("refuse a value in the place of a text", () => {
    for (const value of ["failed", 7, null, { text: "failed" }]) {
      // @ts-expect-error: only constant SQL fits.
      expect(() => sql`select * from deposits where status = ${value}`).toThrow("only constant SQL");
    }
  });

  test("refuse to run with a value missing", () => {
    expect(() => statement(sql`select $count`, {})).toThrow("$count");
  });

  test("take a batch as one array for each field", () => {
    const rows = [
      { id: "a", micros: 1n, date: new Date("0001-01-01T00:00:00.000Z") },
      { id: "b", micros: 2n, date: new Date("2026-01-15T12:00:00.000Z") },
    ];
    expect(
      statement(sql`select * from unnest($id::text[], $micros::numeric[], $date::timestamptz[])`, arraysOf(rows)),
    ).toEqual([
      "select * from unnest($1::text[], $2::numeric[], $3::timestamptz[])",
      [
        ["a", "b"],
        [1n, 2n],
        ["0001-01-01T00:00:00.000Z", "2026-01-15T12:00:00.000Z"],
      ],
    ]);
    expect(() => arraysOf([])).toThrow("at least one row");
  });
});
