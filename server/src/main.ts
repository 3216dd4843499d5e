import { UsageError } from "./commands/usage.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { SchemaError } from "./db/migrate.ts";
import { VERSION } from "./documents.ts";
import { AppError } from "./http/errors.ts";
import { program } from "./program.ts";

const HELP = `matchbook-server: the operators' command line

  matchbook-server start                    serve until stopped (this is what npm start does)
  matchbook-server migrate                  bring the schema of every environment up to date, and exit
  matchbook-server tokens create --name N --role operator|viewer|ingest [--expires-in-days D]
  matchbook-server tokens list
  matchbook-server tokens revoke ID [--no-cascade]
                                            end a token and those it made; with --no-cascade only the token itself
  matchbook-server tokens close-bootstrap   switch MATCHBOOK_OPERATOR_TOKEN off, once a token of the role operator exists
  matchbook-server tokens open-bootstrap    switch it on again
  matchbook-server secret rotate            add a version to MATCHBOOK_SECRET (docs/operating.md)
  matchbook-server secret retire VERSION [--yes]
                                            stop accepting what was made with an old version
  matchbook-server audit verify [--checkpoints FILE]
                                            recompute the chains of the audit log and the journals
  matchbook-server audit export [--output FILE]
                                            write where these chains end, to be kept elsewhere
  matchbook-server deposits import FILE     load deposits from FILE.ndjson or FILE.csv (docs/reporting.md)
  matchbook-server demo [--merchants N] [--deposits N] [--campaigns N] [--applications N]
                                            fill the sandbox, or the environment named, with invented data
  matchbook-server payouts list [--status S] [--merchant ID] [--campaign ID] [--run ID] [--hash H] [--proof P] [--limit N]
  matchbook-server payouts owed [--by campaign|merchant|token] [--merchant ID] [--limit N]
  matchbook-server payouts run create --key K (--campaign ID | --merchant ID [--chain N --token A]) [--participants FILE] [--note T]
  matchbook-server payouts run show|approve|cancel ID [--reason T] [--confirm-not-sent]
  matchbook-server payouts run export ID [--format csv|safe-airdrop|safe-builder|json]
  matchbook-server payouts run submit ID (--hash H | --csv FILE)
  matchbook-server payouts run results ID --csv FILE [--dry-run]
                                            pay what is owed from a script (docs/operating.md)
  matchbook-server addresses check          list stored addresses and hashes that today's rules refuse, and change nothing
  matchbook-server verify [--merchant ID]   recompute the money and rollup rules from the base tables
  matchbook-server version | help

tokens, audit, deposits, payouts, addresses and verify take --environment production|sandbox (default: production), payouts and
addresses also --json. All commands read the same environment variables as the server; docs/operating.md explains each.
`;

// Each command loads what it needs: together they take most of a second.
const COMMANDS: Readonly<Record<string, (config: Config, rest: string[]) => Promise<void>>> = {
  start: async (config) => (await import("./commands/start.ts")).start(config),
  migrate: async (config) => (await import("./commands/migrate.ts")).migrateAll(config),
  tokens: async (config, rest) => (await import("./commands/tokens.ts")).tokens(config, rest),
  secret: async (config, rest) => (await import("./commands/secret.ts")).secret(config, rest),
  audit: async (config, rest) => (await import("./commands/audit.ts")).audit(config, rest),
  deposits: async (config, rest) => (await import("./commands/import.ts")).depositsCommand(config, rest),
  payouts: async (config, rest) => (await import("./commands/payouts.ts")).payouts(config, rest),
  addresses: async (config, rest) => (await import("./commands/addresses.ts")).addresses(config, rest),
  demo: async (config, rest) => (await import("./commands/demo.ts")).demo(config, rest),
  verify: async (config, rest) => (await import("./commands/verify.ts")).verify(config, rest),
};

async function run([command = "help", ...rest]: string[]): Promise<void> {
  if (["version", "--version"].includes(command)) return print(`${VERSION}\n`);
  if (["help", "--help"].includes(command)) return print(HELP.replaceAll(/^ {2}matchbook-server/gm, `  ${program}`));
  const named = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (named === undefined) throw new UsageError(`There is no command ${command}; ${program} help lists them.`);
  return named(readConfig(process.env, process.getuid?.() === 0), rest);
}

function print(text: string): void {
  process.stdout.write(text);
}

// A mistake that the person can correct is one line. Anything else is a bug and comes with its trace.
try {
  await run(process.argv.slice(2));
  process.exit(process.exitCode ?? 0);
} catch (error) {
  const expected = [ConfigError, SchemaError, UsageError, AppError].some((kind) => error instanceof kind);
  process.stderr.write(expected ? `matchbook-server: ${(error as Error).message}\n` : `${(error as Error).stack}\n`);
  process.exit(1);
}
