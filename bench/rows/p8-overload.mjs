// What is served when three times as much is asked for as one process can do. Peak and overload take turns.

import { fork } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { ask, quantile, startTenants } from "../tenants.mjs";

const GOODPUT_GOAL = 0.9;
const REFUSAL_GOAL_MS = 50;
const MEMORY_GOAL = 1.5;
const MERCHANTS = 8;
const ROUNDS = 3;
const ROUND_MS = 4_000;
const REST_MS = 1_000;
const PEAK_CLIENTS = 32;
const OVERLOAD_CLIENTS = 600;

export default {
  id: "P8",
  title: "at three times the load that one process can serve",
  goal: `goodput ≥ ${GOODPUT_GOAL}, refusals within ${REFUSAL_GOAL_MS} ms, memory ≤ ${MEMORY_GOAL}`,
  async run(context) {
    const service = await startTenants(context, { merchants: MERCHANTS, deposits: 10_000 });
    const client = fork(new URL("../flood.mjs", import.meta.url));
    const urls = { publicUrl: service.publicUrl, operatorUrl: service.operatorUrl };
    const run = async (options) => {
      await ask(client, { urls, tenants: service.tenants, ...options });
      await pause(ROUND_MS);
      const result = await ask(client, {});
      await pause(REST_MS);
      const served = (result.answers[200] ?? 0) + (result.answers[201] ?? 0);
      return { ...result, perSecond: (served / result.elapsedMs) * 1_000 };
    };
    try {
      const rows = [];
      for (const kind of ["read", "submission"]) {
        const rounds = [];
        let memoryBefore = 0;
        for (let round = 0; round <= ROUNDS; round++) {
          const peak = await run({ kind, clients: PEAK_CLIENTS });
          const ratePerSecond = 3 * peak.perSecond;
          const overload = await run({ kind, clients: OVERLOAD_CLIENTS, ratePerSecond });
          const { answers, refusedMs } = overload;
          const asked = Object.values(answers).reduce((sum, count) => sum + count, 0);
          context.note(
            `${kind}, round ${round}: peak ${peak.perSecond.toFixed(0)}/s, overload ${overload.perSecond.toFixed(0)}/s of ` +
              `${((asked / overload.elapsedMs) * 1_000).toFixed(0)}/s asked, ${JSON.stringify(answers)}, refused in p99 ` +
              `${refusedMs.length === 0 ? "-" : quantile(refusedMs, 0.99).toFixed(0)} ms`,
          );
          // The first round compiles code and fills pools.
          if (round === 0) memoryBefore = await service.memoryBytes();
          else rounds.push({ peak, overload });
        }
        const memory = (await service.memoryBytes()) / memoryBefore;
        rows.push(...rowsOf(kind, rounds, memory));
      }
      return rows;
    } finally {
      client.kill();
      service.stop();
    }
  },
};

function rowsOf(kind, rounds, memory) {
  const ratio = quantile(
    rounds.map(({ peak, overload }) => overload.perSecond / peak.perSecond),
    0.5,
  );
  const refusedMs = rounds.flatMap(({ overload }) => overload.refusedMs);
  const failed = rounds.some(({ overload }) =>
    Object.keys(overload.answers).some((status) => status >= 500 && status !== "503"),
  );
  const p99Ms = refusedMs.length === 0 ? 0 : quantile(refusedMs, 0.99);
  const rates = rounds.map(
    ({ peak, overload }) => `${overload.perSecond.toFixed(0)} of ${peak.perSecond.toFixed(0)}/s`,
  );
  return [
    { what: `goodput of ${kind}s ÷ peak`, ratio, pass: ratio >= GOODPUT_GOAL && !failed, detail: rates.join(", ") },
    {
      what: `p99 of refused ${kind}s ÷ ${REFUSAL_GOAL_MS} ms`,
      ratio: p99Ms / REFUSAL_GOAL_MS,
      pass: p99Ms <= REFUSAL_GOAL_MS,
      detail: `${p99Ms.toFixed(0)} ms, ${refusedMs.length} refused`,
    },
    { what: `memory after ${kind}s ÷ before`, ratio: memory, pass: memory <= MEMORY_GOAL, detail: "resident" },
  ];
}
