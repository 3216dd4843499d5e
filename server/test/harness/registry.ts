import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RegistryCall {
  readonly method: string;
  readonly merchantId: string;
  readonly origins: readonly string[];
  readonly version: number;
  readonly authorization: string | undefined;
  /** Does what the call asks for. */
  apply(): void;
}

/** What the registry does with a call. */
export type Conduct = (call: RegistryCall, response: ServerResponse) => void | Promise<void>;

export const obey: Conduct = (call, response) => {
  call.apply();
  response.writeHead(204).end();
};

export const answer =
  (status: number, headers: Record<string, string> = {}): Conduct =>
  (_call, response) => {
    response.writeHead(status, headers).end("registry-says-no");
  };

/** Never answers. The caller's patience ends it. */
export const hang: Conduct = () => {};

/** Does what is asked and never says so. */
export const obeyInSilence: Conduct = (call) => call.apply();

export const hangUp: Conduct = (_call, response) => {
  response.destroy();
};

/** Waits until it is let go on, and then obeys. */
export function obeyLater(): { conduct: Conduct; goOn: () => void } {
  let goOn = () => {};
  const released = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return {
    conduct: async (call, response) => {
      await released;
      obey(call, response);
    },
    goOn,
  };
}

/** An upstream registry on a real socket, with a memory that tests can look into. */
export class TestRegistry {
  readonly calls: RegistryCall[] = [];
  conduct: Conduct = obey;
  /** Whether it ignores a call about an origin when it has carried out one with a higher version. */
  goesByVersion = false;
  readonly #versions = new Map<string, number>();
  readonly #origins = new Map<string, Set<string>>();
  #server: Server | null = null;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/origins`;
  }

  /** The origins it has for a merchant, sorted. */
  originsOf(merchantId: string): string[] {
    return [...(this.#origins.get(merchantId) ?? [])].sort();
  }

  callsFor(merchantId: string): string[] {
    return this.calls
      .filter((call) => call.merchantId === merchantId)
      .map((call) => `${call.method} ${call.origins.join(" ")}`);
  }

  /** Listens, on the same port as before if it did. */
  async start(): Promise<this> {
    const server = createServer((request, response) => this.#receive(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(this.#port, "127.0.0.1", resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { merchantId, origins, version, ...rest } = JSON.parse(Buffer.concat(chunks).toString());
    if (
      Object.keys(rest).length > 0 ||
      !Number.isSafeInteger(version) ||
      request.headers["content-type"] !== "application/json"
    ) {
      response.writeHead(400).end();
      return;
    }
    const method = request.method ?? "";
    const call: RegistryCall = {
      method,
      merchantId,
      origins,
      version,
      authorization: request.headers.authorization,
      apply: () => {
        const known = this.#origins.get(merchantId) ?? new Set();
        for (const origin of origins) {
          const key = `${merchantId} ${origin}`;
          if (this.goesByVersion && version < (this.#versions.get(key) ?? 0)) continue;
          this.#versions.set(key, version);
          method === "POST" ? known.add(origin) : known.delete(origin);
        }
        this.#origins.set(merchantId, known);
      },
    };
    this.calls.push(call);
    await this.conduct(call, response);
  }
}
