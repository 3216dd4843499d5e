import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The binary as npm links it, which is how people start it. */
const BIN = fileURLToPath(new URL("../../../node_modules/.bin/matchbook", import.meta.url));

/** With the binary on it, as after a global installation. */
const PATH = [dirname(BIN), process.env.PATH].join(delimiter);

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The folder of one user, with its own profiles and files. No setting comes from outside. */
export interface Desk {
  readonly folder: string;
  path(name: string): string;
  run(args: readonly string[], variables?: Record<string, string>): Promise<CommandResult>;
  /** Starts the command and does not wait for its end. */
  start(args: readonly string[], variables?: Record<string, string>): RunningCommand;
}

export interface RunningCommand {
  readonly stdout: () => string;
  readonly stderr: () => string;
  kill(signal: NodeJS.Signals): void;
  readonly finished: Promise<CommandResult>;
}

/** Removed at the end of the test. */
export function openDesk(): Desk {
  const desk = makeDesk();
  onTestFinished(() => removeDesk(desk));
  return desk;
}

export function makeDesk(): Desk {
  const folder = mkdtempSync(join(tmpdir(), "matchbook-cli-"));
  const start: Desk["start"] = (args, variables = {}) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: folder,
      env: { PATH, HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    return {
      stdout: () => stdout,
      stderr: () => stderr,
      kill: (signal) => child.kill(signal),
      finished: new Promise((resolve) => child.once("close", (code) => resolve({ code, stdout, stderr }))),
    };
  };
  return {
    folder,
    path: (name) => join(folder, name),
    start,
    run: (args, variables) => start(args, variables).finished,
  };
}

export function removeDesk({ folder }: Desk): void {
  rmSync(folder, { recursive: true, force: true });
}
