// Clients that submit over real sockets, in a process of their own: each sends its next submission as soon as the last is
// answered. Signatures are made once for each merchant, so that the server is what is measured, not the client.

import { createPrivateKey, sign } from "node:crypto";
import net from "node:net";
import { submissionOf } from "./submissions.mjs";

const sockets = new Map();

process.on("message", async ({ url, campaigns, privateKeyPem, clients, durationMs }) => {
  const key = createPrivateKey(privateKeyPem);
  const authorizations = new Map();
  for (const { merchantId } of campaigns) {
    if (!authorizations.has(merchantId)) authorizations.set(merchantId, authorizationOf(merchantId, key));
  }
  if (!sockets.has(url)) sockets.set(url, await Promise.all(Array.from({ length: clients }, () => connect(url))));
  let sent = 0;
  const next = () => {
    const { merchantId, id } = campaigns[Math.floor(Math.random() * campaigns.length)];
    const body = JSON.stringify(submissionOf(sent++));
    return (
      `POST /v1/marketings/campaigns/${id}/participants HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n` +
      `x-merchant-authorization: ${authorizations.get(merchantId)}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    );
  };
  const began = performance.now();
  const answered = await Promise.all(sockets.get(url).map((socket) => converse(socket, next, began + durationMs)));
  process.send((answered.reduce((sum, count) => sum + count, 0) / (performance.now() - began)) * 1_000);
});

function authorizationOf(merchantId, key) {
  const encode = (value, encoding) => Buffer.from(JSON.stringify(value)).toString(encoding);
  const payload = encode({ version: "v1", signatureTimestamp: new Date().toISOString() }, "base64url");
  const signature = sign("sha256", Buffer.from(payload), key).toString("base64url");
  return encode({ merchantId, payload, signature }, "base64");
}

function connect(url) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port), noDelay: true }, () => resolve(socket));
    socket.on("error", reject);
  });
}

// Answers are small enough to come in one piece, so a piece is an answer.
function converse(socket, next, until) {
  return new Promise((resolve, reject) => {
    let answered = 0;
    socket.once("close", () => reject(new Error("The server closed a connection.")));
    socket.on("data", (bytes) => {
      answered++;
      if (!/^HTTP\/1\.1 20[01] /.test(bytes.toString("latin1", 0, 13))) {
        reject(new Error(`The server answered:\n${bytes.toString("utf8")}`));
        socket.destroy();
      } else if (performance.now() > until) {
        socket.removeAllListeners("data").removeAllListeners("close");
        resolve(answered);
      } else {
        socket.write(next());
      }
    });
    socket.write(next());
  });
}
