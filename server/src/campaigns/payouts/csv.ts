/** A line of a CSV file, as RFC 4180 has it. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(field).join(",")}\r\n`;
}

// A user id is any text its merchant chose. Without the quote, a spreadsheet would run one that starts like a formula.
function field(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
