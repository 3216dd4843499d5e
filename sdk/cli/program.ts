import { basename, relative } from "node:path";

/** How this program was started, so that the commands in our hints can be copied and run. */
export function programName(script: string, lifecycleEvent: string | undefined, folder: string): string {
  // Set by npx and by npm exec. The name without the scope is another package on npm.
  if (lifecycleEvent === "npx") return "npx @matchbook/sdk";
  // npm links the binary under its own name. On Windows its wrapper starts the file in node_modules.
  if (basename(script) === "matchbook" || /[\\/]node_modules[\\/]/.test(script)) return "matchbook";
  return `node ${quoteArgument(relative(folder, script))}`;
}

export const program = programName(process.argv[1] ?? "matchbook", process.env.npm_lifecycle_event, process.cwd());

/** The command line that was typed, without the options named. */
export function commandLine(omitted: readonly string[] = []): string {
  const args = process.argv.slice(2).filter((argument) => !omitted.includes(argument));
  return [program, ...args.map(quoteArgument)].join(" ");
}

function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
