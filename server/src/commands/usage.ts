import { parseArgs } from "node:util";
import type { Config, EnvironmentConfig } from "../config.ts";
import { isUuid } from "../http/path-ids.ts";
import { program } from "../program.ts";

/** The command line is not valid. The message is one line that says how to write it. */
export class UsageError extends Error {}

/** Options with a value, by name. A flag is "true" when it is given. */
export function readArguments(args: string[], names: readonly string[], flags: readonly string[] = []) {
  const options = Object.fromEntries([
    ...[...names, "environment"].map((name) => [name, { type: "string" as const }] as const),
    ...flags.map((name) => [name, { type: "boolean" as const }] as const),
  ]);
  try {
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
    const texts = Object.entries(values).map(([name, value]) => [
      name,
      value === undefined ? undefined : String(value),
    ]);
    return { positionals, values: Object.fromEntries(texts) as { [name: string]: string | undefined } };
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(". ")[0]}; see ${program} help.`);
  }
}

export function oneOf<const Value extends string>(
  known: readonly Value[],
  text: string | undefined,
  option: string,
): Value | undefined {
  if (text === undefined) return undefined;
  const found = known.find((value) => value === text);
  if (found === undefined) throw new UsageError(`${option} must be one of ${known.join(", ")}.`);
  return found;
}

export function readId(text: string | undefined, what: string): string | undefined {
  if (text !== undefined && !isUuid(text)) throw new UsageError(`${what} must be a UUID, not ${text.slice(0, 80)}.`);
  return text?.toLowerCase();
}

export function chooseEnvironment(config: Config, name = "production"): EnvironmentConfig {
  const found = config.environments.find((environment) => environment.name === name);
  if (found === undefined) throw new UsageError(`--environment must be one of ENVIRONMENTS, not ${name}.`);
  return found;
}
