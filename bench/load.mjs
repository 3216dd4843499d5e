// Keeps a number of connections busy with one request each for a while, and tells how many were answered per second.
// It runs in a process of its own and writes ready-made bytes, so that the server is what is measured, not the client.

import net from "node:net";

const connections = new Map();

/** Answers per second of `url` with the given number of clients. Any answer but 200 ends the run. */
export async function load({ url, headers, clients, durationMs }) {
  // Connections stay open from one call to the next, so that even a short one measures requests alone.
  const open = (connections.get(url) ?? []).filter((socket) => socket.readyState === "open");
  const missing = Array.from({ length: clients - open.length }, () => connect(url));
  const sockets = [...open, ...(await Promise.all(missing))];
  connections.set(url, sockets);
  const { hostname, pathname, search } = new URL(url);
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  const began = performance.now();
  const answered = await Promise.all(sockets.map((socket) => converse(socket, request, began + durationMs)));
  return (answered.reduce((sum, count) => sum + count, 0) / (performance.now() - began)) * 1_000;
}

function connect(url) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket));
    socket.on("error", reject);
  });
}

// Answers are small enough to come in one piece, so a piece is an answer.
function converse(socket, request, until) {
  return new Promise((resolve, reject) => {
    let answered = 0;
    socket.once("close", () => reject(new Error("The server closed a connection.")));
    socket.on("data", (bytes) => {
      answered++;
      if (bytes.toString("latin1", 9, 12) !== "200") {
        reject(new Error(`The server answered:\n${bytes.toString("utf8")}`));
        socket.destroy();
      } else if (performance.now() > until) {
        socket.removeAllListeners("data").removeAllListeners("close");
        resolve(answered);
      } else {
        socket.write(request);
      }
    });
    socket.write(request);
  });
}

if (process.send !== undefined) {
  process.on("message", async (options) => process.send(await load(options)));
}
