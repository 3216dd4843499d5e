// Keeps a number of connections busy with one request each for a while, and tells how many were answered.
// Run in a process of its own, so that the client does not take the server's time.

import http from "node:http";

/** Answers per second of `url` with the given number of clients. */
export async function load({ url, headers, clients, durationMs, expectStatus }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const deadline = performance.now() + durationMs;
  let answered = 0;
  const client = async () => {
    while (performance.now() < deadline) {
      await request(url, headers, agent, expectStatus);
      answered++;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return (answered / (performance.now() - began)) * 1_000;
}

function request(url, headers, agent, expectStatus) {
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers, agent }, (response) => {
        if (response.statusCode !== expectStatus) reject(new Error(`${url} answered ${response.statusCode}.`));
        response.resume();
        response.on("end", resolve);
      })
      .on("error", reject);
  });
}

if (process.send !== undefined) {
  process.on("message", async (options) => process.send(await load(options)));
}
