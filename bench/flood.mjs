// Floods the server in a process of its own, for P7 and P8. With a rate, requests are sent at that rate, also after refusals.
// Without one, each client sends its next request when it has its answer, and after a refusal waits as the SDK does.

import { setTimeout as pause } from "node:timers/promises";
import { createCaller, requestsOf } from "./tenants.mjs";

let stop = async () => {};

function start({ urls, tenants, kind, clients, size, ratePerSecond = null }) {
  let going = true;
  let sequence = Date.now() % 1_000_000_000;
  const answers = {};
  const refusedMs = [];
  const began = performance.now();
  const intervalMs = ratePerSecond === null ? 0 : (clients / ratePerSecond) * 1_000;
  const makers = tenants.map((tenant) => requestsOf(urls, tenant)[kind]);
  const loops = Array.from({ length: clients }, async (_, index) => {
    const call = createCaller();
    let nextMs = began + (index / clients) * intervalMs;
    while (going) {
      if (ratePerSecond !== null) {
        await pause(Math.max(0, nextMs - performance.now()));
        nextMs = Math.max(nextMs + intervalMs, performance.now() - intervalMs);
      }
      const { status, ms } = await call(makers[index % makers.length](size ?? ++sequence));
      answers[status] = (answers[status] ?? 0) + 1;
      if (status !== 429 && status !== 503) continue;
      refusedMs.push(ms);
      if (ratePerSecond === null) await pause(1_000 + 250 * Math.random());
    }
  });
  return async () => {
    going = false;
    const elapsedMs = performance.now() - began;
    const counted = { ...answers };
    const refused = [...refusedMs];
    await Promise.all(loops);
    return { answers: counted, refusedMs: refused, elapsedMs };
  };
}

process.on("message", async (message) => {
  if (message.kind === undefined) {
    process.send(await stop());
  } else {
    stop = start(message);
    process.send({ started: true });
  }
});
