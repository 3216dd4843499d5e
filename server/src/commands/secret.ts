import { retireSecretVersion } from "../access/retire-secret.ts";
import { listTokensOfVersion } from "../access/token-queries.ts";
import { createAudit } from "../audit/audit.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createKeyring, readSecret, SEPARATORS, type SecretVersion, writeSecret } from "../keyring.ts";
import { program } from "../program.ts";
import { newSecretText, readMasterSecret, replaceSecretFile } from "../secrets.ts";
import { commandActor } from "./actor.ts";
import { readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

const USAGE = `Write: ${program} secret rotate, or secret retire VERSION [--yes].`;

/** Changes MATCHBOOK_SECRET: in its file, or by printing the value to set. */
export async function secret(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, [], ["yes"]);
  const [verb, which, ...others] = positionals;
  if (others.length > 0 || values.environment !== undefined) throw new UsageError(USAGE);
  const versions = readSecret(readMasterSecret(config));
  if (verb === "rotate" && which === undefined) return rotate(config, versions);
  if (verb === "retire" && which !== undefined) return retire(config, versions, which, values.yes !== undefined);
  throw new UsageError(USAGE);
}

async function rotate(config: Config, versions: readonly SecretVersion[]): Promise<void> {
  const [newest] = versions;
  if (newest === undefined) throw new Error("The secret has no version.");
  if (SEPARATORS.test(newest.text)) {
    throw new UsageError("MATCHBOOK_SECRET has spaces or commas in its text, so it cannot become part of a list.");
  }
  if (newest.state === "next") {
    throw new UsageError(`v${newest.version} is still marked -next; take the mark away on every host first.`);
  }
  const added: SecretVersion = { version: newest.version + 1, state: "active", text: newSecretText() };
  publish(config, [added, ...versions], `v${added.version} signs once the service is restarted.`);
}

/**
 * Revokes the tokens that are still under this version, in every environment. Only then is the version marked, so that an
 * interrupted run can be repeated. Without --yes it lists the tokens and changes nothing.
 */
async function retire(
  config: Config,
  versions: readonly SecretVersion[],
  which: string,
  isSure: boolean,
): Promise<void> {
  const number = Number(/^v?([1-9][0-9]{0,3})$/.exec(which)?.[1]);
  const version = versions.find((one) => one.version === number);
  if (version === undefined) throw new UsageError(`MATCHBOOK_SECRET has no version ${which}.`);
  const isNewer = (one: SecretVersion) => one.version > number && one.state === "active";
  if (!versions.some(isNewer)) throw new UsageError(`v${number} still signs; run ${program} secret rotate first.`);
  let remaining = 0;
  for (const environment of config.environments) {
    const tokens = await withDatabase(config, environment, (db) => listTokensOfVersion(db, number, systemClock()));
    for (const { id, name } of tokens)
      process.stderr.write(`${environment.name}: ${id} ${name} is under v${number}.\n`);
    remaining += tokens.length;
  }
  if (!isSure && remaining > 0) {
    throw new UsageError(
      `These tokens would be revoked; use them once to move them, or repeat the command with --yes.`,
    );
  }
  const text = writeSecret(versions, ",");
  const actor = commandActor();
  for (const environment of config.environments) {
    const audit = createAudit(createKeyring(text, environment.name));
    const revoked = await withDatabase(config, environment, (db) =>
      retireSecretVersion({ db, clock: systemClock, audit }, number, actor),
    );
    process.stderr.write(`${environment.name}: revoked ${revoked.length} tokens that were still under v${number}.\n`);
  }
  const retired = versions.map((one) => (one === version ? { ...one, state: "retired" as const } : one));
  publish(config, retired, `v${number} no longer works once the service is restarted.`);
}

/** A variable's value goes to stdout alone, for a pipe. Messages for the person go to stderr. */
function publish(config: Config, versions: readonly SecretVersion[], effect: string): void {
  if (config.secret === null) {
    const path = replaceSecretFile(config, writeSecret(versions, "\n"));
    process.stdout.write(`Wrote ${path}. ${effect}\n`);
  } else {
    process.stdout.write(`${writeSecret(versions, ",")}\n`);
    process.stderr.write(`Set MATCHBOOK_SECRET to the value above, on every host. ${effect}\n`);
  }
}
