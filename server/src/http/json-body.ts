import { JSON_DEPTH_MAX } from "../limits.ts";
import { fail } from "./errors.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Strict JSON: broken UTF-8 is refused instead of repaired, and so is text that PostgreSQL could not store. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    fail("VALIDATION_ERROR", "The body is not valid JSON in UTF-8.");
  }
  // From here on null can only mean that there was no body.
  if (value === null) fail("VALIDATION_ERROR", "The body must be an object.");
  checkText(value, 0);
  return value;
}

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function checkText(value: unknown, depth: number): void {
  if (depth > JSON_DEPTH_MAX) fail("VALIDATION_ERROR", `The body is nested deeper than ${JSON_DEPTH_MAX} levels.`);
  if (typeof value === "string" && !isStorableText(value)) {
    fail("VALIDATION_ERROR", "The body has a NUL character or half of a surrogate pair in a string.");
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    // A `__proto__` member would be inherited instead of validated by whoever copies the object.
    if (name === "__proto__") fail("VALIDATION_ERROR", "__proto__ is not a known field.");
    checkText(item, depth + 1);
  }
}
