import type { Environment } from "@matchbook/sdk";
import { Failure } from "./command.ts";
import { readPrivateFile } from "./private-files.ts";
import { findProfile, type Profile, readProfiles } from "./profiles.ts";

/** What of a connection was written on the command line. */
export interface ConnectionFlags {
  readonly profile?: string | undefined;
  readonly "base-url"?: string | undefined;
  readonly "merchant-id"?: string | undefined;
  readonly "key-file"?: string | undefined;
  readonly environment?: string | undefined;
}

export interface PrivateKeySource {
  /** Where the key comes from, in words; the key itself is in no message. */
  readonly from: string;
  read(): string;
}

export interface Settings {
  readonly baseUrl: string | null;
  readonly merchantId: string | null;
  readonly privateKey: PrivateKeySource | null;
  /** Which environment the address serves; null until the service is asked. */
  readonly environment: Environment | null;
}

/** Flags come before environment variables, and those before the profile. */
export function readSettings(flags: ConnectionFlags): Settings {
  const profile = chooseProfile(flags);
  const { MATCHBOOK_BASE_URL, MATCHBOOK_MERCHANT_ID, MATCHBOOK_PRIVATE_KEY, MATCHBOOK_ENVIRONMENT } = process.env;
  const baseUrl = firstOf(flags["base-url"], MATCHBOOK_BASE_URL, profile?.baseUrl);
  // A profile knows the environment of its own address, and of no other.
  const remembered = baseUrl?.replace(/\/+$/, "") === profile?.baseUrl ? profile?.environment : undefined;
  const environment = firstOf(flags.environment, MATCHBOOK_ENVIRONMENT, remembered);
  return {
    baseUrl,
    environment: environment === null ? null : checkEnvironment(environment),
    merchantId: firstOf(flags["merchant-id"], MATCHBOOK_MERCHANT_ID, profile?.merchantId),
    privateKey: chooseKey(flags["key-file"], MATCHBOOK_PRIVATE_KEY, profile?.keyFile),
  };
}

export function requireBaseUrl({ baseUrl }: Settings): string {
  return checkBaseUrl(baseUrl ?? missing("address of the service", "--base-url", "MATCHBOOK_BASE_URL"));
}

/** The address without a slash at its end; a mistake in it is told before anything is signed. */
export function checkBaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    fail(`${text} is no address of the service; it looks like https://api.example.com.`);
  }
  return text.replace(/\/+$/, "");
}

export function checkEnvironment(name: string): Environment {
  if (name !== "production" && name !== "sandbox") fail(`${name} is no environment: write production or sandbox.`);
  return name;
}

export function requireMerchantId({ merchantId }: Settings): string {
  return merchantId ?? missing("merchant id", "--merchant-id", "MATCHBOOK_MERCHANT_ID");
}

export function requirePrivateKey({ privateKey }: Settings): PrivateKeySource {
  return privateKey ?? missing("private key", "--key-file", "MATCHBOOK_PRIVATE_KEY");
}

function chooseProfile(flags: ConnectionFlags): Profile | null {
  const name = firstOf(flags.profile, process.env.MATCHBOOK_PROFILE) ?? readProfiles().current;
  return name === null ? null : findProfile(name);
}

function chooseKey(flag: string | undefined, variable: string | undefined, file: string | undefined) {
  if (flag !== undefined) return keyFile(flag);
  if (variable !== undefined && variable !== "") return { from: "MATCHBOOK_PRIVATE_KEY", read: () => variable };
  return file === undefined ? null : keyFile(file);
}

export function keyFile(path: string): PrivateKeySource {
  return {
    from: path,
    read: () => readPrivateFile(path) ?? fail(`There is no key file ${path}. Make one with matchbook keygen.`),
  };
}

function firstOf(...values: (string | undefined)[]): string | null {
  return values.find((value) => value !== undefined && value !== "") ?? null;
}

function missing(what: string, flag: string, variable: string): never {
  fail(`No ${what} is known. Give ${flag}, set ${variable}, or save a profile: matchbook help profile.`);
}

function fail(message: string): never {
  throw new Failure(message);
}
