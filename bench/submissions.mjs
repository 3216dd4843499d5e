// What P1, P2 and P3 share: campaigns with qualified wallets. For P1 and P3, our engine and the textbook control. Both are
// called in process, below HTTP: signature, parsing and serialization are the same work for either and would only blur the
// ratio. Both use the same pool with the same number of connections, answer the full participant, and keep the same rows.

import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { createJournalChain } from "../server/dist/campaigns/journal/chain.js";
import { matchOne } from "../server/dist/campaigns/submissions/match.js";
import { createSubmissions } from "../server/dist/campaigns/submissions/submit.js";
import { openDatabase } from "../server/dist/db/pool.js";
import { createKeyring } from "../server/dist/keyring.js";

const CONNECTIONS = 10;
const USERS = 20_000;
const WALLET = `0x${"a".repeat(40)}`;
const CHAIN = 8453;
const HUGE = "9".repeat(60);

export async function prepare(connection, { merchants, campaignsPerMerchant }) {
  const db = openDatabase(connection, CONNECTIONS);
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = publicKey.export({ type: "spki", format: "pem" });
  const campaigns = [];
  for (let merchant = 0; merchant < merchants; merchant++) {
    const merchantId = randomUUID();
    await db.query(
      `insert into merchants (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
       values ($1, 'bench', 'ACTIVE', 'ECDSA_P256_SHA256', $2, $3, 'bench@shop.example', 'shop.example', now(), now())`,
      [merchantId, pem, randomBytes(33)],
    );
    const rows = await db.query(
      `insert into campaigns
         select $1, gen_random_uuid(), 'PER_TRADE_PROFIT_MATCH', 'ACTIVE', 'bench', '2026-01-01Z', '2026-02-01Z', 2, 'USDC', 6,
                ${HUGE}, ${HUGE}, 0, $3::bigint, $4, 0, now(), now()
         from generate_series(1, $2::integer)
       returning id`,
      [merchantId, campaignsPerMerchant, CHAIN, WALLET],
    );
    await db.query(
      `insert into deposits
       values ($1, 'bench', gen_random_uuid(), 'completed', 1, $3::bigint, 'USDC', $2, $2, $2, '2026-01-10Z', '2026-01-10Z')`,
      [merchantId, WALLET, CHAIN],
    );
    campaigns.push(...rows.map(({ id }) => ({ merchantId, id })));
  }
  return { db, campaigns, privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }) };
}

/** A user's submission; most users come more than once, each time with more profit. */
export function submissionOf(sequence) {
  return {
    merchantUserId: `user-${Math.floor(Math.random() * USERS)}`,
    wallets: [{ address: WALLET, chain: { id: CHAIN } }],
    amount: { amount: String(1_000_000 + sequence), currency: "USDC", decimalPlaces: 6 },
  };
}

export function matchbook(db) {
  const chain = createJournalChain(createKeyring("bench-secret-0123456789abcdef0123456789", "production"));
  const submissions = createSubmissions({ db, clock: () => new Date(), connections: CONNECTIONS, chain });
  return ({ merchantId, id }, sequence) => submissions.submit(merchantId, id, submissionOf(sequence), null);
}

/** One transaction per submission, a statement per step: lock the campaign's row, read, decide, write, read the wallets, commit. */
export function textbook(db) {
  return ({ merchantId, id }, sequence) => {
    const { merchantUserId, wallets, amount } = submissionOf(sequence);
    const [{ address, chain }] = wallets;
    return db.transaction(async (transaction) => {
      const [campaign] = await transaction.query(
        `select status, match_multiplier, decimal_places, max_amount_per_user, max_amount_total, committed, journal_length,
                start_date, end_date
         from campaigns where merchant_id = $1 and id = $2 for update`,
        [merchantId, id],
      );
      if (campaign.status !== "ACTIVE") throw new Error("CAMPAIGN_NOT_ACTIVE");
      const [before] = await transaction.query(
        `select id, amount_matched, max_match, qualified_date, create_date
         from participants where merchant_id = $1 and campaign_id = $2 and merchant_user_id = $3`,
        [merchantId, id, merchantUserId],
      );
      const [qualified] = await transaction.query(
        `select create_date as qualified_date from deposits
         where merchant_id = $1 and wallet_key = $2 and chain_id = $3 and status = 'completed'
           and create_date between $4 and $5
         order by create_date limit 1`,
        [merchantId, address, chain.id, campaign.start_date, campaign.end_date],
      );
      if (qualified === undefined) throw new Error("NO_QUALIFYING_WALLET");
      const now = new Date();
      const committed = BigInt(campaign.committed);
      const { next, delta } = matchOne({
        profit: BigInt(amount.amount),
        multiplierMillionths: 2_000_000n,
        tokenDecimals: campaign.decimal_places,
        cap: BigInt(campaign.max_amount_per_user),
        matched: BigInt(before?.amount_matched ?? 0),
        remaining: BigInt(campaign.max_amount_total) - committed,
      });
      const position = campaign.journal_length + 1;
      const participantId = before?.id ?? randomUUID();
      await transaction.query(
        `insert into participants values ($1, $2, $3, $4, 'MATCHED', $5, $6, $7, $8, 0, 0, 0, false, $9, $9)
         on conflict (merchant_id, campaign_id, merchant_user_id) do update
         set status = excluded.status, trade_profit = excluded.trade_profit, amount_matched = excluded.amount_matched,
             update_date = excluded.update_date`,
        [
          merchantId,
          participantId,
          id,
          merchantUserId,
          qualified.qualified_date,
          amount.amount,
          next,
          campaign.max_amount_per_user,
          now,
        ],
      );
      await transaction.query(
        `insert into participant_wallets values ($1, $2, $3, $4, $5, $3, 0, $6)
         on conflict (merchant_id, participant_id, address_key, chain_id) do nothing`,
        [merchantId, participantId, address, chain.id, id, position],
      );
      await transaction.query(
        "insert into submission_journal values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        [
          merchantId,
          id,
          position,
          randomUUID(),
          participantId,
          before === undefined,
          amount.amount,
          campaign.max_amount_per_user,
          campaign.max_amount_total,
          delta,
          next,
          committed + delta,
          now,
        ],
      );
      await transaction.query(
        "update campaigns set committed = $3, journal_length = $4, update_date = $5 where merchant_id = $1 and id = $2",
        [merchantId, id, committed + delta, position, now],
      );
      const associatedWallets = await transaction.query(
        `select w.address, w.chain_id, (
           select d.create_date from deposits d
           where d.merchant_id = w.merchant_id and d.wallet_key = w.address_key and d.chain_id = w.chain_id
             and d.status = 'completed' and d.create_date between $3 and $4
           order by d.create_date limit 1) as qualified_date
         from participant_wallets w
         where w.merchant_id = $1 and w.participant_id = $2
         order by w.ordinal`,
        [merchantId, participantId, campaign.start_date, campaign.end_date],
      );
      return {
        created: before === undefined,
        participant: {
          id: participantId,
          campaignId: id,
          merchantUserId,
          status: "MATCHED",
          tradeProfit: amount,
          associatedWallets,
          payouts: [],
        },
      };
    });
  };
}

/** Submissions per second of so many clients, each sending its next as soon as the last is answered. */
export async function throughput(submit, pick, clients, durationMs) {
  const deadline = performance.now() + durationMs;
  const began = performance.now();
  let answered = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < deadline) {
        await submit(pick(), answered);
        answered++;
      }
    }),
  );
  return (answered / (performance.now() - began)) * 1_000;
}

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

export const perSecond = (number) => `${Math.round(number).toLocaleString("en")}/s`;
