import { expect } from "vitest";
import type { Service } from "./service.ts";

/** Reads an operator list to its end and returns its items, page by page. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an item.
export async function readPages(service: Service, path: string, limit: number): Promise<any[][]> {
  const pages = [];
  let cursor: string | null = null;
  do {
    const joint = path.includes("?") ? "&" : "?";
    const answer = await service.operator(
      `${path}${joint}limit=${limit}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(["items", "nextCursor"]);
    pages.push(answer.body.items);
    cursor = answer.body.nextCursor;
  } while (cursor !== null);
  return pages;
}

/** Everything that is not the cursor it was made from, but looks like one. */
export function spoiltCursors(cursor: string): string[] {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const swapped = [...cursor].map((character, index) => {
    // The neighbour in the alphabet: at the end of the text this changes only bits that decoders drop.
    const other = alphabet[alphabet.indexOf(character) ^ 1] ?? "A";
    return cursor.slice(0, index) + other + cursor.slice(index + 1);
  });
  return [
    ...swapped,
    cursor.slice(0, -1),
    cursor.slice(0, cursor.length / 2),
    cursor.slice(1),
    `${cursor}A`,
    `${cursor}=`,
    `${cursor}==`,
    ` ${cursor}`,
    `${cursor} `,
    `${cursor}\n`,
    cursor + cursor,
    cursor.toLowerCase(),
    "A",
    "null",
    "!!!!",
    "%",
    "ä",
    "0".repeat(1025),
    Buffer.from("{}").toString("base64url"),
  ];
}
