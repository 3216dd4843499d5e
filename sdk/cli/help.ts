import { type Command, UsageError } from "./command.ts";
import { commands, findCommand } from "./commands.ts";
import { program } from "./program.ts";

/** The list of commands, or one command's page. */
export function helpText(name: string | undefined): string {
  if (name === undefined) return overview();
  const command = findCommand(name);
  if (command === undefined) throw new UsageError(`There is no command ${name}; ${program} help lists them.`);
  return command.help;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const line = ({ name, summary }: Command) => `  ${program} ${name.padEnd(width)}  ${summary}`;
  return `matchbook: the merchants' command line

${commands.map(line).join("\n")}

  ${program} help COMMAND ${" ".repeat(Math.max(0, width - 13))} what it does, its options and an example

From nothing to a matched reward in the sandbox: docs/quickstart.md.

Where to call and as whom comes from these, the first that is given:
  1. --base-url, --merchant-id, --key-file and --environment
  2. --profile NAME; no variable is read then
  3. MATCHBOOK_BASE_URL, MATCHBOOK_MERCHANT_ID, MATCHBOOK_ENVIRONMENT, and for the key MATCHBOOK_KEY_FILE (a file) or
     MATCHBOOK_PRIVATE_KEY (the PEM itself)
  4. the profile that MATCHBOOK_PROFILE names, or else the current one: ${program} help profile
A call that is refused says which of them were used. Every call is signed for itself alone, in the environment that the service
says it is, unless one is set.

Exit codes: 0 done, 1 refused or failed, 2 the command line was not understood, 130 stopped with Ctrl-C (143: with SIGTERM).
With --json an error is one line of JSON on standard error: { "error": { "code", "message", "next", "status", "requestId",
"retryAfterMs", "settings" } }. The code is the service's, or USAGE, FAILED, KEY_INVALID, CONNECTION_FAILED, TIMEOUT,
REDIRECT_REFUSED, RESPONSE_INVALID, INTERRUPTED or BUG.
`;
}
