import type { EnvironmentConfig } from "../config.ts";

/** The upstream registry of allowed origins, as the rest of this slice sees it. Both calls are idempotent. */
export interface Registry {
  /** Resolves once the registry has the origins. A rejection says nothing about whether it does. */
  add(merchantId: string, origins: readonly string[]): Promise<void>;
  /** Resolves once the registry no longer has the origins. A rejection says nothing about whether it does. */
  remove(merchantId: string, origins: readonly string[]): Promise<void>;
  /** How long a call may take, in all. */
  readonly timeoutMs: number;
  /** Ends the calls under way, so that stopping waits for nobody else. */
  close(): void;
}

/** Its message is for operators: it says what happened and repeats nothing that the registry sent. */
export class RegistryError extends Error {}

export function createRegistry(config: EnvironmentConfig["domainRegistry"], timeoutMs: number): Registry {
  return config === null ? builtInRegistry(timeoutMs) : httpRegistry(config, timeoutMs);
}

/** Our own tables are the registry, so there is nobody to tell. */
function builtInRegistry(timeoutMs: number): Registry {
  return { async add() {}, async remove() {}, timeoutMs, close() {} };
}

function httpRegistry({ url, token }: { url: string; token: string | null }, timeoutMs: number): Registry {
  const closing = new AbortController();
  const call = async (method: "POST" | "DELETE", merchantId: string, origins: readonly string[]) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, {
      method,
      headers: {
        "content-type": "application/json",
        // A kept connection that the registry closed meanwhile would fail a call that nothing is wrong with.
        connection: "close",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ merchantId, origins }),
      // A redirect is an answer like any other but 2xx: following it could hand the token to somebody else.
      redirect: "manual",
      signal: AbortSignal.any([timeout, closing.signal]),
    }).catch((error: unknown) => {
      throw new RegistryError(describeFailure(error, timeout.aborted, timeoutMs));
    });
    // The status is the answer; a body of any size is left unread.
    await response.body?.cancel().catch(() => {});
    if (!response.ok) throw new RegistryError(`The domain registry answered ${response.status}.`);
  };
  return {
    add: (merchantId, origins) => call("POST", merchantId, origins),
    remove: (merchantId, origins) => call("DELETE", merchantId, origins),
    timeoutMs,
    close: () => closing.abort(),
  };
}

function describeFailure(error: unknown, timedOut: boolean, timeoutMs: number): string {
  if (timedOut) return `The domain registry did not answer within ${timeoutMs / 1_000} s.`;
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return `The domain registry could not be reached${code === undefined ? "" : ` (${code})`}.`;
}
