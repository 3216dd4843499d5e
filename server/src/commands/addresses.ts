import type { Config } from "../config.ts";
import { findAddressProblems } from "../oversight/check-addresses.ts";
import { program } from "../program.ts";
import { chooseEnvironment, readArguments, UsageError } from "./usage.ts";
import { withDatabase } from "./with-database.ts";

/** Fails when it finds something, as verify does. With --json each is a line of JSON. */
export async function addresses(config: Config, args: string[]): Promise<void> {
  const { positionals, values } = readArguments(args, [], ["json"]);
  if (positionals.join(" ") !== "check") throw new UsageError(`Write: ${program} addresses check [--json].`);
  const environment = chooseEnvironment(config, values.environment);
  const count = await withDatabase(config, environment, async (db) => {
    let found = 0;
    for await (const problem of findAddressProblems(db)) {
      found++;
      const { kind, id, field, value, problem: rule } = problem;
      // What was stored may hold anything, so that it is shown as a JSON text.
      const line =
        values.json === undefined
          ? `${kind} ${id}: ${field} ${JSON.stringify(value)} ${rule}.`
          : JSON.stringify(problem);
      process.stdout.write(`${line}\n`);
    }
    return found;
  });
  const verdict =
    count === 0 ? "no stored address or hash breaks a rule" : `${count} stored addresses or hashes break a rule`;
  if (values.json === undefined) process.stdout.write(`${environment.name}: ${verdict}. Nothing was changed.\n`);
  if (count > 0) process.exitCode = 1;
}
