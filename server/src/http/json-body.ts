import { JSON_DEPTH_MAX } from "../limits.ts";
import { fail } from "./errors.ts";
import { findRepeatedKey } from "./repeated-keys.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Strict JSON: broken UTF-8 is refused instead of repaired, and so is text that PostgreSQL could not store. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    fail("VALIDATION_ERROR", "The body is not valid JSON in UTF-8.");
  }
  const repeated = findRepeatedKey(text);
  if (repeated !== null) fail("VALIDATION_ERROR", `${printable(repeated)} appears more than once in one object.`);
  // From here on null can only mean that there was no body.
  if (value === null) fail("VALIDATION_ERROR", "The body must be an object.");
  const place = findBadText(value, 0);
  if (place !== null) {
    fail("VALIDATION_ERROR", `${place || "The body"} has a NUL character or half of a surrogate pair in its text.`);
  }
  return value;
}

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Where the text is that cannot be stored, as `wallets[0].address`; empty for the body itself, null when there is none. */
function findBadText(value: unknown, depth: number): string | null {
  if (depth > JSON_DEPTH_MAX) fail("VALIDATION_ERROR", `The body is nested deeper than ${JSON_DEPTH_MAX} levels.`);
  if (typeof value === "string") return isStorableText(value) ? null : "";
  if (typeof value !== "object" || value === null) return null;
  for (const [name, item] of Object.entries(value)) {
    // A `__proto__` member would be inherited instead of validated by whoever copies the object.
    if (name === "__proto__") fail("VALIDATION_ERROR", "__proto__ is not a known field.");
    const inside = findBadText(item, depth + 1);
    if (inside === null) continue;
    const step = Array.isArray(value) ? `[${name}]` : printable(name);
    return inside === "" || inside.startsWith("[") ? step + inside : `${step}.${inside}`;
  }
  return null;
}

/** A name the caller chose is shown back, but never at any length. */
export function printable(name: string): string {
  const shown = name.replace(/[^\x20-\x7e]/g, "?");
  return shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
}
