import { matchbook, median, prepare, textbook } from "../submissions.mjs";

const ROUNDS = 15;
const SUBMISSIONS = 300;
// A server that has been up for a while: code is compiled, statements are prepared.
const WARM_UP = 3_000;
const GOAL = 1.15;

export default {
  id: "P3",
  title: "single client, idle: p50 of a submission ÷ the textbook control's (engine level, both)",
  goal: `≤ ${GOAL}`,
  async run({ database, note }) {
    const { db, campaigns } = await prepare(await database(), { merchants: 1, campaignsPerMerchant: 2 });
    try {
      const [ours, control] = [matchbook(db), textbook(db)];
      await p50(ours, campaigns[0], WARM_UP);
      await p50(control, campaigns[1], WARM_UP);
      const rounds = [];
      for (let round = 1; round <= ROUNDS; round++) {
        const batched = await p50(ours, campaigns[0], SUBMISSIONS);
        const single = await p50(control, campaigns[1], SUBMISSIONS);
        note(`round ${round}: ${batched.toFixed(2)} ms and ${single.toFixed(2)} ms`);
        rounds.push({ batched, single });
      }
      const ratio = median(rounds.map(({ batched, single }) => batched / single));
      const [a, b] = ["batched", "single"].map((name) => median(rounds.map((round) => round[name])).toFixed(2));
      const detail = `${a} ms ÷ ${b} ms, median of ${ROUNDS} rounds of ${SUBMISSIONS}`;
      return [{ what: "p50 of a lone client", ratio, pass: ratio <= GOAL, detail }];
    } finally {
      await db.end();
    }
  },
};

async function p50(submit, campaign, count) {
  const durations = [];
  for (let sequence = 0; sequence < count; sequence++) {
    const began = performance.now();
    await submit(campaign, sequence);
    durations.push(performance.now() - began);
  }
  return median(durations);
}
