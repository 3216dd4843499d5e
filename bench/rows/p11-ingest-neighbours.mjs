// Ingest over HTTP must depend neither on the campaigns of a merchant nor on how many merchants share a batch, and neither a
// window edit nor the creation of a campaign may wait for it. What is compared takes turns in one run.
//
//   MATCHBOOK_P11_WALLETS=100000 npm run bench -- P11     fewer wallets under the window that is edited

import { fork } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { openDatabase } from "../../server/dist/db/pool.js";

const BATCH = 1_000;
const ROUNDS = 20;
const WARM_UP_ROUNDS = 5;
const ENDED_CAMPAIGNS = 2_000;
const MERCHANTS = 1_000;
const WALLETS = Number(process.env.MATCHBOOK_P11_WALLETS ?? 1_000_000);
// Small batches, so that there are enough of them for a 99th percentile.
const SMALL_BATCH = 100;
const SAMPLES = 200;
const SENDERS = 16;
const GOAL_CAMPAIGNS = 1.2;
const GOAL_NEIGHBOURS = 3;
const OPERATOR_TOKEN = "bench-operator-token-0123456789abcdef";

export default {
  id: "P11",
  title: "ingest beside campaigns, merchants, window edits and campaign creation",
  goal: `≤ ${GOAL_CAMPAIGNS} for campaigns, ≤ ${GOAL_NEIGHBOURS} for the others`,
  async run(context) {
    const connection = await context.database();
    const db = openDatabase(connection, 2);
    const service = await startService(connection);
    try {
      return [
        await besideEndedCampaigns(db, service),
        await ofManyMerchants(db, service),
        await besideWindowEdits(db, service, context),
        await creationBesideSenders(db, service),
      ];
    } finally {
      await service.close();
      await db.end();
    }
  },
};

async function besideEndedCampaigns(db, service) {
  const [busy, plain] = await insertMerchants(db, 2);
  await insertCampaigns(db, busy, ENDED_CAMPAIGNS, "ENDED");
  const [withMs, withoutMs] = await medians([
    () => service.ingest(newDeposits([busy], BATCH)),
    () => service.ingest(newDeposits([plain], BATCH)),
  ]);
  const ratio = withMs / withoutMs;
  const detail = `${withMs.toFixed(0)} against ${withoutMs.toFixed(0)} ms for ${BATCH} deposits`;
  return { what: `${ENDED_CAMPAIGNS} ended campaigns ÷ none`, ratio, pass: ratio <= GOAL_CAMPAIGNS, detail };
}

async function ofManyMerchants(db, service) {
  const merchants = await insertMerchants(db, MERCHANTS);
  const [manyMs, oneMs] = await medians([
    () => service.ingest(newDeposits(merchants, BATCH)),
    () => service.ingest(newDeposits([merchants[0]], BATCH)),
  ]);
  const ratio = manyMs / oneMs;
  const detail = `${manyMs.toFixed(0)} against ${oneMs.toFixed(0)} ms for ${BATCH} deposits`;
  return { what: `${MERCHANTS} merchants ÷ one`, ratio, pass: ratio <= GOAL_NEIGHBOURS, detail };
}

async function besideWindowEdits(db, service, { note }) {
  const [merchantId] = await insertMerchants(db, 1);
  const [campaignId] = await insertCampaigns(db, merchantId, 1, "ACTIVE");
  const startedAt = performance.now();
  await insertWallets(db, merchantId, WALLETS);
  note(`${WALLETS} wallets made in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const send = () => service.ingest(newDeposits([merchantId], SMALL_BATCH));
  await samples(send, 20);
  // Half of the samples alone before, half after, so that a busy moment of the machine meets both.
  const alone = await samples(send, SAMPLES / 2);
  let edits = 0;
  const stop = repeat(async () => {
    edits++;
    const endDate = new Date(Date.UTC(2026, 6, 1) + edits * 60_000).toISOString();
    await service.call("PATCH", `/operator/v1/campaigns/${campaignId}`, { endDate });
  });
  const meanwhile = await samples(send, SAMPLES);
  await stop();
  alone.push(...(await samples(send, SAMPLES / 2)));
  const ratio = p99(meanwhile) / p99(alone);
  const detail = `${p99(meanwhile).toFixed(0)} against ${p99(alone).toFixed(0)} ms, p99 of ${SMALL_BATCH} deposits; ${edits} edits`;
  return {
    what: `beside window edits over ${WALLETS} wallets ÷ alone`,
    ratio,
    pass: ratio <= GOAL_NEIGHBOURS,
    detail,
  };
}

async function creationBesideSenders(db, service) {
  const [merchantId] = await insertMerchants(db, 1);
  const create = () => service.call("POST", "/operator/v1/campaigns", campaignBody(merchantId), 201);
  await samples(create, 20);
  const alone = await samples(create, SAMPLES / 2);
  let batches = 0;
  const stops = Array.from({ length: SENDERS }, () =>
    repeat(async () => {
      await service.ingest(newDeposits([merchantId], SMALL_BATCH));
      batches++;
    }),
  );
  const meanwhile = await samples(create, SAMPLES);
  await Promise.all(stops.map((stop) => stop()));
  alone.push(...(await samples(create, SAMPLES / 2)));
  const ratio = p99(meanwhile) / p99(alone);
  const detail = `${p99(meanwhile).toFixed(0)} against ${p99(alone).toFixed(0)} ms, p99; ${batches} batches of ${SMALL_BATCH} meanwhile`;
  return {
    what: `campaign creation beside ${SENDERS} senders of its merchant ÷ alone`,
    ratio,
    pass: ratio <= GOAL_NEIGHBOURS,
    detail,
  };
}

/** The medians of several kinds of work, done in turns. */
async function medians(works) {
  const times = works.map(() => []);
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
    const order = [...works.entries()];
    for (const [index, work] of round % 2 === 0 ? order : order.reverse()) {
      const [ms] = await samples(work, 1);
      if (round >= WARM_UP_ROUNDS) times[index].push(ms);
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
}

async function samples(work, count) {
  const times = [];
  for (let sample = 0; sample < count; sample++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return times;
}

function p99(times) {
  return [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1];
}

/** Does the work again and again until the function that it returns is called. */
function repeat(work) {
  let stopped = false;
  const loop = (async () => {
    while (!stopped) await work();
  })();
  return async () => {
    stopped = true;
    await loop;
  };
}

async function startService(connection) {
  const child = fork(new URL("../servers/environment.mjs", import.meta.url));
  const settings = { connection, secret: "bench-secret-0123456789abcdef0123456789", operatorToken: OPERATOR_TOKEN };
  child.send({ ...settings, poolSize: 10 });
  const { operatorUrl } = await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  const { hostname, port } = new URL(operatorUrl);
  const agent = new Agent({ keepAlive: true });

  function call(method, path, body, status = 200) {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      "content-type": "application/json",
      "content-length": bytes.length,
    };
    return new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => {
          if (response.statusCode === status) resolve();
          else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text}`));
        });
      });
      sent.on("error", reject);
      sent.end(bytes);
    });
  }

  return {
    call,
    ingest: (deposits) => call("POST", "/operator/v1/deposits", { deposits }),
    async close() {
      agent.destroy();
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.send("close");
      await exited;
    },
  };
}

