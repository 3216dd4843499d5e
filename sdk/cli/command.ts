import { type ParseArgsConfig, parseArgs } from "node:util";

export interface Command {
  /** What is typed after `matchbook`. */
  readonly name: string;
  readonly summary: string;
  /** How it is written, what it does and an example, as `matchbook help <command>` prints it. */
  readonly help: string;
  run(args: string[]): Promise<void>;
}

/** The command line cannot be understood; the message is one line that says how to write it. Exit code 2. */
export class UsageError extends Error {}

/** Something a person can put right, told in one line. Exit code 1. */
export class Failure extends Error {}

type OptionsConfig = NonNullable<ParseArgsConfig["options"]>;
type Arguments<Options extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true; strict: true }>
>;

/** Where and as whom to call; every command that calls the service takes these. */
export const connectionOptions = {
  profile: { type: "string" },
  "base-url": { type: "string" },
  "merchant-id": { type: "string" },
  "key-file": { type: "string" },
  environment: { type: "string" },
} as const satisfies OptionsConfig;

export function readArguments<const Options extends OptionsConfig>(
  args: string[],
  options: Options,
): Arguments<Options> {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    // Only the first sentence is about what was written; the others explain how to escape a dash.
    throw new UsageError(`${(error as Error).message.split(". ")[0]}.`);
  }
}

/** Exactly these positional arguments, or a usage error that names the one that is missing. */
export function requirePositionals<const Names extends readonly string[]>(
  positionals: readonly string[],
  names: Names,
): { [Index in keyof Names]: string } {
  const missing = names[positionals.length];
  if (missing !== undefined) throw new UsageError(`The argument <${missing}> is missing.`);
  if (positionals.length > names.length) {
    throw new UsageError(`There is one argument too many: ${positionals[names.length]}.`);
  }
  return positionals as unknown as { [Index in keyof Names]: string };
}

export function requireOption(value: string | undefined, name: string): string {
  if (value === undefined || value === "") throw new UsageError(`The option --${name} is missing.`);
  return value;
}

export function readInteger(value: string, name: string, minimum: number, maximum: number): number {
  const number = Number(value);
  if (!/^[0-9]{1,16}$/.test(value) || number < minimum || number > maximum) {
    throw new UsageError(`${name} must be a whole number from ${minimum} to ${maximum}, not ${value}.`);
  }
  return number;
}

export function readChainId(value: string, name = "--chain"): number {
  return readInteger(value, name, 1, Number.MAX_SAFE_INTEGER);
}

export function readChoice<const Choices extends readonly string[]>(
  value: string,
  name: string,
  choices: Choices,
): Choices[number] {
  if (!choices.includes(value)) throw new UsageError(`${name} must be one of ${choices.join(", ")}, not ${value}.`);
  return value;
}

/** The fields that were given; a request leaves the others out, so that the service's defaults hold. */
export function onlyGiven<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
