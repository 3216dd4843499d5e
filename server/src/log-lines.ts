// How a log line looks in a terminal. pino has redacted it before it comes here.

// Terminals act on control characters, and stored texts can contain them.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const LEVELS: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};

interface LogLine {
  readonly [field: string]: unknown;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/** Turns pino's JSON into `12:34:56 info  what happened  field=value`. The stack of an error follows, indented. */
export function formatLogLine(json: string): string {
  let line: LogLine;
  try {
    line = JSON.parse(json);
  } catch {
    return `${escapeText(json.trimEnd())}\n`;
  }
  const { level, time, process: _, msg, err, ...fields } = line;
  const clock = new Date(String(time)).toTimeString().slice(0, 8);
  const stack = err === undefined || err === null ? [] : String(err.stack ?? err.message ?? "").split("\n");
  const text = [`${clock} ${(LEVELS[Number(level)] ?? "").padEnd(5)}`, describe(msg, fields)].join(" ");
  return [escapeText(text), ...stack.map((one) => `    ${escapeText(one)}`)].map((one) => `${one}\n`).join("");
}

function describe(message: unknown, fields: Readonly<Record<string, unknown>>): string {
  if (message === "request") {
    const { method, route, status, durationMs, requestId, listener } = fields;
    return `${listener} ${method} ${route} ${status} ${durationMs} ms ${requestId}`;
  }
  const values = Object.entries(fields).map(([name, value]) => `${name}=${show(value)}`);
  return [message ?? "", ...values].join("  ");
}

function show(value: unknown): string {
  return typeof value === "string" && /^\S+$/.test(value) ? value : JSON.stringify(value);
}

function escapeText(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
