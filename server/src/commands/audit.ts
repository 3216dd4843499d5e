import { createAudit } from "../audit/audit.ts";
import type { Config } from "../config.ts";
import { createKeyring } from "../keyring.ts";
import { program } from "../program.ts";
import { readMasterSecret } from "../secrets.ts";
import { chooseEnvironment, readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

export async function audit(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, []);
  if (positionals[0] !== "verify") throw new UsageError(`Write: ${program} audit verify.`);
  const environment = chooseEnvironment(config, values.environment);
  const log = createAudit(createKeyring(readMasterSecret(config), environment.name));
  const verdict = await withDatabase(config, environment, (db) => log.verify(db));
  if (verdict.ok) {
    process.stdout.write(
      `${environment.name}: the chain of ${verdict.rows} rows is whole. It ends in ${verdict.head || "nothing"}.\n`,
    );
  } else {
    process.stdout.write(`${environment.name}: BROKEN. ${verdict.problem}\n`);
    process.exitCode = 1;
  }
}
