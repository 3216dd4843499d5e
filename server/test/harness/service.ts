import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { type Environment, openEnvironment } from "../../src/app.ts";
import { createJournalChain } from "../../src/campaigns/journal/chain.ts";
import type { Clock } from "../../src/clock.ts";
import { type EnvironmentName, readConfig } from "../../src/config.ts";
import type { Database } from "../../src/db/pool.ts";
import { createKeyring } from "../../src/keyring.ts";
import { HOUR_MS } from "../../src/limits.ts";
import { createLog } from "../../src/log.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

export const OPERATOR_TOKEN = "test-operator-token-0123456789abcdef";
export const SECRET = "test-secret-0123456789abcdef0123456789";
/** What the journal of a service with SECRET is chained with. */
export const TEST_CHAIN = createJournalChain(createKeyring(SECRET, "production"));

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer.
  readonly body: any;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** One environment served on real sockets by this process. */
export interface Service {
  readonly publicUrl: string;
  readonly operatorUrl: string;
  readonly db: Database;
  readonly database: TestDatabase;
  readonly environment: Environment;
  /** Everything logged so far. */
  readonly logged: () => string;
  /** Calls the public listener. */
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Calls `/operator/v1` with the bootstrap token. */
  operator(path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly environment?: EnvironmentName;
  readonly variables?: Record<string, string>;
  readonly clock?: Clock;
  readonly registryTimeoutMs?: number;
  /** Without it the background audit does nothing: most tests of it do its steps themselves. */
  readonly auditTickMs?: number;
  /** MATCHBOOK_SECRET, instead of SECRET. */
  readonly secret?: string;
  /** The connections of the process. */
  readonly poolSize?: number;
  /** Serves this database instead of one of its own, as a second process would. */
  readonly database?: TestDatabase;
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const name = options.environment ?? "production";
  const database = options.database ?? (await createTestDatabase());
  const config = readConfig({ ENVIRONMENTS: name, APPLICATIONS_PER_HOUR: "1000", ...options.variables }, false);
  const [environmentConfig] = config.environments;
  if (environmentConfig === undefined) throw new Error("No environment is configured.");
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const environment = await openEnvironment(
    {
      config,
      environment: environmentConfig,
      secrets: { secret: options.secret ?? SECRET, operatorToken: OPERATOR_TOKEN },
      connection: database.runtimeConnection,
      poolSize: options.poolSize ?? 10,
    },
    {
      log: createLog("debug", sink),
      outboxPollIntervalMs: 40,
      chainLookIntervalMs: 100,
      auditTickMs: options.auditTickMs ?? HOUR_MS,
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(options.registryTimeoutMs === undefined ? {} : { registryTimeoutMs: options.registryTimeoutMs }),
    },
  );
  await environment.publicListener.listen({ host: "127.0.0.1", port: 0 });
  await environment.operatorListener.listen({ host: "127.0.0.1", port: 0 });
  const publicUrl = urlOf(environment.publicListener.server.address());
  const operatorUrl = urlOf(environment.operatorListener.server.address());
  return {
    publicUrl,
    operatorUrl,
    db: database.db,
    database,
    environment,
    logged: () => lines.join(""),
    call: (path, request) => call(publicUrl + path, request),
    operator: (path, request = {}) =>
      call(`${operatorUrl}/operator/v1${path}`, {
        ...request,
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, ...request.headers },
      }),
    async close() {
      await environment.close();
      if (options.database === undefined) await database.drop();
    },
  };
}

/** A string or bytes are sent as they are, anything else as JSON. */
export async function call(url: string, { method, headers = {}, body }: CallOptions = {}): Promise<Answer> {
  const raw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = text !== "" && (response.headers.get("content-type")?.includes("json") ?? false);
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

function urlOf(address: AddressInfo | string | null): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}`;
}
