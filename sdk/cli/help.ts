import { type Command, UsageError } from "./command.ts";
import { commands, findCommand } from "./commands.ts";

/** The list of commands, or one command's page. */
export function helpText(name: string | undefined): string {
  if (name === undefined) return overview();
  const command = findCommand(name);
  if (command === undefined) throw new UsageError(`There is no command ${name}; matchbook help lists them.`);
  return command.help;
}

function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const line = ({ name, summary }: Command) => `  matchbook ${name.padEnd(width)}  ${summary}`;
  return `matchbook: the merchants' command line

${commands.map(line).join("\n")}

  matchbook help COMMAND ${" ".repeat(Math.max(0, width - 13))} what it does, its options and an example

From nothing to a matched reward in the sandbox: docs/quickstart.md. Where to call and as whom comes from a profile
(matchbook help profile), from MATCHBOOK_BASE_URL, MATCHBOOK_MERCHANT_ID and MATCHBOOK_PRIVATE_KEY, or for one call from
--profile, --base-url, --merchant-id and --key-file. Every call is signed for itself alone, in the environment that the service
says it is; --environment or MATCHBOOK_ENVIRONMENT fixes it.
Exit codes: 0 done, 1 refused or failed, 2 the command line was not understood.
`;
}
