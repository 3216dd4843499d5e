import { matchbook, median, perSecond, prepare, throughput } from "../submissions.mjs";

const CLIENTS = 64;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const GOAL = 0.9;

export default {
  id: "P2",
  title: "submissions/s to one hot campaign ÷ spread over 1,000 campaigns of 100 merchants (engine level)",
  goal: `≥ ${GOAL}`,
  async run({ database, note }) {
    const { db, campaigns } = await prepare(await database(), { merchants: 100, campaignsPerMerchant: 10 });
    try {
      const ours = matchbook(db);
      const rounds = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const hot = await throughput(ours, () => campaigns[0], CLIENTS, ROUND_MS);
        const anyOne = () => campaigns[Math.floor(Math.random() * campaigns.length)];
        const spread = await throughput(ours, anyOne, CLIENTS, ROUND_MS);
        note(`round ${round}: ${perSecond(hot)} and ${perSecond(spread)}`);
        if (round > 0) rounds.push({ hot, spread });
      }
      const ratio = median(rounds.map(({ hot, spread }) => hot / spread));
      const figures = `${perSecond(median(rounds.map((r) => r.hot)))} ÷ ${perSecond(median(rounds.map((r) => r.spread)))}`;
      const detail = `${figures}, ${CLIENTS} clients, median of ${ROUNDS} rounds`;
      return [{ what: "one hot campaign ÷ 1,000 campaigns", ratio, pass: ratio >= GOAL, detail }];
    } finally {
      await db.end();
    }
  },
};
