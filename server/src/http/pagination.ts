import { createHmac, timingSafeEqual } from "node:crypto";
import { type TSchema, Type } from "typebox";
import { CURSOR_LENGTH_MAX, PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../limits.ts";
import { fail } from "./errors.ts";

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
  return Type.Object({
    items: Type.Array(item),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: "null on the last page." }),
  });
}

export type Cursors = ReturnType<typeof createCursors>;

/** The last row of a page, as the texts its order is made of. */
export type Position = readonly string[];

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

    /** Cuts a page from a list that was read one item further than the page may hold. */
    page<Item>(
      scope: readonly unknown[],
      found: readonly Item[],
      limit: number,
      positionOf: (item: Item) => Position,
    ): { items: Item[]; nextCursor: string | null } {
      const items = found.slice(0, limit);
      const last = items.at(-1);
      const more = found.length > limit && last !== undefined;
      return { items, nextCursor: more ? seal(scope, positionOf(last)) : null };
    },
  };

  function seal(scope: readonly unknown[], position: Position): string {
    const text = JSON.stringify(position);
    return Buffer.concat([macOf(signingKey as Buffer, scope, text), Buffer.from(text)]).toString("base64url");
  }
}
