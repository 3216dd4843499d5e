import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { parseCsvRecord, readRecords } from "./records.ts";

const folder = mkdtempSync(join(tmpdir(), "matchbook-records-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(text: string, kind: "ndjson" | "csv", start = { bytes: 0, line: 1 }) {
  const path = join(folder, "file");
  writeFileSync(path, text);
  const records = [];
  for await (const record of readRecords(path, kind, start)) records.push(record);
  return records;
}

describe("readRecords", () => {
  test("gives lines with their numbers, with or without a last line end", async () => {
    const found = await read("a\r\n\nb", "ndjson");
    expect(found.map(({ line, bytes }) => [line, String(bytes)])).toEqual([
      [1, "a"],
      [2, ""],
      [3, "b"],
    ]);
  });

  test("does not end a record at line ends inside CSV quotes, but counts them", async () => {
    const found = await read('x,"1\n2"\ny\n', "csv");
    expect(found.map(({ line, bytes }) => [line, String(bytes)])).toEqual([
      [1, 'x,"1\n2"'],
      [3, "y"],
    ]);
  });

  test("the raw parts make up the file, so an import can resume after any record", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 6 })), async (lines) => {
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
        const records = await read(text, "ndjson");
        expect(Buffer.concat(records.map(({ raw }) => raw)).toString()).toBe(text);
        const [first] = records;
        if (first === undefined) return;
        expect(await read(text, "ndjson", { bytes: first.raw.length, line: 2 })).toEqual(records.slice(1));
      }),
    );
  });

  test("a record longer than any deposit has no content, and its neighbours do", async () => {
    const found = await read(`a\n${"x".repeat(70_000)}\nb\n`, "ndjson");
    expect(found.map(({ bytes }) => bytes?.toString() ?? null)).toEqual(["a", null, "b"]);
  });
});

describe("parseCsvRecord", () => {
  test("reads back every list of fields, quoted or not", () => {
    const quote = (field: string) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (fields) => {
        expect(parseCsvRecord(fields.map(quote).join(","))).toEqual(fields);
        expect(parseCsvRecord(fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(","))).toEqual(fields);
      }),
    );
  });

  test.each(['"a', 'a"b', '"a"b', '"a""', 'a,"b'])("%s has quotes that do not match", (text) => {
    expect(parseCsvRecord(text)).toBeNull();
  });
});
