// A small merchant's requests beside a whale that sends as much as it can, in one server process. Alone and beside the whale
// take turns, so that other load on this machine affects both.

import { fork } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { ask, createCaller, quantile, requestsOf, startTenants } from "../tenants.mjs";

const GOAL = 3;
const ROUNDS = 3;
const ROUND_MS = 3_000;
// The whale's connections are open by then, and its lines full.
const SETTLE_MS = 1_500;
// A moment between the requests of the small merchant: its delay is the server's, not that of a line of its own making.
const PAUSE_MS = 2;

export default {
  id: "P7",
  title: "a small merchant's p99 beside a whale ÷ alone",
  goal: `≤ ${GOAL}, no 5xx`,
  async run(context) {
    const deposits = context.full ? 150_000 : 30_000;
    const service = await startTenants(context, { merchants: 2, deposits });
    const [whaleTenant, smallTenant] = service.tenants;
    const whale = fork(new URL("../flood.mjs", import.meta.url));
    try {
      await seedLargestPages(service, whaleTenant);
      const small = requestsOf(service, smallTenant);
      const samples = {};
      const call = createCaller();
      const measure = (durationMs) => measureSmall(call, small, durationMs);
      await measure(ROUND_MS);
      const whales = [
        { kind: "largestPage", what: "reads of the largest pages", clients: 200 },
        { kind: "submission", what: "submissions", clients: 500 },
        { kind: "deposits", what: "batches of 1,000 deposits", clients: 24, size: 1_000 },
        { kind: "windowEdit", what: `edits of a window over ${deposits} wallets`, clients: 4 },
      ];
      for (let round = 0; round <= ROUNDS; round++) {
        for (const { kind, clients, size } of whales) {
          const alone = await measure(ROUND_MS);
          const urls = { publicUrl: service.publicUrl, operatorUrl: service.operatorUrl };
          await ask(whale, { urls, tenants: [whaleTenant], kind, clients, size });
          await pause(SETTLE_MS);
          const beside = await measure(ROUND_MS);
          const { answers } = await ask(whale, {});
          if (round === 0) continue;
          context.note(
            `round ${round}, ${kind}: ${describe(alone)} alone, ${describe(beside)} beside ${JSON.stringify(answers)}`,
          );
          samples[kind] ??= { alone: {}, beside: {}, whale: {} };
          collect(samples[kind].alone, alone);
          collect(samples[kind].beside, beside);
          for (const [status, count] of Object.entries(answers)) {
            samples[kind].whale[status] = (samples[kind].whale[status] ?? 0) + count;
          }
        }
      }
      return whales.flatMap(({ kind, what }) => rowsOf(what, samples[kind]));
    } finally {
      whale.kill();
      service.stop();
    }
  },
};

/** A hundred participants with a hundred wallets each. */
async function seedLargestPages(service, tenant) {
  const { wideSubmission } = requestsOf(service, tenant);
  const call = createCaller();
  for (let sequence = 0; sequence < 100; sequence++) {
    const { status } = await call(wideSubmission(sequence));
    if (status !== 201) throw new Error(`A submission was answered ${status}.`);
  }
}

/** How long reads, submissions and batches of one deposit took. Any answer but a success ends the run. */
async function measureSmall(call, requests, durationMs) {
  const delays = { read: [], submission: [], deposits: [] };
  const until = performance.now() + durationMs;
  for (let sequence = 0; performance.now() < until; sequence++) {
    for (const kind of Object.keys(delays)) {
      const { status, ms } = await call(requests[kind](kind === "deposits" ? 1 : sequence));
      if (status !== 200 && status !== 201) throw new Error(`The small merchant's ${kind} was answered ${status}.`);
      delays[kind].push(ms);
      await pause(PAUSE_MS);
    }
  }
  return delays;
}

function collect(into, delays) {
  for (const [kind, list] of Object.entries(delays)) into[kind] = [...(into[kind] ?? []), ...list];
}

const p99 = (list) => quantile(list, 0.99);
const describe = (delays) =>
  Object.entries(delays)
    .map(([kind, list]) => `${kind} ${p99(list).toFixed(0)} ms`)
    .join(", ");

function rowsOf(what, { alone, beside, whale }) {
  const failures = Object.entries(whale).filter(([status]) => status >= 500);
  return Object.keys(alone).map((kind) => {
    const ratio = p99(beside[kind]) / p99(alone[kind]);
    const p50s = `p50 ${quantile(beside[kind], 0.5).toFixed(1)} ÷ ${quantile(alone[kind], 0.5).toFixed(1)} ms`;
    const detail =
      `p99 ${p99(beside[kind]).toFixed(1)} ÷ ${p99(alone[kind]).toFixed(1)} ms, ${p50s}; ` +
      `${beside[kind].length} and ${alone[kind].length} requests; the whale got ${JSON.stringify(whale)}`;
    return { what: `${kind} beside ${what}`, ratio, pass: ratio <= GOAL && failures.length === 0, detail };
  });
}
