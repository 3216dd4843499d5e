import { existsSync } from "node:fs";
import { generateKeyPair } from "@matchbook/sdk";
import { type Command, Failure, readArguments, requirePositionals, UsageError } from "../command.ts";
import { print } from "../output.ts";
import { createPrivateFile } from "../private-files.ts";
import { program } from "../program.ts";

export const keygen: Command = {
  name: "keygen",
  summary: "make a key pair",
  help: `${program} keygen [--out FILE]

Makes an ECDSA P-256 key pair in two files that only you can read: the private key in FILE (merchant.pem unless given) and
the public key beside it (merchant.pub.pem). Existing files are never overwritten, and the private key is never printed.
The private key stays on your server; the public key is what an application carries.

  --out FILE   where the private key goes; its name ends in .pem

Example:
  ${program} keygen --out merchant.pem
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { out: { type: "string", default: "merchant.pem" } });
    requirePositionals(positionals, []);
    const privatePath = values.out;
    if (privatePath === "-") throw new UsageError("--out needs a file: the private key is never printed.");
    const publicPath = publicPathOf(privatePath);
    // Looked at beforehand, so that no half of a pair is left behind.
    for (const path of [privatePath, publicPath]) {
      if (existsSync(path)) throw new Failure(`${path} exists already and is not overwritten. Choose another --out.`);
    }
    const pair = await generateKeyPair();
    createPrivateFile(privatePath, pair.privateKey);
    createPrivateFile(publicPath, pair.publicKey);
    print(`The private key is in ${privatePath}: keep it on your server.`);
    print(`The public key is in ${publicPath}: ${program} apply sends it.`);
  },
};

function publicPathOf(privatePath: string): string {
  return `${privatePath.replace(/\.pem$/, "")}.pub.pem`;
}
