import { userInfo } from "node:os";
import { retireSecretVersion } from "../access/retire-secret.ts";
import { createAudit } from "../audit/audit.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createKeyring, readSecret, SEPARATORS, type SecretVersion, writeSecret } from "../keyring.ts";
import { newSecretText, readSecrets, replaceSecretFile } from "../secrets.ts";
import { readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

const USAGE = "Write: matchbook-server secret rotate, or secret retire VERSION.";

/** Changes MATCHBOOK_SECRET: in its file, or by printing the value to set. */
export async function secret(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, []);
  const [verb, which, ...others] = positionals;
  if (others.length > 0 || values.environment !== undefined) throw new UsageError(USAGE);
  const versions = readSecret(readSecrets(config).secret);
  if (verb === "rotate" && which === undefined) return rotate(config, versions);
  if (verb === "retire" && which !== undefined) return retire(config, versions, which);
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
 * What was not used since the version before signs no more is revoked, in every environment; only then is the version marked,
 * so that a run that breaks off can be repeated.
 */
async function retire(config: Config, versions: readonly SecretVersion[], which: string): Promise<void> {
  const number = Number(/^v?([1-9][0-9]{0,3})$/.exec(which)?.[1]);
  const version = versions.find((one) => one.version === number);
  if (version === undefined) throw new UsageError(`MATCHBOOK_SECRET has no version ${which}.`);
  const isNewer = (one: SecretVersion) => one.version > number && one.state === "active";
  if (!versions.some(isNewer))
    throw new UsageError(`v${number} still signs; run matchbook-server secret rotate first.`);
  const text = writeSecret(versions, ",");
  const actor = { name: `command line (${userInfo().username})`, requestId: null };
  for (const environment of config.environments) {
    const audit = createAudit(createKeyring(text, environment.name));
    const revoked = await withDatabase(config, environment, (db) =>
      retireSecretVersion({ db, clock: systemClock, audit }, number, actor),
    );
    process.stderr.write(`${environment.name}: revoked ${revoked} tokens that were still under v${number}.\n`);
  }
  const retired = versions.map((one) => (one === version ? { ...one, state: "retired" as const } : one));
  publish(config, retired, `v${number} opens nothing any more once the service is restarted.`);
}

/** A value of a variable goes to standard output alone, for a pipe; what is told to the person goes beside it. */
function publish(config: Config, versions: readonly SecretVersion[], effect: string): void {
  if (config.secret === null) {
    const path = replaceSecretFile(config, writeSecret(versions, "\n"));
    process.stdout.write(`Wrote ${path}. ${effect}\n`);
  } else {
    process.stdout.write(`${writeSecret(versions, ",")}\n`);
    process.stderr.write(`Set MATCHBOOK_SECRET to the value above, on every host. ${effect}\n`);
  }
}
