import { basename, relative } from "node:path";

/** How this program was started, so that the commands in our hints can be copied and run. */
export function programName(script: string, lifecycleEvent: string | undefined, folder: string): string {
  // Set by npx and by npm exec.
  if (lifecycleEvent === "npx") return "npx @matchbook/server";
  // npm links the binary under its own name. On Windows its wrapper starts the file in node_modules.
  if (basename(script) === "matchbook-server" || /[\\/]node_modules[\\/]/.test(script)) return "matchbook-server";
  return `node ${relative(folder, script)}`;
}

export const program = programName(
  process.argv[1] ?? "matchbook-server",
  process.env.npm_lifecycle_event,
  process.cwd(),
);
