import { randomUUID } from "node:crypto";
import { type IncomingMessage, METHODS as PARSED_METHODS, type ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type RawServerDefault,
  type RouteOptions,
} from "fastify";
import type { Logger } from "pino";
import { Type } from "typebox";
import { BODY_SIZE_MAX_BYTES, HANDLER_SWEEP_INTERVAL_MS, HANDLER_TIMEOUT_MS, HEAVY_ANSWER_BYTES } from "../limits.ts";
import { answerError } from "./answer-error.ts";
import { clientAddress, clientOf, createProxyCheck } from "./client-address.ts";
import { createConnections } from "./connections.ts";
import { AppError, fail } from "./errors.ts";
import { parseJsonBody } from "./json-body.ts";
import type { Metrics } from "./metrics.ts";
import { createPlaces, type HeldPlace, type Places } from "./places.ts";
import { parseQueryString } from "./query-string.ts";
import { declareErrors } from "./responses.ts";
import { compileSerializer } from "./serialization.ts";
import type { Place } from "./shares.ts";
import { compileValidator } from "./validation.ts";

export type Listener = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifyInstance {
    /** Not Fastify's `log`, which is off: its own lines contain addresses as sent and error messages with stored values. */
    serviceLog: Logger;
    places: Places;
  }
  interface FastifyRequest {
    /** Set by the hook that finds out who calls. All other requests take unauthenticated places. */
    isAuthenticated: boolean;
    /** The place in its merchant's share; null for requests that need none. */
    place: Place | null;
    /** The body's bytes as they were received; null without a body. */
    rawBody: Buffer | null;
    /** Checks the body's bytes before they are parsed, and rejects them by throwing. Null: no check. */
    checkBody: ((bytes: Buffer | null) => void) | null;
  }
  interface FastifyReply {
    /** When its request arrived, in monotonic milliseconds. */
    beganMs: number;
    heldPlace: HeldPlace | null;
  }
  interface FastifyContextConfig {
    /** How long the handler may take, where that is not HANDLER_TIMEOUT_MS. */
    handlerTimeoutMs?: number;
  }
}

export interface ListenerOptions {
  readonly name: "public" | "operator";
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly trustedProxies: readonly string[];
  /** Requests in progress of one client behind a trusted proxy. Other clients have one for each of their connections. */
  readonly connectionsPerAddress: number;
  /** True once the process is stopping: every answer then closes its connection. */
  readonly isDraining: () => boolean;
}

/** A Fastify instance with everything that is the same for every request: limits, strictness, errors, logs, figures. */
export function createListener(options: ListenerOptions): Listener {
  const connections = createConnections({
    onStalledReader: () => options.metrics.stalledReaders.inc({ listener: options.name }),
  });
  const app: Listener = Fastify({
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies.length === 0 ? false : createProxyCheck(options.trustedProxies),
    bodyLimit: BODY_SIZE_MAX_BYTES,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512, querystringParser: parseQueryString },
    serverFactory: connections.createServer,
    clientErrorHandler: connections.refuse,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.decorate("serviceLog", options.log);
  app.decorateRequest("rawBody", null);
  app.decorateRequest("checkBody", null);
  app.addHook("onClose", async () => connections.close());
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => fail("ROUTE_NOT_FOUND"));
  acceptOnlyJson(app);
  observe(app, options);
  if (options.trustedProxies.length > 0) limitClients(app, options);
  limitRequests(app, options);
  app.addHook("onRoute", checkRoute);
  gatherMethods(app);
  return app;
}

// Every method that Node's parser accepts. CONNECT never becomes a request: connections.ts answers it.
const METHODS = PARSED_METHODS.filter((name) => name !== "CONNECT");

function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const type = request.headers["content-type"] ?? "";
    const charset = /charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? "utf-8";
    const encoding = request.headers["content-encoding"] ?? "identity";
    try {
      request.rawBody = body as Buffer;
      request.checkBody?.(request.rawBody);
      if (!/^utf-?8$/i.test(charset) || encoding !== "identity") fail("UNSUPPORTED_MEDIA_TYPE");
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

function observe(app: FastifyInstance, { name, metrics, isDraining, log }: ListenerOptions): void {
  const logsSuccess = log.isLevelEnabled("debug");
  app.decorateReply("beganMs", 0);

  app.addHook("onRequest", (request, reply, done) => {
    reply.beganMs = performance.now();
    reply.header("x-request-id", request.id);
    if (isDraining()) reply.header("connection", "close");
    const hosts = countHosts(request.raw);
    if (hosts > 1) done(new AppError("VALIDATION_ERROR", "The Host header was sent more than once."));
    else if (hosts === 0 && request.raw.httpVersion === "1.1") {
      done(new AppError("VALIDATION_ERROR", "The Host header is required."));
    } else done();
  });

  // An answer counts when it is handed to the socket.
  app.addHook("onSend", (request, reply, payload, done) => {
    const elapsedMs = performance.now() - reply.beganMs;
    const { method, id } = request;
    const { statusCode: status } = reply;
    const route = request.routeOptions.url ?? "unmatched";
    metrics.countRequest(name, route, method, status, elapsedMs / 1_000);
    if (status >= 400 || logsSuccess) {
      const level = status >= 500 ? "error" : status >= 400 ? "info" : "debug";
      // The route's pattern is logged, never the address as sent: its ids and filters are private.
      const durationMs = Math.round(elapsedMs * 10) / 10;
      log[level]({ listener: name, requestId: id, method, route, status, durationMs }, "request");
    }
    done(null, payload);
  });
}

// Node keeps the first of two Host headers without an error.
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === 4 && header.toLowerCase() === "host") count++;
  }
  return count;
}

