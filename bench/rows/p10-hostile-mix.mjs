import { fork } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import http from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { ask, startProgram } from "../program.mjs";

const GOAL = 3;
const ROUNDS = 4;
// Shorter than the time a half-sent request is waited for, so that the whole mix is there all the time.
const ROUND_MS = 6_000;
const WARM_UP_MS = 4_000;
// The kernel takes a moment to fill the buffers of those who do not read.
const SETTLE_MS = 2_000;
// One reader with a moment between its requests: its delay is the server's, not that of a queue of its own making.
const PAUSE_MS = 2;

export default {
  id: "P10",
  title: "p99 of a signed read under the hostile mix ÷ alone",
  goal: `≤ ${GOAL}, no 5xx`,
  async run({ note }) {
    // The sandbox alone: it approves merchants immediately.
    const program = await startProgram({
      ENVIRONMENTS: "sandbox",
      WORKERS: "2",
      SANDBOX_WORKERS: "2",
      // The limit admits every connection of the mix, because the row measures how they are served.
      CONNECTIONS_PER_ADDRESS: "10000",
    });
    const hostile = fork(new URL("../hostile.mjs", import.meta.url));
    try {
      const read = await reader(program.url);
      const measureMixed = async (durationMs) => {
        const { connections } = await ask(hostile, { port: Number(new URL(program.url).port) });
        await pause(SETTLE_MS);
        const delays = await measure(read, durationMs);
        await ask(hostile, {});
        await pause(SETTLE_MS);
        return { connections, delays };
      };
      // A server that has been up for a while: its code is compiled, also that for refusals.
      await measure(read, WARM_UP_MS);
      await measureMixed(WARM_UP_MS);
      const alone = [];
      const mixed = [];
      for (let round = 1; round <= ROUNDS; round++) {
        const before = await measure(read, ROUND_MS);
        const { connections, delays } = await measureMixed(ROUND_MS);
        alone.push(...before);
        mixed.push(...delays);
        note(
          `round ${round} of ${ROUNDS}: p99 ${p99(before).toFixed(1)} ms alone, ${p99(delays).toFixed(1)} ms beside ${connections} hostile connections`,
        );
      }
      const ratio = p99(mixed) / p99(alone);
      const detail =
        `p99 ${p99(mixed).toFixed(2)} ms ÷ ${p99(alone).toFixed(2)} ms, p50 ${p50(mixed).toFixed(2)} ms ÷ ${p50(alone).toFixed(2)} ms; ` +
        `${mixed.length} and ${alone.length} reads, all answered 200`;
      return [{ what: "p99 of a signed read", ratio, pass: ratio <= GOAL, detail }];
    } finally {
      hostile.kill();
      await program.stop();
    }
  },
};

/** Registers a merchant and answers a function that reads one of its lists and tells how long that took. */
async function reader(url) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const answer = await fetch(`${url}/v1/merchants/applications`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      email: "bench@shop.example",
      domain: "shop.example",
      publicKey: publicKey.export({ type: "spki", format: "pem" }),
      description: "A shop that takes part in a benchmark.",
    }),
  });
  const { merchantId } = await answer.json();
  const payload = encode({ version: "v1", signatureTimestamp: new Date().toISOString() }, "base64url");
  const signature = sign("sha256", Buffer.from(payload), privateKey).toString("base64url");
  const authorization = encode({ merchantId, payload, signature }, "base64");
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  return () =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const headers = { "x-merchant-authorization": authorization };
      http
        .get(`${url}/v1/marketings/campaigns`, { agent, headers }, (response) => {
          response.resume();
          response.once("end", () => {
            if (response.statusCode === 200) resolve(performance.now() - began);
            else reject(new Error(`A signed read was answered ${response.statusCode}.`));
          });
        })
        .once("error", reject);
    });
}

async function measure(read, durationMs) {
  const delays = [];
  const until = performance.now() + durationMs;
  while (performance.now() < until) {
    delays.push(await read());
    await pause(PAUSE_MS);
  }
  return delays;
}

const encode = (value, encoding) => Buffer.from(JSON.stringify(value)).toString(encoding);
const quantile = (numbers, share) => numbers.toSorted((a, b) => a - b)[Math.floor(share * numbers.length)];
const p50 = (numbers) => quantile(numbers, 0.5);
const p99 = (numbers) => quantile(numbers, 0.99);
