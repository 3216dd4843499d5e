import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError } from "./config.ts";

export interface Secrets {
  readonly secret: string;
  readonly operatorToken: string;
}

export const OPERATOR_TOKEN_FILE = "operator-token";
const SECRET_FILE = "secret";

/** The configured secrets, or those of the data folder, which are made on first use. */
export function readSecrets(config: Config): Secrets {
  return {
    secret: config.secret ?? readOrCreate(config.dataDir, SECRET_FILE),
    operatorToken: config.operatorToken ?? readOrCreate(config.dataDir, OPERATOR_TOKEN_FILE),
  };
}

function readOrCreate(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  try {
    if (!existsSync(path)) create(dataDir, path);
    const secret = readFileSync(path, "utf8").trim();
    if (secret.length < 32) throw new Error("it is too short to be a secret; restore it from a backup");
    return secret;
  } catch (error) {
    throw new ConfigError(`MATCHBOOK_DATA_DIR cannot hold ${path}: ${(error as Error).message}.`);
  }
}

// Linking a finished file into place is atomic: two racing starts agree on one secret, and none reads half of it.
function create(dataDir: string, path: string): void {
  const secret = randomBytes(32).toString("base64url");
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(temporary, `${secret}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(temporary);
  }
}
