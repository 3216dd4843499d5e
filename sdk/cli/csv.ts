export interface CsvRecord {
  /** The line it begins on, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
}

/** The records of a CSV text (RFC 4180, either line end), or the line on which its quotes go wrong. */
export function parseCsv(text: string): CsvRecord[] | { readonly brokenLine: number } {
  const records: CsvRecord[] = [];
  // A field, quoted or plain, and what ends it. Spreadsheets put a byte order mark before the first.
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  field.lastIndex = text.startsWith("\ufeff") ? 1 : 0;
  let line = 1;
  let fields: string[] = [];
  let startLine = 1;
  while (field.lastIndex < text.length || fields.length > 0) {
    const match = field.exec(text);
    if (match === null) return { brokenLine: line };
    const [whole, quoted, plain = "", end] = match;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    line += whole.split("\n").length - 1;
    if (end === ",") continue;
    // An empty line is no record.
    if (fields.length > 1 || fields[0] !== "") records.push({ line: startLine, fields });
    fields = [];
    startLine = line;
  }
  return records;
}

export function formatCsv(fields: readonly (string | number)[]): string {
  return `${fields.map((value) => quote(String(value))).join(",")}\n`;
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