/** Limits the requests in progress. Each takes its place when its body has arrived and frees it with its answer. */
function limitRequests(app: FastifyInstance, { name, metrics }: ListenerOptions): void {
  const places = createPlaces({ onShed: (limit) => metrics.shed.inc({ listener: name, limit }), timeoutMsOf });
  app.decorate("places", places);
  app.decorateReply("heldPlace", null);
  app.decorateRequest("isAuthenticated", false);
  app.decorateRequest("place", null);
  // Callbacks instead of promises: every request passes here.
  app.addHook("preValidation", (request, reply, done) => {
    try {
      places.enter(reply, request.isAuthenticated ? "authenticated" : "unauthenticated");
      done();
    } catch (error) {
      done(error as AppError);
    }
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    places.leave(reply);
    request.place?.leave(1 + Math.floor(lengthOf(payload) / HEAVY_ANSWER_BYTES));
    done(null, payload);
  });
  const sweeping = setInterval(places.sweep, HANDLER_SWEEP_INTERVAL_MS);
  app.addHook("onClose", async () => clearInterval(sweeping));
}

function lengthOf(payload: unknown): number {
  return typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : 0;
}

/** Connections are limited by address where they are accepted. All clients of a proxy share its address, so they are limited here. */
function limitClients(
  app: FastifyInstance,
  { name, metrics, trustedProxies, connectionsPerAddress }: ListenerOptions,
): void {
  const isProxy = createProxyCheck(trustedProxies);
  const inProgress = new Map<string, number>();
  app.addHook("onRequest", async (request, reply) => {
    if (!isProxy(request.socket.remoteAddress ?? "")) return;
    const client = clientOf(clientAddress(request));
    const count = (inProgress.get(client) ?? 0) + 1;
    if (count > connectionsPerAddress) {
      metrics.shed.inc({ listener: name, limit: "client" });
      fail("OVERLOADED", "Too many requests from this address are in progress. Retry after the Retry-After period.");
    }
    inProgress.set(client, count);
    reply.raw.once("close", () => {
      const left = (inProgress.get(client) ?? 1) - 1;
      if (left === 0) inProgress.delete(client);
      else inProgress.set(client, left);
    });
  });
}

// Not Fastify's own handlerTimeout, which is off as soon as the body of a request has been read.
function timeoutMsOf(reply: FastifyReply): number {
  return reply.request.routeOptions.config.handlerTimeoutMs ?? HANDLER_TIMEOUT_MS;
}

// A response schema prevents that a field is returned by accident, so a route without one does not start.
function checkRoute(route: RouteOptions): void {
  const schema = route.schema;
  if (schema?.hide === true) return;
  if (schema?.response === undefined) throw new Error(`${route.method} ${route.url} has no response schema.`);
  if (!schema.summary) throw new Error(`${route.method} ${route.url} has no summary.`);
  schema.querystring ??= Type.Object({}, { additionalProperties: false });
  declareErrors(route);
}

// Which methods each address answers, gathered as routes are declared.
const methodsOf = new WeakMap<object, Map<string, Set<string>>>();

function gatherMethods(app: Listener): void {
  const methodsByUrl = new Map<string, Set<string>>();
  methodsOf.set(app, methodsByUrl);
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByUrl.set(url, methods);
  });
}

/**
 * Answers every other method of a known address with those it has, and every unknown address with 404. Call it after all
 * routes and hooks. `home` is the page that a browser is sent to when it opens `/`.
 */
export function refuseEverythingElse(app: Listener, { home }: { home?: string } = {}): void {
  refuseUnknownAddresses(app, home);
  for (const name of METHODS) if (!app.supportedMethods.includes(name)) app.addHttpMethod(name);
  app.register(async (scope) => {
    for (const [url, methods] of [...(methodsOf.get(app) ?? [])]) {
      const allow = [...methods].sort().join(", ");
      const method = METHODS.filter((name) => !methods.has(name));
      // Before the body is read: a wrong method is reported before a wrong body.
      const refuse = async () => fail("METHOD_NOT_ALLOWED", undefined, { allow });
      scope.route({ url, method, schema: { hide: true }, onRequest: refuse, handler: refuse });
    }
  });
}

// In a hook and not only in the handler: an unknown address is reported before a wrong body.
function refuseUnknownAddresses(app: Listener, home: string | undefined): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    const { method, url, headers } = request;
    if (home !== undefined && url === "/" && (method === "GET" || method === "HEAD")) {
      reply.header("vary", "accept");
      // A browser that opens `/` wants something to read. Every other client gets the error.
      if (headers.accept?.includes("text/html")) return reply.redirect(home, 303);
    }
    done(new AppError("ROUTE_NOT_FOUND"));
  });
}
