import { type DestinationStream, type Logger, pino } from "pino";

// Headers and bodies are never logged. This redaction is a second line of defence.
const SECRETS = ["authorization", "token", "secret", "password", "privateKey", "publicKey", "signature", "payerId"];

export function createLog(level: string, destination?: DestinationStream): Logger {
  const redact = {
    paths: SECRETS.flatMap((name) => [name, `*.${name}`]),
    censor: "[redacted]",
  };
  return pino(
    { level, redact, base: { process: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    destination ?? pino.destination(1),
  );
}
