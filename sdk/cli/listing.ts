import { readInteger, refuseUseless } from "./command.ts";
import { note, print, printJsonArray, printTable } from "./output.ts";

// What all lists have in common. A table is for people and shows the beginning; JSON is for programs and holds everything.

const TABLE_ROWS_DEFAULT = 25;
const PAGE_LIMIT_MAX = 100;

export const listOptions = {
  json: { type: "boolean" },
  all: { type: "boolean" },
  limit: { type: "string" },
} as const;

export const LIST_HELP = `  --limit N     how many to show; a table shows ${TABLE_ROWS_DEFAULT} by default
  --all         show every one
  --json        print a JSON array of every one, or of --limit`;

export interface ListFlags {
  readonly json?: boolean | undefined;
  readonly all?: boolean | undefined;
  readonly limit?: string | undefined;
}

export interface Columns<Item> {
  readonly titles: readonly string[];
  row(item: Item): readonly string[];
}

/** `open` starts the list with the given page size. */
export async function printList<Item>(
  open: (pageLimit: number) => AsyncIterable<Item>,
  flags: ListFlags,
  columns: Columns<Item>,
): Promise<void> {
  if (flags.all === true) refuseUseless({ ...flags }, ["limit"], "does not go with --all");
  const maximum = readMaximum(flags);
  // One more than is shown tells whether there are more.
  const list = open(Math.min(PAGE_LIMIT_MAX, maximum + 1));
  if (flags.json === true) return printJsonArray(take(list, maximum));

  const items: Item[] = [];
  for await (const item of take(list, maximum + 1)) items.push(item);
  const shown = items.slice(0, maximum);
  if (shown.length === 0) return print("There are none.");
  printTable(
    columns.titles,
    shown.map((item) => columns.row(item)),
  );
  if (items.length > shown.length) note(`There are more than these ${shown.length}; --all shows every one.`);
}

export function readMaximum(flags: ListFlags): number {
  if (flags.limit !== undefined) return readInteger(flags.limit, "--limit", 1, Number.MAX_SAFE_INTEGER - 1);
  return flags.json === true || flags.all === true ? Number.POSITIVE_INFINITY : TABLE_ROWS_DEFAULT;
}

export async function* take<Item>(list: AsyncIterable<Item>, maximum: number): AsyncGenerator<Item> {
  let count = 0;
  for await (const item of list) {
    yield item;
    if (++count >= maximum) return;
  }
}
