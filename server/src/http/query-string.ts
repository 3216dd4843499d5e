import { isStorableText } from "./json-body.ts";

export type RawQuery = Record<string, string | string[]>;

// Fastify parses the query outside its error handling, so a broken one is marked here and refused by the validator.
const BROKEN = Symbol("broken query string");

/** Most requests have no query; they share this one. */
export const NO_QUERY: RawQuery = Object.freeze(Object.create(null));

/** Repeated parameters become arrays, which only a schema that asks for an array accepts. */
export function parseQueryString(text: string): RawQuery {
  if (text === "") return NO_QUERY;
  const query: RawQuery & { [BROKEN]?: string } = Object.create(null);
  for (const pair of text.split("&")) {
    const [rawName = "", ...rawValue] = pair.split("=");
    const name = decode(rawName);
    const value = decode(rawValue.join("="));
    if (name === null || name === "" || value === null) {
      query[BROKEN] = "The query string is not valid percent-encoded UTF-8 of the form name=value.";
      return query;
    }
    const present = query[name];
    query[name] = present === undefined ? value : [present, value].flat();
  }
  return query;
}

export function queryProblem(query: RawQuery & { [BROKEN]?: string }): string | null {
  return query[BROKEN] ?? null;
}

function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    return isStorableText(decoded) ? decoded : null;
  } catch {
    return null;
  }
}
