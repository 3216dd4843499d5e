import type { Environment } from "@matchbook/sdk";
import { Failure, UsageError } from "./command.ts";
import { readPrivateFile } from "./private-files.ts";
import { findProfile, type Profile, readProfiles } from "./profiles.ts";
import { program } from "./program.ts";

/** What of a connection was written on the command line. */
export interface ConnectionFlags {
  readonly profile?: string | undefined;
  readonly "base-url"?: string | undefined;
  readonly "merchant-id"?: string | undefined;
  readonly "key-file"?: string | undefined;
  readonly environment?: string | undefined;
}

export interface PrivateKeySource {
  /** The file or the variable that holds the key; the key itself is in no message. */
  readonly name: string;
  read(): string;
}

/** A setting and where it comes from: a flag, a variable or a profile. */
export interface Setting<Value> {
  readonly value: Value;
  readonly from: string;
}

export interface Settings {
  readonly baseUrl: Setting<string> | null;
  readonly merchantId: Setting<string> | null;
  readonly privateKey: Setting<PrivateKeySource> | null;
  /** Which environment the address serves; null until the service is asked. */
  readonly environment: Setting<Environment> | null;
}

/**
 * Flags come first, --profile among them: with it, no variable is read. Without it, variables come before the profile, which
 * MATCHBOOK_PROFILE names or which is the current one.
 */
export function readSettings(flags: ConnectionFlags): Settings {
  if (flags["base-url"] !== undefined) checkBaseUrl(flags["base-url"], "--base-url");
  if (flags.environment !== undefined) checkEnvironment(flags.environment, "--environment");
  const profile = chooseProfile(flags);
  const variables = flags.profile === undefined ? process.env : {};
  const pick = (flag: keyof ConnectionFlags, variable: string, remembered: string | undefined) =>
    firstOf([flags[flag], `--${flag}`], [variables[variable], variable], [remembered, `the profile ${profile?.name}`]);
  const baseUrl = pick("base-url", "MATCHBOOK_BASE_URL", profile?.baseUrl);
  // A profile knows the environment of its own address, and of no other.
  const isOwnAddress = baseUrl !== null && baseUrl.value.replace(/\/+$/, "") === profile?.baseUrl;
  const environment = pick("environment", "MATCHBOOK_ENVIRONMENT", isOwnAddress ? profile?.environment : undefined);
  return {
    baseUrl,
    environment: environment && { ...environment, value: checkEnvironment(environment.value, environment.from) },
    merchantId: pick("merchant-id", "MATCHBOOK_MERCHANT_ID", profile?.merchantId),
    privateKey: chooseKey(
      variables.MATCHBOOK_PRIVATE_KEY,
      pick("key-file", "MATCHBOOK_KEY_FILE", profile?.keyFile),
      flags["key-file"] !== undefined,
    ),
  };
}

/** What a refused call was made with, for people. */
export function describeSettings(settings: Settings): string {
  const { baseUrl, merchantId, key, environment } = settingsJson(settings);
  const parts = Object.entries({ address: baseUrl, "merchant id": merchantId, key, environment }).flatMap(
    ([name, setting]) => (setting === null ? [] : [`${name} ${setting.value} (${setting.from})`]),
  );
  return `Settings used: ${parts.join(", ")}.`;
}

/** The same for programs. */
export function settingsJson({ baseUrl, merchantId, privateKey, environment }: Settings) {
  const key = privateKey && { value: privateKey.value.name, from: privateKey.from };
  return { baseUrl, merchantId, key, environment };
}

export function requireBaseUrl({ baseUrl }: Pick<Settings, "baseUrl">): string {
  if (baseUrl === null) missing("address of the service", "--base-url", "MATCHBOOK_BASE_URL");
  return checkBaseUrl(baseUrl.value, baseUrl.from);
}

/** The address without a slash at its end; a mistake in it is reported before anything is signed. */
export function checkBaseUrl(text: string, from: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    failFrom(from, `${text} is no address of the service; it looks like https://api.example.com.`);
  }
  return text.replace(/\/+$/, "");
}

export function checkEnvironment(name: string, from: string): Environment {
  if (name !== "production" && name !== "sandbox") {
    failFrom(from, `${name} is no environment: write production or sandbox.`);
  }
  return name;
}

export function requireMerchantId({ merchantId }: Settings): string {
  return merchantId?.value ?? missing("merchant id", "--merchant-id", "MATCHBOOK_MERCHANT_ID");
}

export function requirePrivateKey({ privateKey }: Settings): PrivateKeySource {
  return privateKey?.value ?? missing("private key", "--key-file", "MATCHBOOK_KEY_FILE");
}

function chooseProfile(flags: ConnectionFlags): (Profile & { name: string }) | null {
  // Nothing of a profile is needed then, so one that is damaged or missing does no harm.
  const isComplete = [flags["base-url"], flags["merchant-id"], flags["key-file"]].every((flag) => flag !== undefined);
  if (isComplete && flags.profile === undefined) return null;
  const name = (flags.profile ?? process.env.MATCHBOOK_PROFILE) || readProfiles().current;
  return name === null ? null : { ...findProfile(name), name };
}

function chooseKey(
  variable: string | undefined,
  file: Setting<string> | null,
  isFlag: boolean,
): Setting<PrivateKeySource> | null {
  const name = "MATCHBOOK_PRIVATE_KEY";
  if (isFlag || variable === undefined || variable === "") {
    return file && { value: keyFile(file.value), from: file.from };
  }
  if (file?.from === "MATCHBOOK_KEY_FILE") fail(`Both ${name} and MATCHBOOK_KEY_FILE are set. Unset one of them.`);
  return { value: { name, read: () => variable }, from: "a variable" };
}

export function keyFile(path: string): PrivateKeySource {
  return {
    name: path,
    read: () => readPrivateFile(path) ?? fail(`There is no key file ${path}. Make one with ${program} keygen.`),
  };
}

function firstOf(...settings: (readonly [value: string | undefined, from: string])[]): Setting<string> | null {
  const [value, from] = settings.find(([text]) => text !== undefined && text !== "") ?? [];
  return value === undefined || from === undefined ? null : { value, from };
}

function missing(what: string, flag: string, variable: string): never {
  fail(`No ${what} is known. Give ${flag}, set ${variable}, or save a profile: ${program} help profile.`);
}

/** What was typed wrongly is a usage error. A variable or a profile was not typed. */
function failFrom(from: string, message: string): never {
  if (from.startsWith("--")) throw new UsageError(`${from}: ${message}`);
  fail(`${from}: ${message}`);
}

function fail(message: string): never {
  throw new Failure(message);
}
