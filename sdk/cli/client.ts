import { Matchbook, type MatchbookOptions } from "@matchbook/sdk";
import { Failure } from "./command.ts";
import {
  type ConnectionFlags,
  readSettings,
  requireBaseUrl,
  requireMerchantId,
  requirePrivateKey,
} from "./settings.ts";

/** The client of the profile, variables and flags. */
export function openClient(flags: ConnectionFlags, options: Pick<MatchbookOptions, "retries"> = {}): Matchbook {
  const settings = readSettings(flags);
  const connection = {
    baseUrl: requireBaseUrl(settings),
    merchantId: requireMerchantId(settings),
    privateKey: requirePrivateKey(settings).read(),
    environment: settings.environment ?? undefined,
  };
  try {
    return new Matchbook({ ...connection, ...options });
  } catch (error) {
    // Such as plain http to another machine.
    throw error instanceof TypeError ? new Failure(error.message) : error;
  }
}
