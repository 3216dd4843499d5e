import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import {
  ANSWER_STALL_MAX_MS,
  CONNECTIONS_CHECK_INTERVAL_MS,
  HEADERS_SIZE_MAX_BYTES,
  KEEP_ALIVE_TIMEOUT_MS,
  PARSED_AT_ONCE_MAX_BYTES,
  PARSED_AT_ONCE_MIN_BYTES,
  PIPELINED_PAUSE_MS,
  RAW_ANSWER_LINGER_MS,
  REQUEST_RECEIVE_TIMEOUT_MS,
} from "../limits.ts";
import { AppError, type ErrorCode } from "./errors.ts";

// Node parses every request in the 64 KB that it reads in one step, and starts them all. Here a connection has one request
// in progress. The rest waits unread in its socket, so that TCP slows the client down, and a client that does not read its
// answers gets no more of them.
//
// How: a `readable` listener stops the stream from flowing, so that bytes reach Node's parser, which listens for `data`,
// only when `socket.read` is called. Node's own calls of `pause` and `resume` then have no effect on the flow.

export interface ConnectionsOptions {
  /** A client was disconnected because it did not read its answer. */
  readonly onStalledReader: () => void;
}

export type Connections = ReturnType<typeof createConnections>;

export function createConnections({ onStalledReader }: ConnectionsOptions) {
  const connections = new Map<Socket, Connection>();

  const checking = setInterval(() => {
    const nowMs = performance.now();
    for (const connection of connections.values()) {
      if (connection.isStalled(nowMs)) {
        onStalledReader();
        connection.socket.destroy();
      }
    }
  }, CONNECTIONS_CHECK_INTERVAL_MS);

  return {
    createServer(handle: RequestListener): Server {
      const server = createServer({
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        requestTimeout: REQUEST_RECEIVE_TIMEOUT_MS,
        headersTimeout: REQUEST_RECEIVE_TIMEOUT_MS,
        connectionsCheckingInterval: CONNECTIONS_CHECK_INTERVAL_MS,
        maxHeaderSize: HEADERS_SIZE_MAX_BYTES,
        // Node's own answer to a missing Host has no error shape. The listener gives ours.
        requireHostHeader: false,
      });
      // A client may end its side once it has sent its requests. Node would drop the answers that are not yet there.
      Object.assign(server, { httpAllowHalfOpen: true });
      server.on("connection", (socket) => {
        connections.set(socket, openConnection(socket));
        socket.once("close", () => connections.delete(socket));
      });
      server.on("request", (request, response) => connections.get(request.socket)?.take({ request, response, handle }));
      server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
        connections.get(request.socket)?.take({ request, response, handle: refuseExpectation }),
      );
      // Node hands CONNECT over as a bare socket.
      server.on("connect", (_request, socket: Socket) => {
        socket.on("error", () => {});
        connections.get(socket)?.refuse(new AppError("METHOD_NOT_ALLOWED", undefined, { allow: ALLOWED_METHODS }));
      });
      return server;
    },

    /** For what Node refuses before a request exists: it gets the shape and the request id of every other error. */
    refuse(error: NodeJS.ErrnoException, socket: Socket): void {
      const connection = connections.get(socket);
      if (connection === undefined || error.code === "ECONNRESET") socket.destroy(error);
      else connection.refuse(refusalOf(error));
    },

    close: () => clearInterval(checking),
  };
}

interface Work {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly handle: RequestListener;
}

type Connection = ReturnType<typeof openConnection>;

