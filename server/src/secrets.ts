import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Config, ConfigError } from "./config.ts";
import { findSecretProblem } from "./keyring.ts";

export interface Secrets {
  /** All versions of the master secret, as `keyring.ts` reads them. */
  readonly secret: string;
  readonly operatorToken: string;
}

export const OPERATOR_TOKEN_FILE = "operator-token";
export const SECRET_FILE = "secret";

/** The configured secrets, or those of the data folder, which are made on first use. */
export function readSecrets(config: Config): Secrets {
  return {
    secret: config.secret ?? readOrCreate(config.dataDir, SECRET_FILE, findSecretProblem),
    operatorToken: config.operatorToken ?? readOrCreate(config.dataDir, OPERATOR_TOKEN_FILE, findTokenProblem),
  };
}

/** Replaces the file whole: whoever reads it, and whatever a power cut leaves, is the old value or the new one. */
export function replaceSecretFile(config: Config, secret: string): string {
  const path = join(config.dataDir, SECRET_FILE);
  const temporary = temporaryBeside(path);
  try {
    writeNew(temporary, secret);
    renameSync(temporary, path);
    syncFolder(dirname(path));
    return path;
  } catch (error) {
    throw new ConfigError(`MATCHBOOK_DATA_DIR cannot hold ${path}: ${(error as Error).message}.`);
  }
}

function findTokenProblem(token: string): string | null {
  return token.length >= 32 ? null : "is too short";
}

function readOrCreate(dataDir: string, name: string, findProblem: (value: string) => string | null): string {
  const path = join(dataDir, name);
  try {
    if (!existsSync(path)) create(dataDir, path);
    const secret = readFileSync(path, "utf8").trim();
    const problem = findProblem(secret);
    if (problem !== null) throw new Error(`it ${problem}; restore it from a backup`);
    return secret;
  } catch (error) {
    throw new ConfigError(`MATCHBOOK_DATA_DIR cannot hold ${path}: ${(error as Error).message}.`);
  }
}

// Linking a finished file into place is atomic: two racing starts agree on one secret, and none reads half of it.
function create(dataDir: string, path: string): void {
  const temporary = temporaryBeside(path);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeNew(temporary, newSecretText());
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(temporary);
  }
}

export function newSecretText(): string {
  return randomBytes(32).toString("base64url");
}

function temporaryBeside(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}`;
}

function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, `${text}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
