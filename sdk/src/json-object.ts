// A JSON object whose keys are all different, of plain values; keys that are named may hold such an object themselves.
// `JSON.parse` alone keeps the last of two members of one name where other languages keep the first; a signed text must
// have one reading.

export type PlainValue = string | number | boolean | null;
export type FlatObject = ReadonlyMap<string, PlainValue>;
export type JsonObject = ReadonlyMap<string, PlainValue | FlatObject>;

// The text has passed JSON.parse before these are applied, so they need to tell members apart and nothing more.
const KEY = /\s*("[^"\\]*(?:\\.[^"\\]*)*")\s*:\s*/y;
const PLAIN_VALUE = /("[^"\\]*(?:\\.[^"\\]*)*"|[^\s",:{}[\]]+)/y;
const SEPARATOR = /\s*([,}])/y;
const EMPTY = /\{\s*\}/y;

/** The members, or a sentence that says why the bytes are no such object. */
export function readObject(bytes: Uint8Array, nestable: readonly string[] = []): JsonObject | string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "the decoded bytes are not UTF-8";
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "the decoded text is not JSON";
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "the decoded text is not a JSON object";
  }
  const read = readMembers(text, text.indexOf("{"), nestable);
  return typeof read === "string" ? read : read.members;
}

/** The first key that an object of this JSON holds twice, at any depth, or null. The text must have passed JSON.parse. */
export function findRepeatedKey(text: string): string | null {
  const objects: Set<string>[] = [];
  for (const [token, quoted, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
    if (token === "{") objects.push(new Set());
    else if (token === "}") objects.pop();
    else if (quoted !== undefined && colon !== undefined) {
      const key: string = JSON.parse(quoted);
      const keys = objects.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return null;
}

/** Reads the object that begins at `start`, and tells where it ends. */
function readMembers(
  text: string,
  start: number,
  nestable: readonly string[],
): { members: JsonObject; end: number } | string {
  const members = new Map<string, PlainValue | FlatObject>();
  const take = (pattern: RegExp, at: number) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  if (take(EMPTY, start) !== null) return { members, end: EMPTY.lastIndex };
  for (let at = start + 1; ; ) {
    const key: string = JSON.parse(take(KEY, at)?.[1] ?? '""');
    if (members.has(key)) return `the key ${JSON.stringify(key)} appears twice`;
    at = KEY.lastIndex;
    if (text[at] === "{" && nestable.includes(key)) {
      const inner = readMembers(text, at, []);
      if (typeof inner === "string") return `inside ${key}, ${inner}`;
      members.set(key, inner.members as FlatObject);
      at = inner.end;
    } else {
      const plain = take(PLAIN_VALUE, at)?.[1];
      if (plain === undefined) return `the value of ${JSON.stringify(key)} is an object or a list`;
      members.set(key, JSON.parse(plain));
      at = PLAIN_VALUE.lastIndex;
    }
    const separator = take(SEPARATOR, at)?.[1];
    at = SEPARATOR.lastIndex;
    if (separator === "}") return { members, end: at };
  }
}
