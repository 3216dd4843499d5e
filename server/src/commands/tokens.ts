import { presentToken } from "../access/present.ts";
import type { Token } from "../access/record.ts";
import { OPERATOR_ROLES } from "../access/roles.ts";
import { createSeals } from "../access/seals.ts";
import { listTokens } from "../access/token-queries.ts";
import { closeBootstrap, createToken, openBootstrap, revokeToken, TOKEN_NAME_PATTERN } from "../access/tokens.ts";
import { createAudit } from "../audit/audit.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/pool.ts";
import { isUuid } from "../http/path-ids.ts";
import { createKeyring } from "../keyring.ts";
import { TOKEN_DAYS_MAX, TOKEN_NAME_LENGTH_MAX } from "../limits.ts";
import { program } from "../program.ts";
import { newSecretText, readMasterSecret } from "../secrets.ts";
import { commandActor } from "./actor.ts";
import { formatTable } from "./table.ts";
import { chooseEnvironment, readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

const LISTED_MAX = 1_000;
const USAGE = `Write: ${program} tokens create|list|revoke|close-bootstrap|open-bootstrap.`;

export async function tokens(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, ["name", "role", "expires-in-days"], ["no-cascade"]);
  const [verb, id] = positionals;
  const environment = chooseEnvironment(config, values.environment);
  const actor = commandActor();
  const keyring = createKeyring(readMasterSecret(config), environment.name);
  const dependencies = (db: Database) => ({
    db,
    clock: systemClock,
    audit: createAudit(keyring),
    // No command signs in, so the bootstrap token does not matter here.
    seals: createSeals(keyring, newSecretText()),
  });

  switch (verb) {
    case "create": {
      const request = readRequest(values);
      const { token, secret } = await withDatabase(config, environment, (db) =>
        createToken(dependencies(db), request, actor, { onHost: true }),
      );
      process.stdout.write(`${secret}\n`);
      process.stderr.write(
        `Token ${token.id} (${token.role}, ${environment.name}) is valid until ${token.expireDate.toISOString()}. It is not shown again.\n`,
      );
      return;
    }
    case "list": {
      const found = await withDatabase(config, environment, (db) => listTokens(db, null, LISTED_MAX));
      process.stdout.write(formatTable([COLUMNS, ...found.map(describe)]));
      return;
    }
    case "revoke": {
      if (id === undefined || !isUuid(id)) {
        throw new UsageError(`Write: ${program} tokens revoke ID [--no-cascade].`);
      }
      const cascade = values["no-cascade"] === undefined;
      const revoked = await withDatabase(config, environment, (db) =>
        revokeToken(dependencies(db), id.toLowerCase(), actor, { cascade }),
      );
      const others = revoked.filter((token) => token.id !== id.toLowerCase());
      const also = others.length === 0 ? "" : ` and ${others.length} that it made`;
      process.stdout.write(revoked.length === 0 ? `${id} was already revoked.\n` : `Revoked ${id}${also}.\n`);
      return;
    }
    case "close-bootstrap": {
      const outcome = await withDatabase(config, environment, (db) => closeBootstrap(dependencies(db), actor));
      if (outcome === "no operator token") {
        throw new UsageError(
          "There is no valid token with the role operator, so no one could sign in. Make one with tokens create first.",
        );
      }
      process.stdout.write(`${environment.name}: the bootstrap token is switched off.\n`);
      return;
    }
    case "open-bootstrap":
      await withDatabase(config, environment, (db) => openBootstrap(dependencies(db), actor));
      process.stdout.write(`${environment.name}: the bootstrap token works.\n`);
      return;
    default:
      throw new UsageError(USAGE);
  }
}

const COLUMNS = ["id", "role", "state", "created by", "name"];

// The name comes last: it is free text and may be long.
function describe(token: Token): string[] {
  const { id, role, name, expiresAt, revokedAt, createdBy } = presentToken(token);
  const state = revokedAt === null ? `expires ${expiresAt}` : `revoked ${revokedAt}`;
  return [id, role, state, createdBy?.id ?? "host", name];
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
