import { createReadStream } from "node:fs";
import { UsageError } from "./usage.ts";

export interface FileRecord {
  /** The line it begins on, from 1. */
  readonly line: number;
  /** Null for one that is longer than any deposit can be. */
  readonly bytes: Buffer | null;
  /** The raw bytes, line end included, for the fingerprint of the part done. */
  readonly raw: Buffer;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const RECORD_SIZE_MAX_BYTES = 64 * 1_024;
const CHUNK_SIZE_BYTES = 1_024 * 1_024;
// Beyond this, what is read is no file of records.
const CHUNKS_PER_RECORD_MAX = 64;

/** A file's records as they stand: lines, which in CSV go on through the line ends inside quotes. */
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
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const field = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at);
    if (field === null) return null;
    fields.push(field.value);
    if (field.end === text.length) return fields;
    at = field.end + 1;
  }
}

function readQuoted(text: string, start: number): { value: string; end: number } | null {
  let value = "";
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return null;
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const end = quote + 1;
      return end === text.length || text[end] === "," ? { value, end } : null;
    }
    value += '"';
    at = quote + 2;
  }
}

function readPlain(text: string, start: number): { value: string; end: number } | null {
  const comma = text.indexOf(",", start);
  const end = comma === -1 ? text.length : comma;
  const value = text.slice(start, end);
  return value.includes('"') ? null : { value, end };
}
