/** A line of a CSV file, as RFC 4180 has it. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(field).join(",")}\r\n`;
}

// A user id is any text its merchant chose. Without the quote, a spreadsheet would run one that starts like a formula. Some
// skip a line break before it, and some read full-width signs as the plain ones.
function field(text: string): string {
  const inert = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
