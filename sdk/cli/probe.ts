import { type Environment, generateKeyPair, Matchbook, MatchbookError } from "@matchbook/sdk";
import { Failure } from "./command.ts";
import { describeError } from "./explain-error.ts";

export interface Probe {
  /** Why there was no answer of the service; null when there was one. */
  readonly unreachable: string | null;
  /** The merchant's key in force; null when no active merchant of this id is there. */
  readonly publicKey: string | null;
  /** How far the server's clock is ahead of this machine's. */
  readonly serverAheadMs: number | null;
  /** Which environment the service says it is; null when it does not say. */
  readonly environment: Environment | null;
}

const ATTEMPTS_AGAIN = 1;
const ANY_MERCHANT = "00000000-0000-4000-8000-000000000000";
/** The Date header names whole seconds; on average it is half of one late. */
const DATE_ROUNDING_MS = 500;

/** Asks the service for a merchant's public key, which nobody needs to sign for, and reads its clock on the way. */
export async function probe(baseUrl: string, merchantId: string | null): Promise<Probe> {
  let serverAheadMs: number | null = null;
  let environment: Environment | null = null;
  const client = openUnsigned(
    baseUrl,
    merchantId ?? ANY_MERCHANT,
    (await generateKeyPair()).privateKey,
    async (...request) => {
      const response = await fetch(...request);
      const serverMs = Date.parse(response.headers.get("date") ?? "");
      if (!Number.isNaN(serverMs)) serverAheadMs = serverMs + DATE_ROUNDING_MS - Date.now();
      environment = readEnvironment(response) ?? environment;
      return response;
    },
  );
  try {
    const { publicKey } = await client.publicKey.get();
    return { unreachable: null, publicKey, serverAheadMs, environment };
  } catch (error) {
    if (!(error instanceof MatchbookError)) throw error;
    // A refusal of the id is an answer of the service; anything else is not known to be one.
    const isAnswer = ["MERCHANT_NOT_REGISTERED", "VALIDATION_ERROR"].includes(error.code);
    return { unreachable: isAnswer ? null : describeError(error), publicKey: null, serverAheadMs, environment };
  }
}

export function readEnvironment({ headers }: Response): Environment | null {
  const name = headers.get("x-matchbook-environment");
  return name === "production" || name === "sandbox" ? name : null;
}

/** The client wants a key, although it signs nothing here. */
function openUnsigned(baseUrl: string, merchantId: string, privateKey: string, fetch: typeof globalThis.fetch) {
  try {
    return new Matchbook({ baseUrl, merchantId, privateKey, retries: ATTEMPTS_AGAIN, fetch });
  } catch (error) {
    throw error instanceof TypeError ? new Failure(error.message) : error;
  }
}
