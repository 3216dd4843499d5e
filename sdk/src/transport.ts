import { readBaseUrl } from "./base-url.ts";
import { ENVIRONMENTS, type Environment } from "./bind.ts";
import { type Limits, TIMEOUT_DEFAULT_MS, withDeadline } from "./deadline.ts";
import { MatchbookError } from "./errors.ts";
import { refuseWrongTypes } from "./options.ts";
import type { Fetch, WebAbortSignal } from "./platform.ts";
import { isRetryable, readRetryAfter, retryDelayMs, wait } from "./retry.ts";
import { AUTHORIZATION_HEADER } from "./sign-header.ts";

const TIMEOUT_MAX_MS = 2 ** 31 - 1;
const RETRIES_DEFAULT = 4;
/** With this header, every answer of the service says which environment it comes from. */
const ENVIRONMENT_HEADER = "x-matchbook-environment";

export interface ConnectionOptions {
  /** Where the API is served: https, or http to this machine. */
  baseUrl: string;
  fetch?: Fetch | undefined;
  /** How long one attempt may take, its answer's body included, and as long for a `sign` callback. 10 seconds unless given. */
  timeoutMs?: number | undefined;
  /** How many further attempts a failed one is worth. 4 unless given; 0 switches repeating off. */
  retries?: number | undefined;
  /** The time to sign with; the machine's unless given. */
  clock?: (() => Date | number) | undefined;
}

export const CONNECTION_OPTIONS = ["baseUrl", "fetch", "timeoutMs", "retries", "clock"] as const;

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface CallRequest {
  method: "GET" | "POST";
  path: string;
  query?: Query;
  body?: unknown;
  /** False for what needs no merchant. */
  signed?: boolean;
  signal?: WebAbortSignal | undefined;
}

export interface CallAnswer<Body> {
  status: number;
  body: Body;
}

export interface Connection {
  readonly baseUrl: string;
  send<Body>(request: CallRequest): Promise<CallAnswer<Body>>;
}

/** One attempt, as it goes out. */
export interface OutgoingRequest {
  method: string;
  /** The request target: path and query. */
  path: string;
  body: string | null;
}

export interface Signing {
  /** The environment that the merchant named; without it, the service's answers say which one it is. */
  environment: Environment | undefined;
  /** Whether signatures name the environment at all. */
  isBound: boolean;
  /** Makes the header of one attempt. */
  sign(request: OutgoingRequest, environment: Environment, limits: Limits): Promise<string>;
}

/** `signing` is null where nothing is signed. */
export function openConnection(options: ConnectionOptions, signing: Signing | null): Connection {
  const baseUrl = readBaseUrl(options.baseUrl);
  refuseWrongTypes(options, { fetch: "function", timeoutMs: "number", retries: "number", clock: "function" });
  const { timeoutMs = TIMEOUT_DEFAULT_MS, retries = RETRIES_DEFAULT, clock = Date.now } = options;
  // A timer of more than 32 bits would fire immediately.
  if (!(timeoutMs > 0 && timeoutMs <= TIMEOUT_MAX_MS)) {
    throw new RangeError(`timeoutMs must be above 0 and at most ${TIMEOUT_MAX_MS}.`);
  }
  if (!Number.isSafeInteger(retries) || retries < 0) throw new RangeError("retries must be a whole number from 0.");
  // Taken at the time of the call, so that a fetch put in place later, as tests do, is the one that is used.
  const send: typeof globalThis.fetch = (...request) => (options.fetch ?? globalThis.fetch)(...request);

  let environment: Environment = signing?.environment ?? "production";

  const exchange = async (request: CallRequest) => {
    const url = `${baseUrl}${request.path}${writeQuery(request.query ?? {})}`;
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const headers: Record<string, string> = { accept: "application/json" };
    if (body !== null) headers["content-type"] = "application/json";
    const signedFor = environment;
    const isSigned = signing !== null && request.signed !== false;
    const limits = { timeoutMs, signal: request.signal };
    if (isSigned) {
      // What goes out is what the URL parser makes of the address.
      const { pathname, search } = new URL(url);
      const outgoing = { method: request.method, path: pathname + search, body };
      headers[AUTHORIZATION_HEADER] = await signing.sign(outgoing, signedFor, limits);
    }
    // Signing takes time, and the caller may have aborted meanwhile: the deadline looks at the signal before it begins.
    const { response, text } = await withDeadline("answer", limits, async (signal) => {
      const init: RequestInit = { method: request.method, headers, redirect: "manual", signal };
      if (body !== null) init.body = body;
      try {
        const answer = await send(url, init);
        return { response: answer, text: await answer.text() };
      } catch (cause) {
        const message = `The service could not be reached: ${describeCause(cause)}.`;
        throw new MatchbookError({ code: "CONNECTION_FAILED", message, cause });
      }
    });
    const servedBy = readEnvironment(response);
    const isMisdirected = isSigned && signing.isBound && servedBy !== null && servedBy !== signedFor;
    return { response, text, mismatch: isMisdirected ? { signedFor, servedBy } : null };
  };

  const attempt = async <Body>(request: CallRequest): Promise<CallAnswer<Body>> => {
    let answer = await exchange(request);
    // Signed for the other environment. Unless the merchant named it, sign for the one that answered.
    if (answer.mismatch !== null && signing?.environment === undefined) {
      environment = answer.mismatch.servedBy;
      if (answer.response.status === 422) answer = await exchange(request);
    }
    return readAnswer<Body>(answer.response, answer.text, Number(clock()), answer.mismatch);
  };

  return {
    baseUrl,
    async send<Body>(request: CallRequest): Promise<CallAnswer<Body>> {
      for (let made = 0; ; made++) {
        request.signal?.throwIfAborted();
        try {
          return await attempt<Body>(request);
        } catch (error) {
          if (!(error instanceof MatchbookError) || made >= retries || !isWorthRepeating(error)) throw error;
          const delayMs = retryDelayMs(made, error.retryAfterMs, Math.random);
          if (delayMs === null) throw error;
          await wait(delayMs, request.signal);
        }
      }
    },
  };
}

