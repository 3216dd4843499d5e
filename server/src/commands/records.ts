import { createReadStream } from "node:fs";
import { UsageError } from "./usage.ts";

export interface FileRecord {
  /** The line it begins on, from 1. */
  readonly line: number;
  /** Without the line end. Null if the record is longer than any deposit can be. */
  readonly bytes: Buffer | null;
  /** With the line end, for the hash of the part that is done. */
  readonly raw: Buffer;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const RECORD_SIZE_MAX_BYTES = 64 * 1_024;
const CHUNK_SIZE_BYTES = 1_024 * 1_024;
// A record that spans more than this is not a record.
const CHUNKS_PER_RECORD_MAX = 64;

/** The records of a file: its lines. In CSV, a line end inside quotes does not end a record. */
export async function* readRecords(
  path: string,
  kind: "ndjson" | "csv",
  start: { bytes: number; line: number },
): AsyncGenerator<FileRecord> {
  let parts: Buffer[] = [];
  let line = start.line;
  let lineEnds = 0;
  let quoted = false;

  const record = (last: Buffer): FileRecord => {
    const raw = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    const found = { line, raw, bytes: raw.length > RECORD_SIZE_MAX_BYTES ? null : withoutLineEnd(raw) };
    parts = [];
    line += lineEnds;
    lineEnds = 0;
    return found;
  };

  for await (const chunk of createReadStream(path, { start: start.bytes, highWaterMark: CHUNK_SIZE_BYTES })) {
    const bytes = chunk as Buffer;
    let from = 0;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index];
      if (byte === QUOTE && kind === "csv") quoted = !quoted;
      if (byte !== LINE_FEED) continue;
      lineEnds++;
      if (quoted) continue;
      yield record(bytes.subarray(from, index + 1));
      from = index + 1;
    }
    if (from < bytes.length) parts.push(bytes.subarray(from));
    if (parts.length > CHUNKS_PER_RECORD_MAX) throw new UsageError(`The record at line ${line} never ends.`);
  }
  if (parts.length > 0) yield record(Buffer.alloc(0));
}

function withoutLineEnd(raw: Buffer): Buffer {
  let end = raw.length;
  if (raw[end - 1] === LINE_FEED) end--;
  if (raw[end - 1] === CARRIAGE_RETURN) end--;
  return raw.subarray(0, end);
}

/** The fields of one CSV record (RFC 4180), or null when its quotes do not match. */
export function parseCsvRecord(text: string): string[] | null {
  // A field in quotes or without, and the comma or end behind it. No character can match in two ways, so time is linear.
  const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y;
  const fields: string[] = [];
  for (;;) {
    const match = field.exec(text);
    if (match === null) return null;
    const [, quoted, plain = "", end] = match;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "") return fields;
  }
}
