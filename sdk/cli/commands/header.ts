import { AUTHORIZATION_HEADER, signHeader } from "@matchbook/sdk";
import { type Command, connectionOptions, readArguments, readInteger, requirePositionals } from "../command.ts";
import { print } from "../output.ts";
import { readSettings, requireMerchantId, requirePrivateKey } from "../settings.ts";

const LIFE_MAX_SECONDS = 900;

export const header: Command = {
  name: "header",
  summary: "print a signed header for curl",
  help: `matchbook header [--value] [--expires-in SECONDS]

Prints a freshly signed X-Merchant-Authorization line. Whoever holds it can make any call in your name until it expires,
so pipe it rather than paste it, and keep it out of logs.

  --value                print the value alone
  --expires-in SECONDS   end its life earlier than the 15 minutes it has anyway

Example:
  matchbook header --expires-in 60 | curl -sS -H @- http://127.0.0.1:8081/v1/marketings/campaigns
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      ...connectionOptions,
      value: { type: "boolean" },
      "expires-in": { type: "string" },
    });
    requirePositionals(positionals, []);
    const settings = readSettings(values);
    const now = Date.now();
    const life = values["expires-in"];
    const value = await signHeader({
      merchantId: requireMerchantId(settings),
      privateKey: requirePrivateKey(settings).read(),
      now,
      expiresAt: life === undefined ? undefined : now + readInteger(life, "--expires-in", 1, LIFE_MAX_SECONDS) * 1_000,
    });
    print(values.value === true ? value : `${AUTHORIZATION_HEADER}: ${value}`);
  },
};
