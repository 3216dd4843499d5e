import { type ApplicationOptions, type ApplicationReceipt, Matchbook, type MatchbookOptions } from "@matchbook/sdk";
import { Failure } from "./command.ts";
import {
  type ConnectionFlags,
  describeSettings,
  readSettings,
  requireBaseUrl,
  requireMerchantId,
  requirePrivateKey,
  type Settings,
} from "./settings.ts";

let used: Settings | null = null;

/** What this run calls the service with, for the report of a refused call. */
export function settingsUsed(): Settings | null {
  return used;
}

/** The client of the profile, variables and flags. */
export function openClient(flags: ConnectionFlags, options: Pick<MatchbookOptions, "retries"> = {}): Matchbook {
  const settings = readSettings(flags);
  const connection = {
    baseUrl: requireBaseUrl(settings),
    merchantId: requireMerchantId(settings),
    privateKey: requirePrivateKey(settings).read(),
    environment: settings.environment?.value,
  };
  used = settings;
  try {
    return new Matchbook({ ...connection, ...options });
  } catch (error) {
    // Such as plain http to another machine.
    throw error instanceof TypeError ? new Failure(`${error.message} ${describeSettings(settings)}`) : error;
  }
}

/** Applying needs an address and no account. */
export async function sendApplication(
  flags: Pick<ConnectionFlags, "profile" | "base-url">,
  application: Parameters<typeof Matchbook.applications.create>[0],
  options: { readonly privateKey: string | null } & Pick<ApplicationOptions, "fetch">,
): Promise<{ receipt: ApplicationReceipt; baseUrl: string }> {
  const { baseUrl: address } = readAddress(flags);
  const baseUrl = requireBaseUrl({ baseUrl: address });
  used = { baseUrl: address, merchantId: null, privateKey: null, environment: null };
  try {
    return { receipt: await Matchbook.applications.create(application, { baseUrl, ...options }), baseUrl };
  } catch (error) {
    throw error instanceof TypeError ? new Failure(error.message) : error;
  }
}

/** With --base-url, nothing of a profile is needed, so one that is missing does no harm. */
function readAddress(flags: Pick<ConnectionFlags, "profile" | "base-url">): Pick<Settings, "baseUrl"> {
  const value = flags["base-url"];
  return value === undefined ? readSettings(flags) : { baseUrl: { value, from: "--base-url" } };
}
