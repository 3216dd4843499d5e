import { isatty } from "node:tty";
import { type DestinationStream, type Logger, pino } from "pino";
import { formatLogLine } from "./log-lines.ts";

/** `auto`: pretty in a terminal, JSON elsewhere. */
export type LogFormat = "auto" | "json" | "pretty";

const STDOUT = 1;

// Headers and bodies are never logged. This redaction is a second line of defence.
const SECRETS = ["authorization", "token", "secret", "password", "privateKey", "publicKey", "signature", "payerId"];

export function createLog(level: string, destination: DestinationStream = logTo("json")): Logger {
  const redact = {
    paths: SECRETS.flatMap((name) => [name, `*.${name}`]),
    censor: "[redacted]",
  };
  return pino({ level, redact, base: { process: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** Standard output, in the form that fits its reader. */
export function logTo(format: LogFormat): DestinationStream {
  const output = pino.destination(STDOUT);
  const isPretty = format === "pretty" || (format === "auto" && isatty(STDOUT));
  return isPretty ? { write: (json) => void output.write(formatLogLine(json)) } : output;
}
