import { userInfo } from "node:os";
import { systemClock } from "../clock.ts";
import { type Config, deriveKey } from "../config.ts";
import type { Database } from "../db/pool.ts";
import { isUuid } from "../http/path-ids.ts";
import { TOKEN_DAYS_MAX, TOKEN_NAME_LENGTH_MAX } from "../limits.ts";
import { createAudit } from "../operators/audit.ts";
import { listTokens } from "../operators/queries.ts";
import { OPERATOR_ROLES } from "../operators/roles.ts";
import { createToken, revokeToken, TOKEN_NAME_PATTERN } from "../operators/tokens.ts";
import { readSecrets } from "../secrets.ts";
import { chooseEnvironment, readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

const LISTED_MAX = 1_000;

export async function tokens(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, ["name", "role", "expires-in-days"]);
  const [verb, id] = positionals;
  const environment = chooseEnvironment(config, values.environment);
  const actor = { name: `command line (${userInfo().username})`, requestId: null };
  const dependencies = (db: Database) => ({
    db,
    clock: systemClock,
    audit: createAudit(deriveKey(readSecrets(config).secret, environment.name, "audit")),
  });

  switch (verb) {
    case "create": {
      const request = readRequest(values);
      const created = await withDatabase(config, environment, (db) => createToken(dependencies(db), request, actor));
      process.stdout.write(`${created.token}\n`);
      process.stderr.write(
        `Token ${created.id} (${created.role}, ${environment.name}) is good until ${created.expiresAt}. It is not shown again.\n`,
      );
      return;
    }
    case "list": {
      const found = await withDatabase(config, environment, (db) => listTokens(db, null, LISTED_MAX));
      for (const token of found) {
        const state = token.revokedAt === null ? `expires ${token.expiresAt}` : `revoked ${token.revokedAt}`;
        process.stdout.write(`${token.id}  ${token.role.padEnd(8)}  ${state}  ${token.name}\n`);
      }
      return;
    }
    case "revoke":
      if (id === undefined || !isUuid(id)) throw new UsageError("Write: matchbook-server tokens revoke ID.");
      await withDatabase(config, environment, (db) => revokeToken(dependencies(db), id.toLowerCase(), actor));
      process.stdout.write(`Revoked ${id}.\n`);
      return;
    default:
      throw new UsageError("Write: matchbook-server tokens create|list|revoke.");
  }
}

function readRequest(values: { [name: string]: string | undefined }) {
  const { name = "", role: roleName, "expires-in-days": days } = values;
  const role = OPERATOR_ROLES.find((known) => known === roleName);
  if (name.length > TOKEN_NAME_LENGTH_MAX || !new RegExp(TOKEN_NAME_PATTERN, "u").test(name)) {
    throw new UsageError(`--name is required: one line of at most ${TOKEN_NAME_LENGTH_MAX} characters.`);
  }
  if (role === undefined) throw new UsageError(`--role must be one of ${OPERATOR_ROLES.join(", ")}.`);
  if (days !== undefined && !(/^[1-9][0-9]{0,3}$/.test(days) && Number(days) <= TOKEN_DAYS_MAX)) {
    throw new UsageError(`--expires-in-days must be a whole number from 1 to ${TOKEN_DAYS_MAX}.`);
  }
  return { name, role, expiresInDays: days === undefined ? undefined : Number(days) };
}
