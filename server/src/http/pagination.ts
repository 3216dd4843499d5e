import { createHmac, timingSafeEqual } from "node:crypto";
import { type TSchema, Type } from "typebox";
import { CURSOR_LENGTH_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../limits.ts";
import { fail } from "./errors.ts";
import { nullable } from "./fields.ts";

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
      description: "How many items a page holds.",
      examples: [PAGE_LIMIT_DEFAULT],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CURSOR_LENGTH_MAX,
      description: "The previous page's nextCursor, with the same filters. Opaque: neither parse nor build it.",
    }),
  ),
};

export function pageOf<Item extends TSchema>(item: Item) {
  const { title } = item as { title?: string };
  return Type.Object(
    {
      items: Type.Array(item),
      nextCursor: nullable<string>(Type.String(), { description: "null on the last page." }),
    },
    title === undefined ? {} : { title: `${title}Page` },
  );
}

export type Cursors = ReturnType<typeof createCursors>;

/** The last row of a page, as the texts its order is made of. */
export type Position = readonly string[];

export interface PageQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface StoppedPage<Row> {
  readonly rows: readonly Row[];
  readonly stoppedAt: Position;
}

interface List<Row, Item> {
  /** Where a cursor is good: the audience, the list and its filters. */
  readonly scope: readonly unknown[];
  /** The next rows, or fewer of them and how far the search got before it had to stop. */
  readonly list: (after: Position | null, count: number) => Promise<readonly Row[] | StoppedPage<Row>>;
  readonly positionOf: (row: Row) => Position;
  readonly present: (row: Row) => Item;
}

/** The position in a list that is ordered by date, then id. */
export const byDateAndId = ({ createDate, id }: { createDate: Date | string; id: string }): Position => [
  typeof createDate === "string" ? createDate : createDate.toISOString(),
  id,
];

/** Sorts before every row of a list that is newest first, so that one plan serves the first page and the others. */
export const NEWEST: Position = ["infinity", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

const MAC_BYTES = 16;

/**
 * Cursors are a keyset position under a MAC that covers where they are good: whose they are, the list, and its filters.
 * A cursor from anywhere else does not open. The first key makes cursors, and each of the keys opens them.
 */
export function createCursors(keys: readonly { readonly key: Buffer }[]) {
  const signingKey = keys[0]?.key;
  if (signingKey === undefined) throw new Error("Cursors need a key.");
  const macOf = (key: Buffer, scope: readonly unknown[], position: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([scope, position]))
      .digest()
      .subarray(0, MAC_BYTES);

  return {
    open(scope: readonly unknown[], cursor: string | undefined): Position | null {
      if (cursor === undefined) return null;
      const bytes = Buffer.from(cursor, "base64url");
      const position = bytes.subarray(MAC_BYTES).toString("utf8");
      const mac = bytes.subarray(0, MAC_BYTES);
      const canonical = bytes.toString("base64url") === cursor && mac.length === MAC_BYTES;
      if (!canonical || !keys.some(({ key }) => timingSafeEqual(mac, macOf(key, scope, position)))) {
        fail("VALIDATION_ERROR", "cursor must be the nextCursor of this same list, with the same filters.");
      }
      return JSON.parse(position) as Position;
    },

    /** One page. The list is read one row further than the page holds, to see whether there are more. */
    async readPage<Row, Item>(
      { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQuery,
      { scope, list, positionOf, present }: List<Row, Item>,
    ): Promise<{ items: Item[]; nextCursor: string | null }> {
      const found = await list(this.open(scope, cursor), limit + 1);
      if ("stoppedAt" in found) return { items: found.rows.map(present), nextCursor: seal(scope, found.stoppedAt) };
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const more = found.length > limit && last !== undefined;
      return { items: rows.map(present), nextCursor: more ? seal(scope, positionOf(last)) : null };
    },
  };

  function seal(scope: readonly unknown[], position: Position): string {
    const text = JSON.stringify(position);
    return Buffer.concat([macOf(signingKey as Buffer, scope, text), Buffer.from(text)]).toString("base64url");
  }
}
