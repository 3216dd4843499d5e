/**
 * The first key that appears twice in one object, at any depth; null when there is none. JSON.parse keeps the last of two
 * members with one name and other languages keep the first, so such a text has two readings. `text` must be valid JSON.
 * One pass over the text; a key is compared after its escapes are resolved.
 */
export function findRepeatedKey(text: string): string | null {
  // The keys seen so far in each open object, and null for each open array.
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN_BRACE:
        open.push(new Set());
        isKeyNext = true;
        break;
      case OPEN_BRACKET:
        open.push(null);
        isKeyNext = false;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        break;
      case COMMA:
        isKeyNext = open.at(-1) !== null;
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        const keys = open.at(-1);
        if (isKeyNext && keys) {
          const raw = text.slice(at, end + 1);
          const key = raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
          if (keys.has(key)) return key;
          keys.add(key);
          isKeyNext = false;
        }
        at = end;
        break;
      }
    }
  }
  return null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The index of the quotation mark that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
