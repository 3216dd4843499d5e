import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { AppError, type ErrorCode } from "./errors.ts";
import { nextRequestId } from "./request-id.ts";

// What Node refuses before a request exists never reaches the framework. These answers give such refusals the same
// shape and request id as any other.

export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const busy = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
  if (error.code === "ECONNRESET" || !socket.writable || busy?.headersSent === true) {
    socket.destroy(error);
    return;
  }
  socket.end(rawAnswer(new AppError(codeOf(error), messageOf(error))));
}

export function answerBelowFramework(server: Server): void {
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const answer = new AppError("EXPECTATION_FAILED");
    response.writeHead(answer.status, {
      "content-type": "application/json; charset=utf-8",
      "x-request-id": nextRequestId(),
      connection: "close",
    });
    response.end(JSON.stringify(answer.body));
  });
  // Node hands CONNECT over as a bare socket.
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => {});
    socket.end(
      rawAnswer(new AppError("METHOD_NOT_ALLOWED", undefined, { allow: "GET, HEAD, POST, PUT, PATCH, DELETE" })),
    );
  });
}

function rawAnswer(answer: AppError): string {
  const body = JSON.stringify(answer.body);
  return [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${nextRequestId()}`,
    ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

function codeOf(error: NodeJS.ErrnoException): ErrorCode {
  if (error.code === "HPE_HEADER_OVERFLOW") return "HEADERS_TOO_LARGE";
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return "REQUEST_TIMEOUT";
  return "VALIDATION_ERROR";
}

function messageOf(error: NodeJS.ErrnoException): string | undefined {
  return codeOf(error) === "VALIDATION_ERROR" ? "The request is not valid HTTP/1.1." : undefined;
}
