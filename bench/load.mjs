// Keeps a number of connections busy with one request each, for a while or for a number of requests, and tells how many were
// answered per second.
// It runs in a process of its own and writes ready-made bytes, so that the server is what is measured, not the client.

import net from "node:net";

const connections = new Map();

/** Answers per second of `url` with the given number of clients. Any answer but 200 ends the run. */
export async function load({ url, headers, clients, durationMs = Infinity, requests = Infinity }) {
  // Connections stay open from one call to the next, so that even a short one measures requests alone.
  const open = (connections.get(url) ?? []).filter((socket) => socket.readyState === "open");
  const missing = Array.from({ length: clients - open.length }, () => connect(url));
  const sockets = [...open, ...(await Promise.all(missing))];
  connections.set(url, sockets);
  const { hostname, pathname, search } = new URL(url);
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  const began = performance.now();
  let left = requests;
  const isOver = () => --left < 0 || performance.now() > began + durationMs;
  const answered = await Promise.all(sockets.map((socket) => converse(socket, request, isOver)));
  return (answered.reduce((sum, count) => sum + count, 0) / (performance.now() - began)) * 1_000;
}

function connect(url) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket));
    socket.on("error", reject);
  });
}

function converse(socket, request, isOver) {
  return new Promise((resolve, reject) => {
    let answered = 0;
    let missingBytes = 0;
    const next = () => {
      if (!isOver()) return socket.write(request);
      socket.removeAllListeners("data").removeAllListeners("close");
      return resolve(answered);
    };
    socket.once("close", () => reject(new Error("The server closed a connection.")));
    socket.on("data", (bytes) => {
      missingBytes = (missingBytes === 0 ? lengthOf(bytes) : missingBytes) - bytes.length;
      if (missingBytes > 0) return;
      if (missingBytes === 0) {
        answered++;
        next();
      } else {
        reject(new Error(`The server answered:\n${bytes.toString("utf8")}`));
        socket.destroy();
      }
    });
    next();
  });
}

/** The length of an answer whose first bytes these are, head and body. The head is small enough to come in one piece. */
function lengthOf(bytes) {
  const head = bytes.toString("latin1", 0, 1_024);
  const [, contentLength] = /\r\ncontent-length: ([0-9]+)\r\n/i.exec(head) ?? [];
  const isGood = head.startsWith("200", 9) && contentLength !== undefined;
  return isGood ? head.indexOf("\r\n\r\n") + 4 + Number(contentLength) : 0;
}

if (process.send !== undefined) {
  process.on("message", async (options) => process.send(await load(options)));
}
