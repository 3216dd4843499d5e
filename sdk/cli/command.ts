import { constants } from "node:os";
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

/** Something a person can fix, in one line. Exit code 1. */
export class Failure extends Error {}

/** The work was stopped by a signal; the message says how to go on. Exit code 130 or 143. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: "SIGINT" | "SIGTERM", message: string) {
    super(message);
    this.exitCode = 128 + constants.signals[signal];
  }
}

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
  // Not strict: the strict parser refuses `--profit -5`, and explains it in three lines about dashes.
  const parsed = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  const seen = new Set<string>();
  for (const token of parsed.tokens) {
    if (token.kind !== "option") continue;
    const { name, value, rawName, inlineValue } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) throw new UsageError(`There is no option ${rawName}.`);
    if (option.type === "boolean") {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    } else if (value === undefined || (inlineValue === false && isOption(value))) {
      throw new UsageError(`${rawName} needs a value. Write one that begins with a dash as ${rawName}=VALUE.`);
    } else if (value === "") throw new UsageError(`${rawName} is empty.`);
    // The last one would win silently, and it may be an amount.
    if (seen.has(name) && option.multiple !== true) throw new UsageError(`${rawName} is given twice.`);
    seen.add(name);
  }
  return parsed as unknown as Arguments<Options>;
}

/** A dash before a digit is a minus, not an option. */
function isOption(value: string): boolean {
  return /^-[^0-9]/.test(value);
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
  const empty = names[positionals.indexOf("")];
  if (empty !== undefined) throw new UsageError(`The argument <${empty}> is empty.`);
  return positionals as unknown as { [Index in keyof Names]: string };
}

/** A campaign id is part of the path of a call, where .. would lead elsewhere. */
export function checkCampaignId(text: string): string {
  if (/^[\w-]+$/.test(text)) return text;
  throw new UsageError(`${text === "" ? "An empty text" : text} is not the id of a campaign.`);
}

/** An option that does nothing here looks as if it worked, so it is refused. `reason` ends the sentence. */
export function refuseUseless(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
  reason: string,
): void {
  const useless = names.find((name) => values[name] !== undefined);
  if (useless !== undefined) throw new UsageError(`--${useless} ${reason}.`);
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

/** One of the words, in upper or lower case. */
export function readChoice<const Choices extends readonly string[]>(
  value: string,
  name: string,
  choices: Choices,
): Choices[number] {
  const wanted = value.toLowerCase().replaceAll("-", "_");
  const choice = choices.find((each) => each.toLowerCase() === wanted);
  if (choice === undefined) throw new UsageError(`${name} must be one of ${choices.join(", ")}, not ${value}.`);
  return choice;
}

/** The fields that were given; a request leaves the others out, so that the service's defaults hold. */
export function onlyGiven<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
