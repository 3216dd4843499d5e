import { once } from "node:events";

// What was asked for goes to standard output; everything about it goes to standard error, so that pipes stay clean.

export function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

/** With --json, standard error holds nothing but the error, so that a program can read it. */
export const isJson = process.argv.includes("--json");

export function note(line: string): void {
  if (!isJson) process.stderr.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** One JSON array, written item by item so that a million of them need no memory. */
export async function printJsonArray(items: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const item of items) {
    const text = `${count++ === 0 ? "[\n" : ",\n"}${JSON.stringify(item)}`;
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
  }
  print(count === 0 ? "[]" : "\n]");
}

export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => printable(row[column]).length)),
  );
  const write = (row: readonly string[]) =>
    row
      .map((cell, column) => printable(cell).padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  print(bold(write(header)));
  for (const row of rows) print(write(row));
}

/** Names and values below each other. */
export function printFields(fields: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...fields.map(([name]) => name.length));
  for (const [name, value] of fields) print(`${name.padEnd(width)}  ${printable(value)}`);
}

/** Text from elsewhere must neither steer the terminal nor look like another text: no control, bidi or invisible characters. */
export function printable(text = ""): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "�");
}

export function bold(text: string): string {
  const isPlain = !process.stdout.isTTY || (process.env.NO_COLOR ?? "") !== "";
  return isPlain ? text : `\u001b[1m${text}\u001b[22m`;
}