function newDeposits(merchantIds, count) {
  return Array.from({ length: count }, (_, index) => {
    const payer = randomBytes(20).toString("hex");
    const date = new Date(Date.UTC(2026, 2, 1) + Math.floor(Math.random() * 86_400_000)).toISOString();
    return {
      id: `dep_${payer}`,
      merchantId: merchantIds[index % merchantIds.length],
      payerId: payer,
      state: "COMPLETED",
      amount: { value: "12.50", currency: "USD" },
      chainId: 8453,
      token: { symbol: "USDC", address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" },
      embeddedWalletAddress: `0x${payer}`,
      createDate: date,
      updateDate: date,
    };
  });
}

function campaignBody(merchantId) {
  const usdc = (amount) => ({ amount, currency: "USDC", decimalPlaces: 6 });
  return {
    merchantId,
    type: "PER_TRADE_PROFIT_MATCH",
    displayName: "bench",
    startDate: "2026-01-01T00:00:00.000Z",
    endDate: "2026-07-01T00:00:00.000Z",
    perTradeProfitMatch: {
      matchMultiplier: 2,
      maxAmountPerUser: usdc("1000000000"),
      maxAmountTotal: usdc("1000000000000"),
      payoutChainId: 8453,
      payoutTokenAddress: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    },
  };
}

// The service reads it when it looks for the merchant's share.
const PUBLIC_KEY = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" });

async function insertMerchants(db, count) {
  const rows = await db.query(
    `insert into merchants
       (id, display_name, status, algorithm, public_key, public_key_point, email, domain, create_date, update_date)
     select gen_random_uuid(), 'bench', 'ACTIVE', 'ECDSA_P256_SHA256', $2,
            '\\x02'::bytea || sha256(gen_random_uuid()::text::bytea), 'bench@shop.example', 'shop.example', now(), now()
     from generate_series(1, $1::integer)
     returning id`,
    [count, PUBLIC_KEY],
  );
  return rows.map(({ id }) => id);
}

async function insertCampaigns(db, merchantId, count, status) {
  const rows = await db.query(
    `insert into campaigns
       (merchant_id, id, type, status, display_name, start_date, end_date, match_multiplier, currency, decimal_places,
        max_amount_per_user, max_amount_total, committed, payout_chain_id, payout_token_address, journal_length,
        create_date, update_date)
     select $1, gen_random_uuid(), 'PER_TRADE_PROFIT_MATCH', $3, 'bench', '2026-01-01Z', '2026-07-01Z', 2, 'USDC', 6,
            1000000000, 1000000000000, 0, 8453, '0x0', 0, now(), now()
     from generate_series(1, $2::integer)
     returning id`,
    [merchantId, count, status],
  );
  return rows.map(({ id }) => id);
}

/** Wallets that qualify, each by one deposit. Their users are left out: nothing that is measured reads them. */
async function insertWallets(db, merchantId, count) {
  const chunk = 10_000;
  for (let done = 0; done < count; done += chunk) {
    await db.query(
      `insert into deposits
         (merchant_id, id, user_id, status, amount_micros, chain_id, token_symbol, token_address, wallet_address, wallet_key,
          create_date, update_date)
       select $1, 'seed_' || n, md5(n::text)::uuid, 'completed', 1000000, 8453, 'USDC', '0x1',
              '0x' || md5(n::text) || '00000000', '0x' || md5(n::text) || '00000000',
              '2026-02-01Z'::timestamptz + n * interval '1 ms', '2026-02-01Z'::timestamptz + n * interval '1 ms'
       from generate_series($2::integer, $3::integer) n`,
      [merchantId, done + 1, Math.min(done + chunk, count)],
    );
  }
  await db.query("analyze deposits");
}
