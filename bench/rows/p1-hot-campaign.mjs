import { matchbook, median, perSecond, prepare, textbook, throughput } from "../submissions.mjs";

const CLIENTS = 64;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const GOAL = 5;

export default {
  id: "P1",
  title: "submissions/s to ONE campaign, 64 clients ÷ textbook FOR UPDATE control (engine level, both)",
  goal: `≥ ${GOAL}`,
  async run({ database, note }) {
    const { db, campaigns } = await prepare(await database(), { merchants: 1, campaignsPerMerchant: 2 });
    try {
      const [ours, control] = [matchbook(db), textbook(db)];
      const rounds = [];
      // They take turns, so that a busy moment of the machine meets both. The first round warms up.
      for (let round = 0; round <= ROUNDS; round++) {
        const batched = await throughput(ours, () => campaigns[0], CLIENTS, ROUND_MS);
        const single = await throughput(control, () => campaigns[1], CLIENTS, ROUND_MS);
        note(`round ${round}: ${perSecond(batched)} and ${perSecond(single)}`);
        if (round > 0) rounds.push({ batched, single });
      }
      const ratio = median(rounds.map(({ batched, single }) => batched / single));
      const figures = `${perSecond(median(rounds.map((r) => r.batched)))} ÷ ${perSecond(median(rounds.map((r) => r.single)))}`;
      const detail = `${figures}, ${CLIENTS} clients, median of ${ROUNDS} rounds`;
      return [{ what: "submissions/s to one campaign", ratio, pass: ratio >= GOAL, detail }];
    } finally {
      await db.end();
    }
  },
};
