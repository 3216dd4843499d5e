import { connect, type Socket } from "node:net";

/** What came back over a socket, read without an HTTP client's opinions. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Every byte the server sent before it closed the connection. */
  readonly text: string;
}

export interface ExchangeOptions {
  /** Ends our side once everything is written, as a client that breaks off does. */
  readonly halfClose?: boolean;
  /** Does something with the open socket after the bytes are written. */
  readonly then?: (socket: Socket) => void;
}

/** Sends bytes and reads until the server closes the connection. Null: it closed without an answer. */
export function exchange(
  url: string,
  bytes: string | Uint8Array,
  options: ExchangeOptions = {},
): Promise<RawAnswer | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("end", () => socket.end());
    // A reset after the answer is how a server closes on a client that is still writing.
    socket.on("error", () => {});
    socket.on("close", () => resolve(parseAnswer(Buffer.concat(chunks).toString("latin1"))));
    socket.write(bytes);
    if (options.halfClose === true) socket.end();
    options.then?.(socket);
  });
}

/** A request as text. Headers replace the usual ones; undefined removes one. */
export function requestText(
  method: string,
  target: string,
  headers: Record<string, string | undefined> = {},
  body = "",
): string {
  const lines = Object.entries({
    host: "test",
    connection: "close",
    ...(body === "" ? {} : { "content-type": "application/json", "content-length": `${Buffer.byteLength(body)}` }),
    ...headers,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `${[`${method} ${target} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${body}`;
}

/** The first answer on the connection that is not an interim one. */
function parseAnswer(text: string): RawAnswer | null {
  const starts = [...text.matchAll(/(?:^|\n)HTTP\/1\.1 (?!1)([0-9]{3})[^\r\n]*\r\n/g)];
  const start = starts[0];
  if (start === undefined) return null;
  const rest = text.slice(start.index + start[0].length);
  const [head = "", ...bodies] = rest.split("\r\n\r\n");
  const headers = Object.fromEntries(
    head
      .split("\r\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const all = bodies.join("\r\n\r\n");
  const length = headers["content-length"];
  const chunked = headers["transfer-encoding"] === "chunked";
  const bytes = chunked ? joinChunks(all) : length === undefined ? all : all.slice(0, Number(length));
  return { status: Number(start[1]), headers, body: Buffer.from(bytes, "latin1").toString("utf8"), text };
}

function joinChunks(text: string): string {
  const size = Number.parseInt(text, 16);
  const start = text.indexOf("\r\n") + 2;
  return size > 0 ? text.slice(start, start + size) + joinChunks(text.slice(start + size + 2)) : "";
}