function openConnection(socket: Socket) {
  /** Parsed, but not started. They came in the same few bytes as the current one. */
  const waiting: Work[] = [];
  let current: Work | null = null;
  /** The last answer of this connection. It is sent after those of the requests before it. */
  let refusal: AppError | null = null;
  let over = false;
  let resting = false;
  let parsedAtOnceBytes = PARSED_AT_ONCE_MIN_BYTES;
  let sentBytes = 0;
  let progressAtMs: number | null = null;

  socket.on("readable", advance);
  // A reader of a body asks the socket to resume when it wants more.
  socket.on("resume", advance);
  socket.on("drain", advance);

  /** Starts the next request when none is in progress, and parses on while that is wanted. */
  function advance(): void {
    if (over) socket.read();
    if (over || resting) return;
    // Without this an end of the stream would not be seen.
    if (socket.readableLength === 0) socket.read(0);
    for (;;) {
      if (current === null) startNext();
      if (over || refusal !== null || !wantsBytes() || socket.readableLength === 0) return;
      socket.read(Math.min(parsedAtOnceBytes, socket.readableLength));
      // A few small requests fit into the first bytes. What is longer is a body.
      parsedAtOnceBytes =
        waiting.length > 0 ? PARSED_AT_ONCE_MIN_BYTES : Math.min(2 * parsedAtOnceBytes, PARSED_AT_ONCE_MAX_BYTES);
    }
  }

  function wantsBytes(): boolean {
    if (waiting.length > 0 || socket.writableNeedDrain) return false;
    if (current === null) return true;
    const { complete, readableLength, readableHighWaterMark } = current.request;
    return !complete && readableLength < readableHighWaterMark;
  }

  function startNext(): void {
    const next = waiting.shift();
    if (refusal !== null && !next?.request.complete) finish(refusal);
    if (next === undefined || over) return;
    current = next;
    next.response.once("close", () => {
      current = null;
      // Bytes that are here already were sent before this answer was read. Other connections come first.
      if (waiting.length > 0 || socket.readableLength > 0) rest();
      else advance();
    });
    next.handle(next.request, next.response);
  }

  function rest(): void {
    resting = true;
    setTimeout(() => {
      resting = false;
      advance();
    }, PIPELINED_PAUSE_MS);
  }

  function finish(answer: AppError): void {
    over = true;
    waiting.length = 0;
    if (!socket.writable || current?.response.headersSent === true) {
      socket.destroy();
      return;
    }
    socket.end(rawAnswer(answer));
    // For a moment, bytes that arrive are thrown away. Closing with unread bytes would reset the connection, and the client
    // might lose the answer.
    socket.removeAllListeners("data");
    const lingering = setTimeout(() => socket.destroy(), RAW_ANSWER_LINGER_MS);
    socket.once("close", () => clearTimeout(lingering));
    advance();
  }

  return {
    socket,

    take(work: Work): void {
      waiting.push(work);
    },

    refuse(answer: AppError): void {
      if (over) {
        socket.destroy();
        return;
      }
      refusal = answer;
      // A request whose body broke off never gets an answer of its own.
      if (current !== null && !current.request.complete) finish(answer);
      else advance();
    },

    /** Whether an answer has been waiting for its reader for too long. */
    isStalled(nowMs: number): boolean {
      const sent = sentBytesOf(socket);
      if (socket.writableLength === 0 || sent !== sentBytes || progressAtMs === null) {
        sentBytes = sent;
        progressAtMs = socket.writableLength === 0 ? null : nowMs;
      }
      return progressAtMs !== null && nowMs - progressAtMs > ANSWER_STALL_MAX_MS;
    },
  };
}

// A large answer is one write, which the stream counts only as a whole. The handle knows how much of it the system took;
// Node's own socket timeout looks there, too.
function sentBytesOf(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

const ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const JSON_TYPE = "application/json; charset=utf-8";

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const answer = new AppError("EXPECTATION_FAILED");
  const headers = { "content-type": JSON_TYPE, "x-request-id": randomUUID(), connection: "close" };
  response.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
}

function rawAnswer(answer: AppError): string {
  const body = JSON.stringify(answer.body);
  return [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "HEADERS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};

function refusalOf({ code = "" }: NodeJS.ErrnoException): AppError {
  const known = REFUSALS[code];
  return known === undefined
    ? new AppError("VALIDATION_ERROR", "The request is not valid HTTP/1.1.")
    : new AppError(known);
}
