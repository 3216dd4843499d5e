import type { IncomingMessage, ServerResponse } from "node:http";
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
import {
  BODY_SIZE_MAX_BYTES,
  CONNECTIONS_CHECK_INTERVAL_MS,
  HANDLER_SWEEP_INTERVAL_MS,
  HANDLER_TIMEOUT_MS,
  HEADERS_SIZE_MAX_BYTES,
  IN_FLIGHT_REQUESTS_MAX,
  KEEP_ALIVE_TIMEOUT_MS,
  REQUEST_RECEIVE_TIMEOUT_MS,
} from "../limits.ts";
import { answerError } from "./answer-error.ts";
import { AppError, fail } from "./errors.ts";
import { parseJsonBody } from "./json-body.ts";
import type { Metrics } from "./metrics.ts";
import { parseQueryString } from "./query-string.ts";
import { answerBelowFramework, answerClientError } from "./raw-answers.ts";
import { nextRequestId } from "./request-id.ts";
import { declareErrors } from "./responses.ts";
import { createUnderWay } from "./under-way.ts";
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
    /** The log. Fastify's own would watch every answer until its last byte, and has nothing to add to our lines. */
    logbook: Logger;
  }
  interface FastifyRequest {
    /** The body's bytes as they were received; null without a body. */
    rawBody: Buffer | null;
    /** Checks the body's bytes before they are parsed, and rejects them by throwing. Null: no check. */
    checkBody: ((bytes: Buffer | null) => void) | null;
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
  /** True once the process has been told to stop: every answer then closes its connection. */
  readonly isDraining: () => boolean;
}

/** A Fastify instance with everything that is the same for every request: limits, strictness, errors, logs, figures. */
export function createListener(options: ListenerOptions): Listener {
  const app: Listener = Fastify({
    genReqId: nextRequestId,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    bodyLimit: BODY_SIZE_MAX_BYTES,
    requestTimeout: REQUEST_RECEIVE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512, querystringParser: parseQueryString },
    http: {
      headersTimeout: REQUEST_RECEIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_INTERVAL_MS,
      maxHeaderSize: HEADERS_SIZE_MAX_BYTES,
      // Node's own answer to a missing Host has no error shape; ours is given below.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.decorate("logbook", options.log);
  app.decorateRequest("rawBody", null);
  app.decorateRequest("checkBody", null);
  answerBelowFramework(app.server);
  app.setValidatorCompiler(compileValidator);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(() => fail("ROUTE_NOT_FOUND"));
  acceptOnlyJson(app);
  observe(app, options);
  app.addHook("onRoute", checkRoute);
  gatherMethods(app);
  return app;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

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
  const requests = metrics.requestsOf(name);
  const logsSuccess = log.isLevelEnabled("debug");
  const underWay = createUnderWay();

  app.addHook("onRequest", (request, reply, done) => {
    underWay.enter(reply);
    reply.header("x-request-id", request.id);
    if (isDraining()) reply.header("connection", "close");
    if (underWay.replies.length > IN_FLIGHT_REQUESTS_MAX) sweep();
    if (underWay.replies.length > IN_FLIGHT_REQUESTS_MAX) {
      metrics.shed.inc({ listener: name });
      done(new AppError("OVERLOADED"));
    } else if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      done(new AppError("VALIDATION_ERROR", "The Host header is required."));
    } else {
      done();
    }
  });

  // One sweep over all requests costs less than a timer and a listener for each. Whoever hung up is forgotten, and whoever
  // waited too long is answered; a handler that answers after that is not heard.
  function sweep(): void {
    const now = performance.now();
    for (const reply of [...underWay.replies]) {
      if (reply.raw.closed) underWay.leave(reply);
      else if (now - (reply.beganMs ?? now) > timeoutMsOf(reply) && !reply.sent) reply.send(new AppError("OVERLOADED"));
    }
  }
  const sweeping = setInterval(sweep, HANDLER_SWEEP_INTERVAL_MS);
  app.addHook("onClose", async () => clearInterval(sweeping));

  // An answer counts when it is handed to the socket: listening for its last byte would cost more than many handlers.
  app.addHook("onSend", (request, reply, payload, done) => {
    underWay.leave(reply);
    const now = performance.now();
    const elapsedMs = now - (reply.beganMs ?? now);
    const { method, id } = request;
    const { statusCode: status } = reply;
    const route = request.routeOptions.url ?? "unmatched";
    requests.count(route, method, status, elapsedMs / 1_000);
    if (status >= 400 || logsSuccess) {
      const level = status >= 500 ? "error" : status >= 400 ? "info" : "debug";
      // The route's pattern is logged, never the address as sent: ids and filters are the caller's business.
      const durationMs = Math.round(elapsedMs * 10) / 10;
      log[level]({ listener: name, requestId: id, method, route, status, durationMs }, "request");
    }
    done(null, payload);
  });
}

// Not Fastify's own handlerTimeout, which is off as soon as the body of a request has been read.
function timeoutMsOf(reply: FastifyReply): number {
  return reply.request.routeOptions.config.handlerTimeoutMs ?? HANDLER_TIMEOUT_MS;
}

// A response schema is what keeps a field from ever being returned by accident, so a route without one does not start.
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

/** Every other method of a known address is told which ones there are. To be called after all routes. */
export function refuseOtherMethods(app: Listener): void {
  app.register(async (scope) => {
    for (const [url, methods] of [...(methodsOf.get(app) ?? [])]) {
      const allow = [...methods].sort().join(", ");
      const method = METHODS.filter((name) => !methods.has(name));
      const handler = () => fail("METHOD_NOT_ALLOWED", undefined, { allow });
      scope.route({ url, method, schema: { hide: true }, handler });
    }
  });
}
