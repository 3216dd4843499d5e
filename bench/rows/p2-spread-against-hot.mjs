import { fork } from "node:child_process";
import { ask, startProgram } from "../program.mjs";
import { median, perSecond, prepare } from "../submissions.mjs";

const CLIENTS = 64;
const ROUNDS = 5;
const ROUND_MS = 3_000;
const GOAL = 0.6;

export default {
  id: "P2",
  title: "submissions/s spread over 1,000 campaigns of 100 merchants ÷ to one hot campaign (HTTP)",
  goal: `≥ ${GOAL}`,
  async run({ database, note }) {
    const results = [];
    for (const workers of [1, 2]) {
      const rounds = await measure(await database(), workers, note);
      const ratio = median(rounds.map(({ spread, hot }) => spread / hot));
      const figures = `${perSecond(median(rounds.map((r) => r.spread)))} ÷ ${perSecond(median(rounds.map((r) => r.hot)))}`;
      const detail = `${figures}, ${CLIENTS} clients, median of ${ROUNDS} rounds`;
      const what = `1,000 campaigns ÷ one hot campaign, ${workers} server process${workers === 1 ? "" : "es"}`;
      results.push({ what, ratio, pass: ratio >= GOAL, detail });
    }
    return results;
  },
};

async function measure(connection, workers, note) {
  const { db, campaigns, privateKeyPem } = await prepare(connection, { merchants: 100, campaignsPerMerchant: 10 });
  await db.end();
  const program = await startProgram({
    ENVIRONMENTS: "production",
    WORKERS: String(workers),
    DATABASE_URL: urlOf(connection),
    MATCHBOOK_SECRET: "bench-secret-0123456789abcdef0123456789",
  });
  const submitters = fork(new URL("../submitters.mjs", import.meta.url));
  try {
    const load = { url: program.url, privateKeyPem, clients: CLIENTS, durationMs: ROUND_MS };
    const rounds = [];
    // They take turns, so that a busy moment of the machine meets both. The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const hot = await ask(submitters, { ...load, campaigns: campaigns.slice(0, 1) });
      const spread = await ask(submitters, { ...load, campaigns });
      note(`${workers} workers, round ${round}: ${perSecond(spread)} and ${perSecond(hot)}`);
      if (round > 0) rounds.push({ hot, spread });
    }
    return rounds;
  } finally {
    submitters.kill();
    await program.stop();
  }
}

function urlOf({ host, port, user, password, database }) {
  return `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
