import { resolve } from "node:path";
import { type Command, readArguments, requireOption, requirePositionals, UsageError } from "../command.ts";
import { note, print, printJson, printTable } from "../output.ts";
import { profilesPath, readProfiles, saveProfile, useProfile } from "../profiles.ts";
import { program } from "../program.ts";
import { checkBaseUrl, checkEnvironment } from "../settings.ts";

export const profile: Command = {
  name: "profile",
  summary: "remember addresses, merchant ids and key files under names",
  help: `${program} profile set NAME --base-url URL --merchant-id ID --key-file FILE [--environment production|sandbox]
${program} profile list [--json]
${program} profile use NAME

A profile is where to call and as whom. The last one set or used is the current one; --profile NAME or MATCHBOOK_PROFILE
chooses another for one call. --base-url, --merchant-id and --key-file go before every profile. MATCHBOOK_BASE_URL,
MATCHBOOK_MERCHANT_ID, MATCHBOOK_KEY_FILE and MATCHBOOK_PRIVATE_KEY (the PEM itself; \\n for line ends is understood) go before
a profile that --profile does not name. Profiles hold the path of the key, never the key. They are kept in ~/.config/matchbook/profiles.json, or below
XDG_CONFIG_HOME, in a file that only you may read.

Signatures name the environment. Without --environment (or MATCHBOOK_ENVIRONMENT), the service is asked which one it is.

Example:
  ${program} profile set live --base-url https://api.matchbook.example --merchant-id 5f0c9a1e-… --key-file merchant.pem
`,
  async run([verb = "", ...args]) {
    switch (verb) {
      case "set":
        return set(args);
      case "list":
        return list(args);
      case "use":
        return use(args);
      default:
        throw new UsageError(`Write: ${program} profile set|list|use.`);
    }
  },
};

async function set(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    "base-url": { type: "string" },
    "merchant-id": { type: "string" },
    "key-file": { type: "string" },
    environment: { type: "string" },
  });
  const [name] = requirePositionals(positionals, ["NAME"]);
  saveProfile(name, {
    baseUrl: checkBaseUrl(requireOption(values["base-url"], "base-url"), "--base-url"),
    merchantId: requireOption(values["merchant-id"], "merchant-id"),
    keyFile: resolve(requireOption(values["key-file"], "key-file")),
    ...(values.environment === undefined ? {} : { environment: checkEnvironment(values.environment, "--environment") }),
  });
  note(`The profile ${name} is saved in ${profilesPath()} and is the current one.`);
}

async function list(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { json: { type: "boolean" } });
  requirePositionals(positionals, []);
  const { current, profiles } = readProfiles();
  if (values.json === true) return printJson({ current, profiles });
  const entries = Object.entries(profiles);
  if (entries.length === 0) return print(`There are no profiles yet: ${program} help profile shows how to set one.`);
  printTable(
    ["", "NAME", "ADDRESS", "ENVIRONMENT", "MERCHANT", "KEY FILE"],
    entries.map(([name, { baseUrl, environment = "", merchantId, keyFile }]) => [
      name === current ? "*" : "",
      name,
      baseUrl,
      environment,
      merchantId,
      keyFile,
    ]),
  );
}

async function use(args: string[]): Promise<void> {
  const [name] = requirePositionals(readArguments(args, {}).positionals, ["NAME"]);
  useProfile(name);
  note(`The profile ${name} is the current one.`);
}