function isWorthRepeating({ code, status }: MatchbookError): boolean {
  return code === "CONNECTION_FAILED" || code === "TIMEOUT" || (status !== null && isRetryable(status));
}

function writeQuery(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === "object" || typeof item === "function") {
        const hint = name === "signal" ? " Give { signal } as the last argument, after the query." : "";
        throw new TypeError(`The query's ${name} must be a text or a number.${hint}`);
      }
      parameters.append(name, String(item));
    }
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** Node's fetch says only "fetch failed" and keeps the reason beneath. */
function describeCause(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(inner instanceof Error)) return String(inner);
  return inner.message || ("code" in inner ? String(inner.code) : inner.name);
}

interface Mismatch {
  signedFor: Environment;
  servedBy: Environment;
}

function readEnvironment(response: Response): Environment | null {
  const name = response.headers.get(ENVIRONMENT_HEADER);
  return name !== null && ENVIRONMENTS.includes(name) ? (name as Environment) : null;
}

function readAnswer<Body>(
  response: Response,
  text: string,
  nowMs: number,
  mismatch: Mismatch | null,
): CallAnswer<Body> {
  const { status } = response;
  const common = {
    status: status === 0 ? null : status,
    requestId: response.headers.get("x-request-id"),
    retryAfterMs: readRetryAfter(response.headers.get("retry-after"), nowMs),
  };
  // A redirect would carry the header to wherever it points.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    const message = "The address answered with a redirect, which is never followed. Check baseUrl.";
    throw new MatchbookError({ ...common, code: "REDIRECT_REFUSED", message });
  }
  const body = parseJson(text);
  if (response.ok && body !== undefined) return { status, body: body as Body };
  const error = readError(body);
  if (error === null) {
    const message = `The answer (status ${status}) is not one of this API. Check baseUrl, and any proxy before it.`;
    throw new MatchbookError({ ...common, code: "RESPONSE_INVALID", message });
  }
  const hints = describeSkew(error.code, response.headers.get("date"), nowMs) + describeMismatch(error, mismatch);
  const message = error.message + hints;
  throw new MatchbookError({ ...common, code: error.code, message });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readError(body: unknown): { code: string; message: string } | null {
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null | undefined)?.error;
  return typeof error?.code === "string" && typeof error.message === "string"
    ? { code: error.code, message: error.message }
    : null;
}

/** A request is signed right before it is sent, so when its time is refused, it is the clock that is wrong. */
function describeSkew(code: string, date: string | null, nowMs: number): string {
  if (code !== "MERCHANT_SIGNATURE_TIMESTAMP_INVALID" && code !== "MERCHANT_AUTHORIZATION_EXPIRED") return "";
  const serverMs = Date.parse(date ?? "");
  if (Number.isNaN(serverMs)) return " The clock of this machine is wrong: synchronize it with NTP.";
  const skewSeconds = Math.round((nowMs - serverMs) / 1_000);
  const direction = skewSeconds < 0 ? "behind" : "ahead of";
  return ` The clock of this machine is ${Math.abs(skewSeconds)} s ${direction} the server's: synchronize it with NTP.`;
}

/** The environment is signed for, so one that was named wrongly makes every call fail. */
function describeMismatch({ code, message }: { code: string; message: string }, mismatch: Mismatch | null): string {
  if (code !== "MERCHANT_SIGNATURE_INVALID") return "";
  if (mismatch !== null) {
    const { signedFor, servedBy } = mismatch;
    const article = servedBy === "sandbox" ? "the sandbox" : servedBy;
    return ` This address serves ${article}, and the request was signed for ${signedFor}: set environment to "${servedBy}", or correct baseUrl.`;
  }
  if (!message.includes("bind.environment")) return "";
  return " Set environment to the one that this address serves, or correct baseUrl.";
}
