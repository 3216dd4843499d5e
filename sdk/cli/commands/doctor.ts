import { text } from "node:stream/consumers";
import { AUTHORIZATION_HEADER, KeyError, signHeader } from "@matchbook/sdk";
import { type Command, connectionOptions, readArguments, UsageError } from "../command.ts";
import { diagnose } from "../diagnosis.ts";
import { print, printable } from "../output.ts";
import { readSettings, requireMerchantId, requirePrivateKey, type Settings } from "../settings.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "tell why a header is refused, and what to do",
  help: `matchbook doctor [HEADER | -]

Examines a header as the service would, and says in words what is wrong: a clock that is off, JSON signed instead of its
text, another key, another environment, DER and P1363 confused, a payment link, a broken key. It asks the configured service
for its time and for the registered public key; the header itself is not sent anywhere. With - it is read from standard
input. Without a header, your own setup is examined by signing one.

Example:
  matchbook doctor "$HEADER"
`,
  async run(args) {
    const { values, positionals } = readArguments(args, connectionOptions);
    if (positionals.length > 1) throw new UsageError("Give one header, in quotes.");
    const settings = readSettings(values);
    const header = await readHeader(positionals[0], settings);
    const findings = await diagnose(header, settings);
    for (const { about, text, fix } of findings) {
      print(`${fix === null ? "ok   " : "FAULT"} ${about.padEnd(6)}  ${printable(text)}`);
      if (fix !== null) print(`${" ".repeat(14)}→ ${fix}`);
    }
    if (findings.some(({ fix }) => fix !== null)) process.exitCode = 1;
  },
};

async function readHeader(given: string | undefined, settings: Settings): Promise<string | null> {
  const written = given === "-" ? await text(process.stdin) : given;
  // The whole line is taken too, as matchbook header prints it.
  if (written !== undefined) return written.trim().replace(new RegExp(`^${AUTHORIZATION_HEADER}:\\s*`, "i"), "");
  const merchantId = requireMerchantId(settings);
  try {
    return await signHeader({ merchantId, privateKey: requirePrivateKey(settings).read() });
  } catch (error) {
    // The diagnosis says what is wrong with the key; there is no header then.
    if (error instanceof KeyError) return null;
    throw error;
  }
}
