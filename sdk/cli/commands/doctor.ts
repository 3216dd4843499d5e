import { text } from "node:stream/consumers";
import { AUTHORIZATION_HEADER, type Environment, KeyError, type KnownRequest, signHeader } from "@matchbook/sdk";
import { type Command, connectionOptions, readArguments, refuseUseless, UsageError } from "../command.ts";
import { diagnose } from "../diagnosis.ts";
import { readInput } from "../input-files.ts";
import { print, printable, printJson } from "../output.ts";
import { program } from "../program.ts";
import { readSettings, requireMerchantId, requirePrivateKey, type Settings } from "../settings.ts";

const METHODS_WITHOUT_BODY = ["GET", "HEAD"];
/** What is signed when no header is given: a call that every merchant may make. */
const OWN_REQUEST = { method: "GET", path: "/v1/marketings/campaigns", body: null };

export const doctor: Command = {
  name: "doctor",
  summary: "tell why a header is refused, and what to do",
  help: `${program} doctor [HEADER | -] [--method METHOD --path PATH [--body-file FILE]] [--json]

Examines a header as the service would, and says in words what is wrong: a clock that is off, JSON signed instead of its
text, another key, another environment, DER and P1363 confused, a payment link, a broken key. It asks the configured service
for its time, its environment and the registered public key; the header itself is not sent anywhere. With - it is read from
standard input. Without a header, your own setup is examined by signing one.

A header may be bound to one request. Give the request, and the doctor says which part of it does not fit:

  --method METHOD     as it is sent
  --path PATH         the path and the query exactly as they are sent
  --body-file FILE    the body that is sent, byte for byte; - is standard input
  --json              print the findings as JSON; fix is null where nothing is wrong

Example:
  ${program} doctor "$HEADER" --method GET --path '/v1/marketings/campaigns?limit=5'
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      method: { type: "string" },
      path: { type: "string" },
      "body-file": { type: "string" },
      json: { type: "boolean" },
    });
    if (positionals.length > 1) throw new UsageError("Give one header, in quotes.");
    if (positionals.length === 0)
      refuseUseless(values, ["method", "path", "body-file"], "needs a header to compare with");
    const settings = readSettings(values);
    const { method, path } = values;
    const bodyFile = values["body-file"];
    const body = bodyFile === undefined ? null : readInput(bodyFile);
    const isBodyKnown = bodyFile !== undefined || METHODS_WITHOUT_BODY.includes(method ?? "");
    const request: KnownRequest = {
      ...(method === undefined ? {} : { method }),
      ...(path === undefined ? {} : { path }),
      ...(isBodyKnown ? { body } : {}),
    };
    const given = positionals[0] === "-" ? await text(process.stdin) : positionals[0];
    const findings =
      given === undefined
        ? await diagnose(signOwn(settings), settings, OWN_REQUEST)
        : await diagnose(withoutName(given), settings, request);
    if (findings.some(({ fix }) => fix !== null)) process.exitCode = 1;
    if (values.json === true) return printJson(findings);
    for (const { about, text, fix } of findings) {
      print(`${fix === null ? "ok   " : "FAULT"} ${about.padEnd(6)}  ${printable(text)}`);
      if (fix !== null) print(`${" ".repeat(14)}→ ${printable(fix)}`);
    }
  },
};

/** The whole line is taken too, as matchbook header prints it. */
function withoutName(line: string): string {
  return line.trim().replace(new RegExp(`^${AUTHORIZATION_HEADER}:\\s*`, "i"), "");
}

function signOwn(settings: Settings) {
  const merchantId = requireMerchantId(settings);
  const key = requirePrivateKey(settings);
  return async (environment: Environment): Promise<string | null> => {
    try {
      return await signHeader({ merchantId, privateKey: key.read(), request: { ...OWN_REQUEST, environment } });
    } catch (error) {
      // The diagnosis says what is wrong with the key; there is no header then.
      if (error instanceof KeyError) return null;
      throw error;
    }
  };
}
