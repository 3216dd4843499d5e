import { matchbook, median, prepare, textbook } from "../submissions.mjs";

const SUBMISSIONS = 4_000;
// A server that has been up for a while: code is compiled, statements are prepared.
const WARM_UP = 2_000;
const GOAL = 1.15;

export default {
  id: "P3",
  title: "single client, idle: p50 of a submission ÷ the textbook control's (engine level, both)",
  goal: `≤ ${GOAL}`,
  async run({ database }) {
    const { db, campaigns } = await prepare(await database(), { merchants: 1, campaignsPerMerchant: 2 });
    try {
      const engines = [matchbook(db), textbook(db)];
      const durations = [[], []];
      // One of each in turn, so that a busy moment of the machine meets both.
      for (let sequence = 0; sequence < WARM_UP + SUBMISSIONS; sequence++) {
        for (const [index, submit] of engines.entries()) {
          const began = performance.now();
          await submit(campaigns[index], sequence);
          if (sequence >= WARM_UP) durations[index].push(performance.now() - began);
        }
      }
      const [ours, control] = durations.map(median);
      const ratio = ours / control;
      const detail = `${ours.toFixed(2)} ms ÷ ${control.toFixed(2)} ms, ${SUBMISSIONS.toLocaleString("en")} of each in turn`;
      return [{ what: "p50 of a lone client", ratio, pass: ratio <= GOAL, detail }];
    } finally {
      await db.end();
    }
  },
};
