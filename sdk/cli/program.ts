import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, delimiter, join, relative } from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/** What to type to start this program again, so that the commands in our hints can be copied and run. */
export function programName(script: string, folder: string, variables: Variables): string {
  const event = variables.npm_lifecycle_event;
  // Set by npx and by npm exec. The name without the scope is another package on npm.
  if (event === "npx") return "npx @matchbook/sdk";
  const folders = (variables.PATH ?? "").split(delimiter);
  // A script of npm finds the binaries of its project on the PATH. The person who reads the hint does not.
  const own =
    event === undefined ? folders : folders.filter((path) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(path));
  const isInstalled = /[\\/]node_modules[\\/]/.test(script);
  // A file of a checkout that was started with node is named that way, even if the PATH has another.
  if ((isInstalled || basename(script) === "matchbook") && isFirstOnPath(script, own)) return "matchbook";
  if (isInstalled) return "npx @matchbook/sdk";
  return `node ${quoteArgument(relative(folder, script))}`;
}

/** Whether a shell that is given the program's name starts this very script. */
function isFirstOnPath(script: string, folders: readonly string[]): boolean {
  const found = folders.map((path) => join(path, "matchbook")).find(isExecutable);
  try {
    return found !== undefined && realpathSync(found) === realpathSync(script);
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export const program = programName(process.argv[1] ?? "matchbook", process.cwd(), process.env);

/** The command line that was typed, without the options named. */
export function commandLine(omitted: readonly string[] = []): string {
  const args = process.argv.slice(2).filter((argument) => !omitted.includes(argument));
  return [program, ...args.map(quoteArgument)].join(" ");
}

function quoteArgument(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
