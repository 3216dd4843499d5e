import { matchbook, median, prepare, textbook } from "../submissions.mjs";

const ROUNDS = 9;
const SUBMISSIONS = 200;
const GOAL = 1.15;

export default {
  id: "P3",
  title: "single client, idle: p50 of a submission ÷ the textbook control's (engine level, both)",
  goal: `≤ ${GOAL}`,
  async run({ database, note }) {
    const { db, campaigns } = await prepare(await database(), { merchants: 1, campaignsPerMerchant: 2 });
    try {
      const [ours, control] = [matchbook(db), textbook(db)];
      const rounds = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const batched = await p50(ours, campaigns[0]);
        const single = await p50(control, campaigns[1]);
        note(`round ${round}: ${batched.toFixed(2)} ms and ${single.toFixed(2)} ms`);
        if (round > 0) rounds.push({ batched, single });
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

async function p50(submit, campaign) {
  const durations = [];
  for (let sequence = 0; sequence < SUBMISSIONS; sequence++) {
    const began = performance.now();
    await submit(campaign, sequence);
    durations.push(performance.now() - began);
  }
  return median(durations);
}
