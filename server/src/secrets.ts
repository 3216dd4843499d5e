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
  rmSync,
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

/** For the service itself: the configured secrets, or those of the data folder, which are created on first use. */
export function readOrCreateSecrets(config: Config): Secrets {
  for (const [value, name] of [
    [config.secret, SECRET_FILE],
    [config.operatorToken, OPERATOR_TOKEN_FILE],
  ] as const) {
    if (value === null && !existsSync(join(config.dataDir, name))) create(config.dataDir, name);
  }
  return {
    secret: readMasterSecret(config),
    operatorToken: config.operatorToken ?? read(config.dataDir, OPERATOR_TOKEN_FILE, findTokenProblem),
  };
}

/**
 * For commands beside the service. A command never creates a secret: with another one than the service's it would write audit
 * rows and tokens that the service rejects.
 */
export function readMasterSecret(config: Config): string {
  if (config.secret !== null) return config.secret;
  if (!existsSync(join(config.dataDir, SECRET_FILE))) {
    throw new ConfigError(
      `There is no secret in ${config.dataDir}: set MATCHBOOK_DATA_DIR or MATCHBOOK_SECRET as the service has it.`,
    );
  }
  return read(config.dataDir, SECRET_FILE, findSecretProblem);
}

/** Replaces the whole file in one step. A reader, also after a power cut, finds the old value or the new one. */
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

function read(dataDir: string, name: string, findProblem: (value: string) => string | null): string {
  const path = join(dataDir, name);
  try {
    const secret = readFileSync(path, "utf8").trim();
    const problem = findProblem(secret);
    if (problem !== null) throw new Error(`it ${problem}; restore it from a backup`);
    return secret;
  } catch (error) {
    throw new ConfigError(`MATCHBOOK_DATA_DIR cannot hold ${path}: ${(error as Error).message}.`);
  }
}

// Linking a finished file into place is atomic: two racing starts agree on one secret, and none reads half of it.
function create(dataDir: string, name: string): void {
  const path = join(dataDir, name);
  const temporary = temporaryBeside(path);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeNew(temporary, newSecretText());
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw new ConfigError(`MATCHBOOK_DATA_DIR cannot hold ${path}: ${(error as Error).message}.`);
    }
  } finally {
    rmSync(temporary, { force: true });
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
