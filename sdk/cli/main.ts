import { readFileSync } from "node:fs";
import { UsageError } from "./command.ts";
import { findCommand } from "./commands.ts";
import { printError } from "./explain-error.ts";
import { helpText } from "./help.ts";
import { program } from "./program.ts";

async function run([name = "help", ...args]: string[]): Promise<void> {
  if (name === "help" || name === "--help" || name === "-h") return print(helpText(args[0]));
  if (name === "version" || name === "--version") return print(`${readVersion()}\n`);
  const command = findCommand(name);
  if (command === undefined) throw new UsageError(`There is no command ${name}; ${program} help lists them.`);
  if (args.includes("--help") || args.includes("-h")) return print(command.help);
  try {
    await command.run(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} ${program} help ${name} shows how it is written.`);
  }
}

function readVersion(): string {
  const manifest = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

function print(text: string): void {
  process.stdout.write(text);
}

// The reader of our output may stop reading, as head does; that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = printError(error);
}
