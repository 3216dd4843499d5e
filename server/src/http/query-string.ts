import { QUERY_PAIRS_MAX } from "../limits.ts";
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
  const pairs = text.split("&", QUERY_PAIRS_MAX + 1);
  if (pairs.length > QUERY_PAIRS_MAX) {
    query[BROKEN] = `The query string has more than ${QUERY_PAIRS_MAX} parameters.`;
    return query;
  }
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = decode(equals === -1 ? "" : pair.slice(equals + 1));
    if (name === null || name === "" || value === null) {
      query[BROKEN] = "The query string is not valid percent-encoded UTF-8 of the form name=value.";
      return query;
    }
    const present = query[name];
    if (present === undefined) query[name] = value;
    else if (typeof present === "string") query[name] = [present, value];
    else present.push(value);
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
