// How signed JSON is read: one reading or none. Everything that is not exactly what was asked for is refused, with words
// that say which layer broke and how.
import { isUtf8 } from "node:buffer";
import { findRepeatedKey } from "../http/repeated-keys.ts";

/** Ends the request with 400. `layer` names what was being read. */
export type Refuse = (layer: string, problem: string) => never;

// Callers' text is quoted back in messages, but never at length.
const QUOTED_LENGTH_MAX = 40;

export function quote(text: string, lengthMax: number = QUOTED_LENGTH_MAX): string {
  return JSON.stringify(text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text);
}

/**
 * The members of the JSON object in these bytes. JSON cannot hold a byte order mark, and a decoder that replaces broken
 * UTF-8 would give two texts one reading. A key that appears twice is refused: libraries disagree on which one counts.
 */
export function readObject(
  bytes: Buffer,
  layer: string,
  refuse: Refuse,
  hint: (text: string) => string = () => "",
): Record<string, unknown> {
  if (!isUtf8(bytes)) refuse(layer, "the decoded bytes are not UTF-8.");
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse(layer, `the decoded text is not JSON.${hint(text)}`);
  }
  if (!isObject(value)) refuse(layer, `the decoded text is not a JSON object.${hint(text)}`);
  if (findRepeatedKey(text) !== null) refuse(layer, "a key appears twice.");
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// `__proto__` is a key like any other here: JSON.parse makes it an own property, which Object.keys lists.
export function refuseOtherKeys(
  object: Record<string, unknown>,
  allowed: readonly string[],
  layer: string,
  refuse: Refuse,
  hint: (keys: readonly string[]) => string = () => "",
): void {
  const keys = Object.keys(object);
  for (const key of keys) {
    if (!allowed.includes(key)) refuse(layer, `it may not hold the key ${quote(key)}.${hint(keys)}`);
  }
}

export function requireString(object: Record<string, unknown>, key: string, layer: string, refuse: Refuse): string {
  const value = object[key];
  if (typeof value === "string") return value;
  if (value === undefined) refuse(`${layer}.${key}`, "it is missing.");
  return refuse(`${layer}.${key}`, "it must be a string.");
}

/** What is wrong with a text that should be base64url. */
export function describeBase64Url(text: string): string {
  if (text.startsWith("{")) return "this is JSON. Send the base64url text that was signed.";
  if (/[+/]/.test(text)) return 'this is standard base64. Write "-" for "+" and "_" for "/".';
  return describeAlphabet(text, /[^A-Za-z0-9=_-]/u);
}

export function describeAlphabet(text: string, stranger: RegExp): string {
  const character = stranger.exec(text);
  if (character !== null)
    return `character ${character.index + 1} is ${quote(character[0])}, which is not in its alphabet.`;
  return "no encoder writes this text: its length, padding or last character is wrong. Was it cut?";
}
