import { openClient } from "../client.ts";
import { type Command, connectionOptions, readArguments, requirePositionals, UsageError } from "../command.ts";
import { print, printJson } from "../output.ts";
import { program } from "../program.ts";

export const domains: Command = {
  name: "domains",
  summary: "allow the deposit flow on another web origin",
  help: `${program} domains add DOMAIN [--json]

Whitelists an origin where you embed the deposit flow, ten at most beside your primary domain. A bare domain brings its www
variant and the reverse; deeper subdomains count exactly as given; localhost needs its port (3000, 5173 and 5175 are allowed
anyway). Adding one twice changes nothing. Only the operator can remove one.

Example:
  ${program} domains add shop.example
`,
  async run([verb, ...args]) {
    if (verb !== "add") throw new UsageError(`Write: ${program} domains add DOMAIN.`);
    const { values, positionals } = readArguments(args, { ...connectionOptions, json: { type: "boolean" } });
    const [domain] = requirePositionals(positionals, ["DOMAIN"]);
    const receipt = await openClient(values).domains.add(domain);
    if (values.json === true) return printJson(receipt);
    if (receipt.added.length === 0) return print(`${receipt.domain} is allowed already; nothing was added.`);
    for (const origin of receipt.added) print(`${origin} is allowed from now on.`);
  },
};
