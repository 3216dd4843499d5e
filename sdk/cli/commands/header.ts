import { AUTHORIZATION_HEADER, type SignedRequest, signHeader } from "@matchbook/sdk";
import {
  type Command,
  connectionOptions,
  Failure,
  readArguments,
  readInteger,
  requirePositionals,
  UsageError,
} from "../command.ts";
import { readInput } from "../input-files.ts";
import { print } from "../output.ts";
import { probe } from "../probe.ts";
import { program } from "../program.ts";
import { readSettings, requireMerchantId, requirePrivateKey, type Settings } from "../settings.ts";

const LIFE_MAX_SECONDS = 900;

export const header: Command = {
  name: "header",
  summary: "print a signed header for curl",
  help: `${program} header METHOD PATH [--body-file FILE] [--value] [--expires-in SECONDS]
${program} header [--value] [--expires-in SECONDS]

Prints a freshly signed X-Merchant-Authorization line. With METHOD and PATH it is bound: good for that request alone. PATH is
the path and the query exactly as they are sent. Without them, anyone who has the header can make any call in your name until it
expires. Pipe it rather than paste it, and keep it out of logs.

  --body-file FILE       the body that is sent, byte for byte; - is standard input
  --environment NAME     production or sandbox; unless given, the service is asked which one it is
  --value                print the value alone
  --expires-in SECONDS   end its life earlier than the 15 minutes it has anyway

Example:
  ${program} header GET '/v1/marketings/campaigns?limit=5' |
    curl -sS -H @- 'http://127.0.0.1:8081/v1/marketings/campaigns?limit=5'
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      "body-file": { type: "string" },
      value: { type: "boolean" },
      "expires-in": { type: "string" },
    });
    const settings = readSettings(values);
    const request =
      positionals.length === 0 ? undefined : await readRequest(positionals, values["body-file"], settings);
    if (request === undefined && values["body-file"] !== undefined) {
      throw new UsageError("--body-file needs METHOD and PATH.");
    }
    const merchantId = requireMerchantId(settings);
    const privateKey = requirePrivateKey(settings).read();
    const now = Date.now();
    const life = values["expires-in"];
    const expiresAt =
      life === undefined ? undefined : now + readInteger(life, "--expires-in", 1, LIFE_MAX_SECONDS) * 1_000;
    const value = await sign({ merchantId, privateKey, now, expiresAt, request });
    print(values.value === true ? value : `${AUTHORIZATION_HEADER}: ${value}`);
  },
};

async function readRequest(
  positionals: string[],
  bodyFile: string | undefined,
  settings: Settings,
): Promise<SignedRequest> {
  const [method, path] = requirePositionals(positionals, ["METHOD", "PATH"]);
  const body = bodyFile === undefined ? null : readInput(bodyFile);
  return { environment: await findEnvironment(settings), method: method.toUpperCase(), path, body };
}

/** The environment that was named, or the one that the service says it is. */
async function findEnvironment({ environment, baseUrl }: Settings) {
  if (environment !== null) return environment.value;
  const { environment: asked = null } = baseUrl === null ? {} : await probe(baseUrl.value, null);
  if (asked !== null) return asked;
  throw new Failure("It is not known which environment the header is for. Give --environment production or sandbox.");
}

async function sign(options: Parameters<typeof signHeader>[0]): Promise<string> {
  try {
    return await signHeader(options);
  } catch (error) {
    // Such as a path that begins with https://.
    throw error instanceof TypeError || error instanceof RangeError ? new Failure(error.message) : error;
  }
}
