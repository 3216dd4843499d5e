import { signApplicationProof } from "@matchbook/sdk";
import { type Command, readArguments, requireOption, requirePositionals } from "../command.ts";
import { printJson } from "../output.ts";
import { program } from "../program.ts";
import { keyFile } from "../settings.ts";

export const proof: Command = {
  name: "proof",
  summary: "prove your key for an application sent from another machine",
  help: `${program} proof --key-file FILE --email EMAIL --domain DOMAIN

Prints the proof of an application: a signature, with your private key, over the email and the domain just as the application
will spell them. It is good for 15 minutes. Use it when the machine that applies does not hold the private key; ${program} apply
--key-file makes its own.

Example:
  ${program} proof --key-file merchant.pem --email you@shop.example --domain shop.example > proof.json
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      "key-file": { type: "string" },
      email: { type: "string" },
      domain: { type: "string" },
    });
    requirePositionals(positionals, []);
    const email = requireOption(values.email, "email");
    const domain = requireOption(values.domain, "domain");
    const privateKey = keyFile(requireOption(values["key-file"], "key-file")).read();
    printJson(await signApplicationProof({ email, domain, privateKey }));
  },
};
