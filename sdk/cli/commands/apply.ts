import { resolve } from "node:path";
import type { ApplicationProof, ApplicationReceipt, Environment } from "@matchbook/sdk";
import { sendApplication } from "../client.ts";
import {
  type Command,
  Failure,
  readArguments,
  refuseUseless,
  requireOption,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { readInput } from "../input-files.ts";
import { note, print, printFields, printJson } from "../output.ts";
import { derivePublicKey } from "../own-key.ts";
import { readEnvironment } from "../probe.ts";
import { saveProfile } from "../profiles.ts";
import { program } from "../program.ts";
import { keyFile } from "../settings.ts";

export const apply: Command = {
  name: "apply",
  summary: "apply for a merchant account",
  help: `${program} apply --email EMAIL --domain DOMAIN --description TEXT (--key-file FILE [--save NAME] | --public-key-file FILE --proof-file FILE)

Sends your public key and gets a merchant id. The sandbox approves immediately; in production the id stays inert until an
operator approves it. Only the public half of the key leaves this machine, with a signature that proves that you hold the
private half.

  --base-url URL           where to apply, unless a profile or MATCHBOOK_BASE_URL says so
  --key-file FILE          your private key, as ${program} keygen made it; its public half is sent
  --public-key-file FILE   the public key itself, when the private key is on another machine; - is standard input
  --proof-file FILE        what ${program} proof printed on that machine, less than 15 minutes ago; - is standard input
  --email, --domain        how the operator reaches you, and the site where the deposit flow is embedded
  --description TEXT       what you do, in 20 to 1000 characters
  --telegram HANDLE        optional
  --save NAME              keep address, environment, merchant id and key file as a profile and make it the current one
  --quiet                  print the merchant id alone
  --json                   print the answer as JSON

Example:
  ${program} apply --base-url http://127.0.0.1:8081 --key-file merchant.pem --email you@shop.example \\
    --domain shop.example --description "A shop that takes stablecoin deposits." --save sandbox
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      profile: { type: "string" },
      "base-url": { type: "string" },
      "key-file": { type: "string" },
      "public-key-file": { type: "string" },
      "proof-file": { type: "string" },
      email: { type: "string" },
      domain: { type: "string" },
      description: { type: "string" },
      telegram: { type: "string" },
      save: { type: "string" },
      quiet: { type: "boolean" },
      json: { type: "boolean" },
    });
    requirePositionals(positionals, []);
    if (values.json === true) refuseUseless(values, ["quiet"], "does not go with --json");
    const privatePath = values["key-file"];
    const publicPath = values["public-key-file"];
    if ((privatePath === undefined) === (publicPath === undefined)) {
      throw new UsageError("Give either --key-file or --public-key-file.");
    }
    if (values.save !== undefined && privatePath === undefined) throw new UsageError("--save needs --key-file.");
    const privateKey = privatePath === undefined ? null : keyFile(privatePath).read();
    const proofPath = values["proof-file"];
    const application = {
      email: requireOption(values.email, "email"),
      domain: requireOption(values.domain, "domain"),
      description: requireOption(values.description, "description"),
      publicKey: publicPath === undefined ? await derivePublicKey(privateKey ?? "") : readInput(publicPath).toString(),
      ...(proofPath === undefined ? {} : { proof: readProof(proofPath) }),
      ...(values.telegram === undefined ? {} : { telegram: values.telegram }),
    };
    let environment: Environment | null = null;
    const observe: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      environment = readEnvironment(response);
      return response;
    };
    const sending = { privateKey, fetch: observe };
    const { receipt, baseUrl } = await sendApplication(values, application, sending);

    // The id is printed before anything else can go wrong: it is given only once.
    if (values.json === true) printJson(receipt);
    else if (values.quiet === true) print(receipt.merchantId);
    else printReceipt(receipt);
    if (privateKey === null && proofPath === undefined) {
      note(`It was sent without a proof of the key, and one with a proof would win over it: ${program} help proof.`);
    }
    if (values.save !== undefined && privatePath !== undefined) {
      const known = environment === null ? {} : { environment };
      saveProfile(values.save, { baseUrl, merchantId: receipt.merchantId, keyFile: resolve(privatePath), ...known });
      note(`The profile ${values.save} is saved and is the current one.`);
    }
  },
};

function printReceipt({ merchantId, applicationId, status, message }: ApplicationReceipt): void {
  printFields([
    ["merchant id", merchantId],
    ["application", applicationId],
    ["status", status],
  ]);
  print(message);
}

function readProof(path: string): ApplicationProof {
  try {
    return JSON.parse(readInput(path).toString());
  } catch (error) {
    throw error instanceof SyntaxError ? new Failure(`${path} is not what ${program} proof prints.`) : error;
  }
}
