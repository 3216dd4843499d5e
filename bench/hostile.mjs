// The hostile clients of P10, in a process of their own. Everything they send is made beforehand, so that they cost little:
// they share the machine with the server.
//
// Each kind keeps its number of connections. One that the server closes is opened again.

import net from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const HALF_SENT = 1_000;
const NOT_READING = 200;
const PIPELINING = 2;
const REPEATED_NAMES = 50;
const REPEAT_INTERVAL_MS = 100;
const REOPEN_INTERVAL_MS = 200;
const POLL_INTERVAL_MS = 20;
// All of this comes from loopback, but not from one address.
const SOURCE_ADDRESSES = 20;

const request = (line, headers = "") => Buffer.from(`${line} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`, "latin1");
const HALF = Buffer.concat([
  request("POST /v1/merchants/applications", "content-type: application/json\r\ncontent-length: 500\r\n"),
  Buffer.from("{"),
]);
const REFERENCE = request("GET /docs/reference.js");
const PIPELINED = Buffer.concat(Array(1_500).fill(request("GET /nowhere")));
const REPEATED = request(`GET /v1/marketings/campaigns?${"a&".repeat(7_500)}a`);

let target;
let sources = 0;
let running = false;
const sockets = new Set();

function open(start) {
  const localAddress = `127.0.0.${2 + (sources++ % SOURCE_ADDRESSES)}`;
  const socket = net.connect({ host: "127.0.0.1", port: target, localAddress, noDelay: true });
  sockets.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => {
    sockets.delete(socket);
    if (running) setTimeout(() => running && open(start), REOPEN_INTERVAL_MS);
  });
  start(socket);
}

function halfSent(socket) {
  socket.write(HALF);
  socket.resume();
}

function notReading(socket) {
  socket.pause();
  socket.write(REFERENCE);
}

function pipelining(socket) {
  socket.pause();
  const refill = () => {
    while (socket.write(PIPELINED));
  };
  socket.on("drain", refill);
  refill();
}

function repeatedNames(socket) {
  socket.on("data", () => setTimeout(() => socket.destroyed || socket.write(REPEATED), REPEAT_INTERVAL_MS));
  socket.write(REPEATED);
}

process.on("message", async (message) => {
  if (message.port !== undefined) {
    target = message.port;
    running = true;
    for (const [count, start] of [
      [HALF_SENT, halfSent],
      [NOT_READING, notReading],
      [PIPELINING, pipelining],
      [REPEATED_NAMES, repeatedNames],
    ]) {
      for (let opened = 0; opened < count; opened++) open(start);
    }
    while ([...sockets].some((socket) => socket.pending)) await pause(POLL_INTERVAL_MS);
  } else {
    running = false;
    for (const socket of sockets) socket.destroy();
    while (sockets.size > 0) await pause(POLL_INTERVAL_MS);
  }
  process.send({ connections: sockets.size });
});
