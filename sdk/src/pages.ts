import type { WebAbortSignal } from "./platform.ts";

/** One page of a list. `nextCursor` is null on the last one. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** A list that is read while it is walked: each page is asked for when the one before is used up. */
export interface PagedList<Item> extends AsyncIterable<Item> {
  /** The one page that `limit` and `cursor` name, and no other. */
  page(): Promise<Page<Item>>;
  /** Page by page, for those who keep the cursor and go on another day. */
  pages(): AsyncIterable<Page<Item>>;
}

export function pagedList<Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
  firstCursor: string | undefined,
  signal: WebAbortSignal | undefined,
): PagedList<Item> {
  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = firstCursor;
    for (;;) {
      const page = await readPage(cursor);
      yield page;
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }
  return {
    page: () => readPage(firstCursor),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) {
        for (const item of items) {
          // The rest of a page that is here already ends with the call, too.
          signal?.throwIfAborted();
          yield item;
        }
      }
    },
  };
}
