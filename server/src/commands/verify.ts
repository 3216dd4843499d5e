import { createJournalChain } from "../campaigns/journal/chain.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { isUuid } from "../http/path-ids.ts";
import { createKeyring } from "../keyring.ts";
import { FULL_STEPS, verifyInvariants } from "../oversight/invariants.ts";
import { program } from "../program.ts";
import { readMasterSecret } from "../secrets.ts";
import { startProgress } from "./progress.ts";
import { chooseEnvironment, readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

/** The same as GET /operator/v1/invariants, for a terminal or a scheduled job: it fails when a rule is broken. */
export async function verify(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, ["merchant"]);
  const { merchant } = values;
  if (positionals.length > 0) throw new UsageError(`Write: ${program} verify [--merchant ID].`);
  if (merchant !== undefined && !isUuid(merchant)) throw new UsageError("--merchant must be a merchant's id.");
  const environment = chooseEnvironment(config, values.environment);
  const chain = createJournalChain(createKeyring(readMasterSecret(config), environment.name));
  const progress = startProgress("Checks", FULL_STEPS);
  const verdict = await withDatabase(config, environment, (db) =>
    verifyInvariants({ db, clock: systemClock, chain }, merchant?.toLowerCase() ?? null, {
      onProgress: (done, name) => progress.show(done, name),
    }),
  );
  progress.finish(`${verdict.checks.length} rules`);
  for (const { name, ok, detail } of verdict.checks) {
    process.stdout.write(`${ok ? "ok    " : "BROKEN"}  ${name} (${detail})\n`);
  }
  process.stdout.write(
    `${environment.name}: ${verdict.ok ? "every rule holds" : "RULES ARE BROKEN"} as of ${verdict.date}.\n`,
  );
  if (!verdict.ok) process.exitCode = 1;
}
