import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "@matchbook/sdk";
import { Failure } from "./command.ts";
import { readPrivateFile, replacePrivateFile } from "./private-files.ts";
import { program } from "./program.ts";

export interface Profile {
  readonly baseUrl: string;
  readonly merchantId: string;
  /** The key stays in its own file; a profile only knows where it is. */
  readonly keyFile: string;
  /** Which environment the address serves; where it is missing, the service is asked. */
  readonly environment?: Environment;
}

export interface Profiles {
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export function profilesPath(): string {
  const base = process.env.XDG_CONFIG_HOME;
  // The base directory specification has relative paths ignored.
  const folder = base?.startsWith("/") === true ? base : join(homedir(), ".config");
  return join(folder, "matchbook", "profiles.json");
}

export function readProfiles(): Profiles {
  const path = profilesPath();
  const text = readPrivateFile(path);
  if (text === null) return { current: null, profiles: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (!isProfiles(value)) throw new Failure(`${path} is damaged. Correct it, or delete it and set the profiles again.`);
  return value;
}

export function findProfile(name: string): Profile {
  const { profiles } = readProfiles();
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(profiles).join(", ") || "none yet";
  throw new Failure(`There is no profile ${name} (there are: ${known}). Set it with ${program} profile set ${name} ….`);
}

/** Stores a profile and makes it the current one. */
export function saveProfile(name: string, profile: Profile): void {
  const { profiles } = readProfiles();
  write({ current: name, profiles: { ...profiles, [name]: profile } });
}

export function useProfile(name: string): void {
  findProfile(name);
  write({ ...readProfiles(), current: name });
}

function write(profiles: Profiles): void {
  replacePrivateFile(profilesPath(), `${JSON.stringify(profiles, null, 2)}\n`);
}

function isProfiles(value: unknown): value is Profiles {
  if (!isObject(value) || !isObject(value.profiles)) return false;
  if (value.current !== null && typeof value.current !== "string") return false;
  return Object.values(value.profiles).every(
    (profile) =>
      isObject(profile) &&
      [profile.baseUrl, profile.merchantId, profile.keyFile].every((field) => typeof field === "string") &&
      [undefined, "production", "sandbox"].includes(profile.environment as string | undefined),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
