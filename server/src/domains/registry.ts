import type { EnvironmentConfig } from "../config.ts";

/**
 * The upstream registry of allowed origins, as the rest of this room sees it. Both calls are idempotent. The version rises with
 * each call about a merchant, so that the registry can ignore a call that reaches it late.
 */
export interface Registry {
  /** Resolves once the registry has the origins. A rejection says nothing about whether it does. */
  add(merchantId: string, origins: readonly string[], version: number): Promise<void>;
  /** Resolves once the registry no longer has the origins. A rejection says nothing about whether it does. */
  remove(merchantId: string, origins: readonly string[], version: number): Promise<void>;
  /** How long a call may take, in all. */
  readonly timeoutMs: number;
  /** Ends the calls in progress, so that stopping does not wait for the registry. */
  close(): void;
}

interface RegistryCall {
  readonly merchantId: string;
  readonly origins: readonly string[];
  readonly version: number;
}

/** The message is for operators. It contains nothing that the registry sent. */
export class RegistryError extends Error {}

export function createRegistry(config: EnvironmentConfig["domainRegistry"], timeoutMs: number): Registry {
  return config === null ? builtInRegistry(timeoutMs) : httpRegistry(config, timeoutMs);
}

/** Without an upstream registry our own tables are the registry. */
function builtInRegistry(timeoutMs: number): Registry {
  return { async add() {}, async remove() {}, timeoutMs, close() {} };
}

function httpRegistry({ url, token }: { url: string; token: string | null }, timeoutMs: number): Registry {
  const closing = new AbortController();
  const call = async (method: "POST" | "DELETE", body: RegistryCall) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, {
      method,
      headers: {
        "content-type": "application/json",
        // A reused connection that the registry has closed would fail a good call.
        connection: "close",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      // A redirect counts as a failure: following it could send the token to another host.
      redirect: "manual",
      signal: AbortSignal.any([timeout, closing.signal]),
    }).catch((error: unknown) => {
      throw new RegistryError(describeFailure(error, timeout.aborted, timeoutMs));
    });
    // Only the status counts. The body is not read.
    await response.body?.cancel().catch(() => {});
    if (!response.ok) throw new RegistryError(`The domain registry answered ${response.status}.`);
  };
  return {
    add: (merchantId, origins, version) => call("POST", { merchantId, origins, version }),
    remove: (merchantId, origins, version) => call("DELETE", { merchantId, origins, version }),
    timeoutMs,
    close: () => closing.abort(),
  };
}

function describeFailure(error: unknown, timedOut: boolean, timeoutMs: number): string {
  if (timedOut) return `The domain registry did not answer within ${timeoutMs / 1_000} s.`;
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return `The domain registry could not be reached${code === undefined ? "" : ` (${code})`}.`;
}
