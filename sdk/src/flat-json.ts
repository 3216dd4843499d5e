// A JSON object of plain values whose keys are all different. `JSON.parse` alone keeps the last of two members of one name
// where other languages keep the first; a signed text must have one reading.

export type PlainValue = string | number | boolean | null;
export type FlatObject = ReadonlyMap<string, PlainValue>;

// The text has passed JSON.parse before this is applied, so it needs to tell members apart and nothing more.
const MEMBER = /\s*("(?:[^"\\]|\\.)*")\s*:\s*("(?:[^"\\]|\\.)*"|[^\s",:{}[\]]+)\s*([,}])/y;

/** The members, or a sentence that says why the bytes are no such object. */
export function readFlatObject(bytes: Uint8Array): FlatObject | string {
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

  const members = new Map<string, PlainValue>();
  if (Object.keys(value).length === 0) return members;
  MEMBER.lastIndex = text.indexOf("{") + 1;
  for (;;) {
    const match = MEMBER.exec(text);
    if (match === null) return "a value is an object or a list";
    const [, keyText = "", valueText = "", separator] = match;
    const key: string = JSON.parse(keyText);
    if (members.has(key)) return `the key ${JSON.stringify(key)} appears twice`;
    members.set(key, JSON.parse(valueText));
    if (separator === "}") return members;
  }
}
