// What the background audit does for each new row of a journal must not depend on how long the journal is. Two databases with
// journals of different lengths get the same number of new submissions, made by the real engine, and the audit of each takes
// turns. The history is made by SQL, as rows from before the chain that are checked already.

import { createJournalChain } from "../../server/dist/campaigns/journal/chain.js";
import { createSubmissions } from "../../server/dist/campaigns/submissions/submit.js";
import { createKeyring } from "../../server/dist/keyring.js";
import { readStoredVerdict } from "../../server/dist/oversight/background/background.js";
import { auditNews } from "../../server/dist/oversight/background/steps.js";
import { prepare } from "../submissions.mjs";

const LENGTHS = [10_000, 1_000_000];
const NEW_ROWS = 1_000;
const ROUNDS = 9;
const WARM_UP_ROUNDS = 2;
const SUBMISSIONS_PER_USER = 10;
const CLIENTS = 64;
const GOAL = 1.5;
const WALLET = `0x${"a".repeat(40)}`;
const CHAIN_ID = 8453;

export default {
  id: "P12",
  title: "incremental audit per new journal row",
  goal: `≤ ${GOAL}`,
  async run(context) {
    const scenes = [];
    try {
      for (const length of LENGTHS) {
        const startedAt = performance.now();
        scenes.push(await prepareScene(await context.database(), length));
        context.note(`${length} journal rows made in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
      }
      const times = scenes.map(() => []);
      for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
        for (const scene of scenes) await scene.submit(round);
        const order = [...scenes.entries()];
        for (const [index, scene] of round % 2 === 0 ? order : order.reverse()) {
          const ms = await scene.audit();
          if (round >= WARM_UP_ROUNDS) times[index].push(ms);
        }
      }
      for (const scene of scenes) await scene.expectSound();
      const [short, long] = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
      const ratio = long / short;
      const micros = (ms) => Math.round((ms * 1_000) / NEW_ROWS);
      const detail = `${micros(long)} against ${micros(short)} µs a row, medians of ${ROUNDS} times ${NEW_ROWS} new rows`;
      return [{ what: `at ${LENGTHS[1]} rows ÷ at ${LENGTHS[0]}`, ratio, pass: ratio <= GOAL, detail }];
    } finally {
      for (const scene of scenes) await scene.db.end();
    }
  },
};

async function prepareScene(connection, length) {
  const { db, campaigns } = await prepare(connection, { merchants: 1, campaignsPerMerchant: 1 });
  const [{ merchantId, id }] = campaigns;
  const users = length / SUBMISSIONS_PER_USER;
  await insertHistory(db, length, users);
  const chain = createJournalChain(createKeyring("bench-secret-0123456789abcdef0123456789", "production"));
  const submissions = createSubmissions({ db, clock: () => new Date(), connections: 10, chain });
  let nowMs = Date.now();
  const clock = () => new Date(nowMs);

  async function submit(round) {
    // Different users in both, so that the same number of participants is checked, from all parts of the table.
    const waiting = Array.from(
      { length: NEW_ROWS },
      (_, index) => index * (users / NEW_ROWS) + (round % (users / NEW_ROWS)),
    );
    const client = async () => {
      for (let user = waiting.pop(); user !== undefined; user = waiting.pop()) {
        await submissions.submit(merchantId, id, submissionOf(user, round), null);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  async function audit() {
    nowMs += 60_000;
    const startedAt = performance.now();
    while ((await auditNews({ db, clock, chain })) === "more");
    return performance.now() - startedAt;
  }

  async function expectSound() {
    const { ok, checks } = await readStoredVerdict({ db });
    const rows = checks.find(({ name }) => name.startsWith("I2: every cap")).detail;
    const expected = `${NEW_ROWS * (ROUNDS + WARM_UP_ROUNDS)} checked`;
    if (!ok || rows !== expected) throw new Error(`The audit of ${length} rows: ${JSON.stringify(checks)}`);
  }

  return { db, submit, audit, expectSound };
}

function submissionOf(user, round) {
  return {
    merchantUserId: `user-${user}`,
    wallets: [{ address: WALLET, chain: { id: CHAIN_ID } }],
    amount: { amount: String(2 + round), currency: "USDC", decimalPlaces: 6 },
  };
}

/** Every user is matched by its first submission; the others change nothing. */
async function insertHistory(db, length, users) {
  const statements = [
    // Without the foreign keys' checks, row by row.
    "set local session_replication_role = replica",
    `insert into participants
       (merchant_id, id, campaign_id, merchant_user_id, status, qualified_date, trade_profit, amount_matched, max_match, payouts_open,
        payouts_confirmed, payouts_count, last_payout_failed, receiver_address, receiver_set_by, create_date, update_date)
     select c.merchant_id, md5('user-' || number)::uuid, c.id, 'user-' || number, 'MATCHED', '2026-01-10Z', 1, 2,
            c.max_amount_per_user, 0, 0, 0, false, '${WALLET}', 'SUBMISSION', now(), now()
     from campaigns c, generate_series(0, ${users} - 1) as number`,
    `insert into participant_wallets
       (merchant_id, participant_id, address_key, chain_id, campaign_id, address, ordinal, claim_position)
     select p.merchant_id, p.id, '${WALLET}', ${CHAIN_ID}, p.campaign_id, '${WALLET}', 0, 1 from participants p`,
    `insert into submission_journal
       (merchant_id, campaign_id, position, submission_id, participant_id, created, trade_profit, max_match, max_amount_total, delta,
        match_after, committed_after, date)
     select c.merchant_id, c.id, number + 1, gen_random_uuid(), md5('user-' || number % ${users})::uuid, number < ${users}, 1,
            c.max_amount_per_user, c.max_amount_total, case when number < ${users} then 2 else 0 end, 2,
            2 * least(number + 1, ${users}), now()
     from campaigns c, generate_series(0, ${length} - 1) as number`,
    `update campaigns set journal_length = ${length}, chained_after = ${length}, committed = ${2 * users}`,
    `insert into campaign_terms
     select merchant_id, id, 1, 0, status, start_date, end_date, match_multiplier, currency, decimal_places, max_amount_per_user,
            max_amount_total, payout_chain_id, payout_token_address, now()
     from campaigns`,
    `insert into journal_checkpoints select merchant_id, id, journal_length, '', journal_length, '', now() from campaigns`,
    "analyze",
  ];
  await db.transaction(
    async (transaction) => {
      for (const text of statements) await transaction.query(text);
    },
    { statementTimeoutMs: 600_000 },
  );
}
